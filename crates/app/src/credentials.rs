//! Credentials: who is asking, what API keys look like and whose they are, and how all that is secret is
//! kept.

mod api_key;
mod caller;
mod keyring;
mod secret;
mod uses;

pub use api_key::ApiKeyText;
pub use caller::Caller;
pub use keyring::{Keyring, Unauthenticated};
pub use secret::{NONCE, Secret, SecretTooShort, TokenKind};
