//! Signing in: what is kept of links, sessions and signing keys. None of it is any reseller's, and none
//! of it can be used by whoever reads the store: of secrets there are keyed hashes, and signing keys are
//! sealed.

use weir_domain::person::{Email, Identity, Person};
use weir_domain::{MemberId, ResellerId, SessionId, Timestamp};

use crate::{KeyHash, StoreResult};

/// A link that was sent to an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MagicLink {
    /// Of the secret in the link.
    pub hash: KeyHash,
    /// Of the secret in the browser that asked for it.
    pub browser: KeyHash,
    /// Where it was sent.
    pub email: Email,
    /// When.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

/// A session of someone who signed in here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub person: Person,
    /// Of the refresh token that goes on with it.
    pub refresh: KeyHash,
    /// Of the refresh token before that.
    pub previous: Option<KeyHash>,
    /// When the refresh token was last changed; at first, when they signed in.
    pub refreshed_at: Timestamp,
    /// When they signed in.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

/// A key that tokens are signed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// The name under which it is published.
    pub id: String,
    /// The private key, sealed with the server's secret.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Signing in and out, across resellers.
pub trait SignInTx {
    /// Where someone who is known by any of these is a member, by reseller, ties by member; each member
    /// once.
    fn memberships(&mut self, identities: &[Identity]) -> StoreResult<Vec<(ResellerId, MemberId)>>;

    /// Keeps a link.
    fn magic_link_insert(&mut self, link: &MagicLink) -> StoreResult<()>;

    /// How many links were sent to an address at or after a moment, used ones included.
    fn magic_links_sent(&mut self, email: &Email, since: Timestamp) -> StoreResult<u64>;

    /// Uses a link: returned once, and only to the browser that asked for it. A link that another
    /// browser presents stays as it is. Expired ones are returned too.
    fn magic_link_use(
        &mut self,
        hash: &KeyHash,
        browser: &KeyHash,
    ) -> StoreResult<Option<MagicLink>>;

    /// Begins a session.
    fn session_insert(&mut self, session: &Session) -> StoreResult<()>;

    /// A session, expired ones included.
    fn session(&mut self, id: SessionId) -> StoreResult<Option<Session>>;

    /// The same, and nobody else changes it until the transaction ends.
    fn session_lock(&mut self, id: SessionId) -> StoreResult<Option<Session>>;

    /// Keeps the refresh tokens of a session that is there, when they were changed and when it ends.
    fn session_update(&mut self, session: &Session) -> StoreResult<()>;

    /// Ends a session; whether it was there.
    fn session_delete(&mut self, id: SessionId) -> StoreResult<bool>;

    /// Forgets links that expired before a moment and sessions that did.
    fn sign_ins_prune(&mut self, before: Timestamp) -> StoreResult<()>;

    /// The signing keys, oldest first, ties by id.
    fn signing_keys(&mut self) -> StoreResult<Vec<SigningKey>>;

    /// Keeps a signing key.
    fn signing_key_insert(&mut self, key: &SigningKey) -> StoreResult<()>;

    /// Forgets a signing key; whether it was there.
    fn signing_key_delete(&mut self, id: &str) -> StoreResult<bool>;
}
