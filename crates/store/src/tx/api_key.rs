//! API keys.

use weir_domain::{ApiKeyId, Name, Timestamp};

use crate::StoreResult;

/// The keyed hash under which an API key is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub [u8; 32]);

/// An API key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its id.
    pub id: ApiKeyId,
    /// Its name, unique within its reseller.
    pub name: Name,
    /// The key, sealed with the server's secret.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last known to be used.
    pub last_used_at: Option<Timestamp>,
}

/// Reads the API keys of the transaction's reseller.
pub trait ApiKeyReads {
    /// All of them, oldest first, ties by id.
    fn api_keys(&mut self) -> StoreResult<Vec<ApiKey>>;
}

/// Changes the API keys of the transaction's reseller. The hashes by which they are found are kept
/// across resellers, by [`SystemTx`](crate::SystemTx).
pub trait ApiKeyWrites {
    /// Inserts a key whose name is not taken.
    fn api_key_insert(&mut self, key: &ApiKey) -> StoreResult<()>;

    /// Deletes a key; whether it was there.
    fn api_key_delete(&mut self, id: ApiKeyId) -> StoreResult<bool>;

    /// Remembers when keys (each named once) were used. What is remembered never moves back, and keys
    /// that are not there are passed over.
    fn api_keys_used(&mut self, uses: &[(ApiKeyId, Timestamp)]) -> StoreResult<()>;
}
