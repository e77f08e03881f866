//! Links that sign in.

use weir_domain::Timestamp;
use weir_domain::person::{Email, Identity};
use weir_domain::sign_in::{LINK_LIFETIME, may_send};
use weir_store::{MagicLink, StoreResult, SystemTx};

use super::{Begun, RandomToken, begin_session};
use crate::Env;
use crate::credentials::{Secret, TokenKind};

/// Keeps a link for an address and the browser that asked; whether it is to be sent. It is not where
/// the address is no member's, or was sent enough of them.
pub fn request_link(
    tx: &mut dyn SystemTx,
    secret: &Secret,
    now: Timestamp,
    email: &Email,
    browser: &RandomToken,
    link: &RandomToken,
) -> StoreResult<bool> {
    match tx.memberships(&[Identity::Email(email.clone())])?.is_empty() {
        true => Ok(false),
        false => keep_link(tx, secret, now, email, browser, link),
    }
}

/// The same for whoever has that address, be it a member's or not: it is not to be sent where the address
/// was sent enough of them.
pub fn keep_link(
    tx: &mut dyn SystemTx,
    secret: &Secret,
    now: Timestamp,
    email: &Email,
    browser: &RandomToken,
    link: &RandomToken,
) -> StoreResult<bool> {
    if !may_send(tx.magic_links_sent(email, now.minus(LINK_LIFETIME))?) {
        return Ok(false);
    }
    tx.magic_link_insert(&MagicLink {
        hash: link.hash(secret, TokenKind::Link),
        browser: browser.hash(secret, TokenKind::Browser),
        email: email.clone(),
        created_at: now,
        expires_at: now.plus(LINK_LIFETIME),
    })?;
    Ok(true)
}

/// Signs in with a link, in the browser that asked for it, once. In another browser it is worth nothing
/// and stays as it is: mail scanners follow links too.
pub fn follow_link(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    link: &RandomToken,
    browser: &RandomToken,
    refresh: &RandomToken,
) -> StoreResult<Option<Begun>> {
    match use_link(tx, env, secret, link, browser)? {
        Some(email) => begin_session(tx, env, secret, &email.into(), refresh),
        None => Ok(None),
    }
}

/// Uses a link up: whose address it proves, if that is still in time.
pub(super) fn use_link(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    link: &RandomToken,
    browser: &RandomToken,
) -> StoreResult<Option<Email>> {
    let (link, browser) =
        (link.hash(secret, TokenKind::Link), browser.hash(secret, TokenKind::Browser));
    let used = tx.magic_link_use(&link, &browser)?;
    Ok(used.filter(|link| env.now() < link.expires_at).map(|link| link.email))
}
