//! Sessions of people who signed in.

use weir_domain::person::Person;
use weir_domain::sign_in::{LINK_LIFETIME, Presented, goes_on, session_end};
use weir_domain::{SessionId, Timestamp};
use weir_store::{Session, StoreResult, SystemTx};

use super::{RandomToken, RefreshToken};
use crate::Env;
use crate::credentials::Secret;

/// A session that began or goes on, and the token to go on with it.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The session.
    pub session: Session,
    /// The token.
    pub refresh: RefreshToken,
}

/// Begins a session of someone who proved who they are; none where they belong to no reseller. What
/// expired long ago is swept out on the way.
pub fn begin_session(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    person: &Person,
    refresh: &RandomToken,
) -> StoreResult<Option<Begun>> {
    if tx.memberships(&person.identities())?.is_empty() {
        return Ok(None);
    }
    let now = env.now();
    // Links count against their address for as long as they last.
    tx.sign_ins_prune(now.minus(LINK_LIFETIME))?;
    let refresh = RefreshToken::new(SessionId::from_uuid(env.ids.next(now)), refresh.clone());
    let session = Session {
        id: refresh.session(),
        person: person.clone(),
        refresh: refresh.hash(secret),
        previous: None,
        refreshed_at: now,
        created_at: now,
        expires_at: session_end(now, now),
    };
    tx.session_insert(&session)?;
    Ok(Some(Begun { session, refresh }))
}

/// Goes on with a session: its refresh token is replaced by the one that follows it. A token that was
/// replaced ends the session, but for the last one: within a moment it gets the same token in its place
/// again. The session of a person who belongs to no reseller any more ends too, lest it came back to life
/// if they were let in again.
pub fn refresh(
    tx: &mut dyn SystemTx,
    secret: &Secret,
    now: Timestamp,
    presented: &RefreshToken,
) -> StoreResult<Option<Begun>> {
    let Some(session) = tx.session_lock(presented.session())? else { return Ok(None) };
    let hash = presented.hash(secret);
    let which = match hash {
        _ if hash == session.refresh => Presented::Current,
        _ if Some(hash) == session.previous => Presented::Previous,
        _ => Presented::Older,
    };
    if !goes_on(which, session.refreshed_at, session.expires_at, now)
        || tx.memberships(&session.person.identities())?.is_empty()
    {
        tx.session_delete(session.id)?;
        return Ok(None);
    }
    let refresh = presented.next(secret);
    if which == Presented::Previous {
        return Ok(Some(Begun { session, refresh }));
    }
    let session = Session {
        refresh: refresh.hash(secret),
        previous: Some(session.refresh),
        refreshed_at: now,
        expires_at: session_end(session.created_at, now),
        ..session
    };
    tx.session_update(&session)?;
    Ok(Some(Begun { session, refresh }))
}

/// Ends the session of a refresh token, be it current or not.
pub fn sign_out(tx: &mut dyn SystemTx, presented: &RefreshToken) -> StoreResult<()> {
    tx.session_delete(presented.session()).map(|_| ())
}

/// Whose session that is; none where it ended.
pub fn session(
    tx: &mut dyn SystemTx,
    id: SessionId,
    now: Timestamp,
) -> StoreResult<Option<Person>> {
    let session = tx.session(id)?.filter(|session| now < session.expires_at);
    Ok(session.map(|session| session.person))
}
