//! The keys of one issuer.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use jsonwebtoken::DecodingKey;
use serde::Deserialize;
use serde_json::Value;

use super::jwk::Jwk;
use super::{Algorithm, KeySource, NoKeys};

/// How many keys an issuer may publish.
const MOST_KEYS: usize = 100;

/// A key that signatures are checked with.
#[derive(Debug)]
pub struct Key {
    pub(super) id: Option<String>,
    pub(super) algorithm: Algorithm,
    pub(super) material: DecodingKey,
}

impl Key {
    /// Whether this key signed a message; the signature is that of a token, in its base64.
    pub fn has_signed(&self, message: &str, signature: &str) -> bool {
        let (message, algorithm) = (message.as_bytes(), self.algorithm.into());
        jsonwebtoken::crypto::verify(signature, message, &self.material, algorithm).unwrap_or(false)
    }
}

/// The keys of one issuer.
#[derive(Debug, Clone, Default)]
pub struct KeySet(Vec<Arc<Key>>);

/// The document is no set of keys.
#[derive(Debug, thiserror::Error)]
pub enum NotAKeySet {
    /// Something else.
    #[error("the document is no JSON Web Key Set: {0}")]
    Malformed(#[from] serde_json::Error),
    /// More than anybody needs.
    #[error("the document holds {0} keys, more than {MOST_KEYS}")]
    TooMany(usize),
}

impl KeySet {
    /// Reads a JSON Web Key Set. Keys of other kinds, for other uses or too weak are passed over, as the
    /// standard has it.
    pub fn parse(document: &[u8]) -> Result<Self, NotAKeySet> {
        #[derive(Deserialize)]
        struct Published {
            keys: Vec<Value>,
        }
        let Published { keys } = serde_json::from_slice(document)?;
        if keys.len() > MOST_KEYS {
            return Err(NotAKeySet::TooMany(keys.len()));
        }
        let fitting = keys.into_iter().filter_map(|key| Jwk::deserialize(key).ok()?.key());
        Ok(Self(fitting.map(Arc::new).collect()))
    }

    /// A secret that is shared with the issuer.
    pub fn shared(secret: &[u8]) -> Self {
        let material = DecodingKey::from_secret(secret);
        Self(vec![Arc::new(Key { id: None, algorithm: Algorithm::Hs256, material })])
    }

    /// Whether there is no key that tokens could be checked with.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The key that a token names, of that algorithm. A token that names none means the only one.
    pub fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Arc<Key>> {
        let mut fitting = self.0.iter().filter(|key| key.algorithm == algorithm);
        // A secret has no name: some issuers give it one in their tokens, others do not.
        let is_named = algorithm != Algorithm::Hs256;
        match id.filter(|_| is_named) {
            Some(id) => fitting.find(|key| key.id.as_deref() == Some(id)).cloned(),
            None => fitting.next().filter(|_| fitting.next().is_none()).cloned(),
        }
    }
}

/// Keys that never change.
impl KeySource for KeySet {
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>> {
        ready(Ok(self.clone())).boxed()
    }

    fn max_age(&self) -> Duration {
        Duration::MAX
    }
}
