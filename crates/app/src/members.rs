//! Members of a reseller: who may sign in for it.

use uuid::Uuid;
use weir_domain::member::{Member, Role};
use weir_domain::person::Identity;
use weir_domain::{MemberId, Refusal, ResellerId};
use weir_store::{Change, ReadTx, WriteTx};

use crate::{AppResult, Env};

/// A member to be.
#[derive(Debug, Clone)]
pub struct NewMember {
    /// By what they are known.
    pub identity: Identity,
    /// What they may do.
    pub role: Role,
}

/// How someone names a member.
#[derive(Debug, Clone)]
pub enum MemberRef {
    /// By its id.
    Id(MemberId),
    /// By what they are known.
    KnownBy(Identity),
}

impl MemberRef {
    /// Reads an id.
    pub fn parse_id(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(|id| Self::Id(MemberId::from_uuid(id)))
    }
}

/// Adds a member to a reseller, the transaction's own. Refused where someone who is known by the same
/// is one already, whatever their role.
pub fn add(
    tx: &mut dyn WriteTx,
    env: &Env,
    reseller: ResellerId,
    new: &NewMember,
) -> AppResult<Member> {
    let now = env.now();
    let NewMember { identity, role } = new.clone();
    let id = MemberId::from_uuid(env.ids.next(now));
    let member = Member { id, identity, role, created_at: now };
    if !tx.member_insert(&member)? {
        return Err(Refusal::MemberAlreadyExists(member.identity).into());
    }
    tx.announce(Change::Reseller(reseller))?;
    Ok(member)
}

/// The members, oldest first.
pub fn list(tx: &mut dyn ReadTx) -> AppResult<Vec<Member>> {
    Ok(tx.members()?)
}

/// Removes a member from a reseller, the transaction's own: they may sign in for it no more. Refused
/// where there is none, and where it is the last admin: others who sign in could do nothing about it.
pub fn remove(tx: &mut dyn WriteTx, reseller: ResellerId, member: &MemberRef) -> AppResult<Member> {
    // Of two admins who remove one another at the same time, one stays.
    tx.lock_members()?;
    let found = find(tx, member)?;
    let admins = tx.members()?.into_iter().filter(|member| member.role == Role::Admin);
    if found.role == Role::Admin && admins.count() == 1 {
        return Err(Refusal::LastAdmin(found.identity).into());
    }
    delete(tx, reseller, found)
}

/// The same as an operator does it, or who has an API key: they may remove the last admin too, for they
/// can add another.
pub fn remove_any(
    tx: &mut dyn WriteTx,
    reseller: ResellerId,
    member: &MemberRef,
) -> AppResult<Member> {
    let found = find(tx, member)?;
    delete(tx, reseller, found)
}

fn find(tx: &mut dyn WriteTx, member: &MemberRef) -> AppResult<Member> {
    let found = match member {
        MemberRef::Id(id) => tx.member(*id)?,
        MemberRef::KnownBy(identity) => tx.member_known_by(identity)?,
    };
    Ok(found.ok_or(Refusal::MemberNotFound)?)
}

fn delete(tx: &mut dyn WriteTx, reseller: ResellerId, member: Member) -> AppResult<Member> {
    // Someone else may have been faster.
    if !tx.member_delete(member.id)? {
        return Err(Refusal::MemberNotFound.into());
    }
    tx.announce(Change::Reseller(reseller))?;
    Ok(member)
}
