//! Signing in, going on and signing out, across resellers.
//!
//! Whoever signs in proves that an address is theirs, by a link that was sent there, or is vouched for
//! by an issuer. Either way a session begins, which goes on by refresh tokens that are used once each.
//! A person without a reseller does not sign in; what they may see is decided with every request.
//!
//! A refusal here is a value (`None`), since what was found out about a misused token is to be kept.

mod link;
mod session;
mod sign_up;
mod signing_key;
mod token;

pub use link::{follow_link, keep_link, request_link};
pub use session::{Begun, begin_session, refresh, session, sign_out};
pub use sign_up::{SignUp, sign_up};
pub use signing_key::{NewSigningKey, OpenedKey, SigningKeys, signing_keys};
pub use token::{RandomToken, RefreshToken};
