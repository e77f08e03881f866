//! API keys: what they look like, how they are kept, and whose they are.

mod api_key;
mod keyring;
mod secret;

pub use api_key::ApiKeyText;
pub use keyring::{Caller, Keyring, Unauthenticated};
pub use secret::{Secret, SecretTooShort};
