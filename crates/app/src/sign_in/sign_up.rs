//! Signing up: a reseller of one's own, for whoever proves an address. Nothing is made before that.

use weir_domain::billing::Tiers;
use weir_domain::member::Role;
use weir_domain::person::Identity;
use weir_store::SystemTx;

use super::link::use_link;
use super::{Begun, RandomToken, begin_session};
use crate::api_keys::Minting;
use crate::credentials::Secret;
use crate::members::{self, NewMember};
use crate::resellers::{self, NewReseller};
use crate::{AppResult, Env};

/// What somebody signs up with, who proves their address by a link.
pub struct SignUp {
    /// The link.
    pub link: RandomToken,
    /// The browser that asked for it.
    pub browser: RandomToken,
    /// The reseller that they want.
    pub reseller: NewReseller,
    /// What its first API key is made of.
    pub minting: Minting,
}

/// Signs somebody up and in: their reseller is created with its first API key, and they are its first
/// administrator. None where the link is worth nothing; where the reseller is refused, the link stays
/// good for another try.
pub fn sign_up(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    tiers: &Tiers,
    new: &SignUp,
    refresh: &RandomToken,
) -> AppResult<Option<Begun>> {
    let Some(email) = use_link(tx, env, secret, &new.link, &new.browser)? else { return Ok(None) };
    let created = resellers::create(tx, env, secret, tiers, &new.reseller, &new.minting)?;
    let first = NewMember { identity: Identity::Email(email.clone()), role: Role::Admin };
    let id = created.reseller.id;
    members::add(tx.scoped(id)?, env, id, &first)?;
    Ok(begin_session(tx, env, secret, &email.into(), refresh)?)
}
