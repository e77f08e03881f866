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
    if tx.memberships(&[Identity::Email(email.clone())])?.is_empty()
        || !may_send(tx.magic_links_sent(email, now.minus(LINK_LIFETIME))?)
    {
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
    let (link, browser) =
        (link.hash(secret, TokenKind::Link), browser.hash(secret, TokenKind::Browser));
    match tx.magic_link_use(&link, &browser)? {
        Some(link) if env.now() < link.expires_at => {
            begin_session(tx, env, secret, &link.email.into(), refresh)
        }
        _ => Ok(None),
    }
}
