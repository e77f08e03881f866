//! The keys of issuers: what they are, where they come from, and for how long they are kept.
//!
//! To add a place where keys can lie: a type that implements [`KeySource`]. When it is asked, and what
//! happens while it does not answer, is [`KeyCache`]'s business alone.

mod algorithm;
mod cache;
mod discovery;
mod documents;
mod file;
mod jwk;
mod set;
mod url;

use std::error::Error;
use std::time::Duration;

use futures_util::future::BoxFuture;

pub use algorithm::{Algorithm, NotAnAlgorithm};
pub use cache::{KeyCache, Unreachable};
pub use discovery::{Discovery, Metadata};
pub use documents::{Documents, NoDocument};
pub use file::KeyFile;
pub use set::{Key, KeySet, NotAKeySet};
pub use url::KeyUrl;

/// After how long keys are asked for again, where their source does not say otherwise.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// Where the keys of an issuer come from.
pub trait KeySource: Send + Sync {
    /// Asks for the keys that there are now.
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>>;

    /// After how long they are asked for again; meanwhile the old ones count.
    fn max_age(&self) -> Duration {
        MAX_AGE
    }
}

/// Why there are no keys, in a sentence for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoKeys(String);

impl NoKeys {
    /// There are none for that reason.
    pub fn because(error: &dyn Error) -> Self {
        Self(error.to_string())
    }
}
