//! Rows of members and of signing in.

use tokio_postgres::Row;
use weir_domain::member::{Member, Role};
use weir_domain::person::{Email, Identity, Person, Subject};
use weir_domain::{MemberId, ResellerId, SessionId};
use weir_store::{KeyHash, MagicLink, Session, SigningKey, StoreResult};

use super::{Columns, corrupt};

impl Columns<'_> {
    fn hash(&mut self, table: &'static str, id: &impl ToString) -> StoreResult<KeyHash> {
        let bytes: &[u8] = self.take()?;
        bytes.try_into().map(KeyHash).map_err(|error| corrupt(table, id, &error))
    }

    fn hash_if_any(
        &mut self,
        table: &'static str,
        id: &impl ToString,
    ) -> StoreResult<Option<KeyHash>> {
        let bytes: Option<&[u8]> = self.take()?;
        let hash = bytes.map(|bytes| bytes.try_into().map(KeyHash)).transpose();
        hash.map_err(|error| corrupt(table, id, &error))
    }

    fn person(&mut self, session: SessionId) -> StoreResult<Person> {
        let email: Option<&str> = self.take()?;
        let subject = self.take::<Option<&str>>()?.zip(self.take::<Option<&str>>()?);
        let subject = subject.map(|(issuer, subject)| Subject::new(issuer, subject)).transpose();
        let broken = |error: &dyn std::error::Error| {
            corrupt("sign_in_session", &session, &error.to_string())
        };
        Ok(Person {
            email: email.map(Email::parse).transpose().map_err(|error| broken(&error))?,
            subject: subject.map_err(|error| broken(&error))?,
        })
    }
}

/// A member: id, kind, issuer and name of the identity, role, creation.
pub(crate) fn member(row: &Row) -> StoreResult<Member> {
    let mut columns = Columns::of(row);
    let id = MemberId::from_uuid(columns.take()?);
    let identity = Identity::stored(columns.take()?, columns.take()?, columns.take()?);
    let role = Role::parse(columns.take()?);
    Ok(Member {
        id,
        identity: identity.map_err(|error| corrupt("member", &id, &error))?,
        role: role.map_err(|error| corrupt("member", &id, &error))?,
        created_at: columns.time()?,
    })
}

/// A membership: reseller, member.
pub(crate) fn membership(row: &Row) -> StoreResult<(ResellerId, MemberId)> {
    let mut columns = Columns::of(row);
    Ok((ResellerId::from_uuid(columns.take()?), MemberId::from_uuid(columns.take()?)))
}

/// A link: hash, browser, address, creation, expiry.
pub(crate) fn magic_link(row: &Row) -> StoreResult<MagicLink> {
    let mut columns = Columns::of(row);
    // A link has no name that could be told.
    let (table, id) = ("magic_link", "?");
    Ok(MagicLink {
        hash: columns.hash(table, &id)?,
        browser: columns.hash(table, &id)?,
        email: Email::parse(columns.take()?).map_err(|error| corrupt(table, &id, &error))?,
        created_at: columns.time()?,
        expires_at: columns.time()?,
    })
}

/// A session: id, address, issuer and subject, refresh token and the one before, refresh, creation,
/// expiry.
pub(crate) fn session(row: &Row) -> StoreResult<Session> {
    let mut columns = Columns::of(row);
    let (table, id) = ("sign_in_session", SessionId::from_uuid(columns.take()?));
    Ok(Session {
        id,
        person: columns.person(id)?,
        refresh: columns.hash(table, &id)?,
        previous: columns.hash_if_any(table, &id)?,
        refreshed_at: columns.time()?,
        created_at: columns.time()?,
        expires_at: columns.time()?,
    })
}

/// A signing key: id, sealed key, creation.
pub(crate) fn signing_key(row: &Row) -> StoreResult<SigningKey> {
    let mut columns = Columns::of(row);
    Ok(SigningKey { id: columns.take()?, sealed: columns.take()?, created_at: columns.time()? })
}
