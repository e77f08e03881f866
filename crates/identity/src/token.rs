//! Tokens: verified in one place, by rules that are all in sight.
//!
//! A token says who issued it and how it is signed; neither is believed before the signature was checked.
//! They only choose among what the operator allowed: the issuer, whose algorithms are a fixed list, and the
//! key, whose kind is good for one algorithm alone. `jsonwebtoken` checks signatures, in constant time where
//! that matters; everything else is checked here, on a clock that is given.

mod claims;
mod header;
mod object;
mod parts;
mod reason;
mod verifier;

use weir_domain::person::Person;
use weir_domain::{SessionId, Timestamp};

use crate::keys::Unreachable;

pub use reason::Reason;
pub use verifier::Verifier;

/// What a good token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Whose it is.
    pub person: Person,
    /// The session that it belongs to, where this service issued it. It may have ended since.
    pub session: Option<SessionId>,
    /// What ties it to one sign-in.
    pub nonce: Option<String>,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

/// Why a token is not taken. What it says is all that callers may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unverified {
    /// It is not good. The reason is for the log: it would help whoever makes tokens up.
    #[error("The token is not valid.")]
    Rejected(#[from] Reason),
    /// It might be good, and cannot be checked at the moment.
    #[error("The token cannot be checked: the keys of its issuer cannot be fetched at the moment.")]
    Unreachable(#[from] Unreachable),
}
