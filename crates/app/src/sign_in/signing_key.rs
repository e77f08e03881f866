//! The keys that tokens are signed with.

use std::fmt;

use weir_domain::Timestamp;
use weir_domain::sign_in::plan;
use weir_store::{SigningKey, StoreResult, SystemTx};
use zeroize::Zeroizing;

use crate::credentials::{NONCE, Secret};

/// A key that is kept should one be needed, made before the transaction since that may run twice.
#[derive(Clone)]
pub struct NewSigningKey {
    /// The name under which it is to be published.
    pub id: String,
    /// The private key.
    pub private: Zeroizing<Vec<u8>>,
    /// The nonce it is sealed with.
    pub nonce: [u8; NONCE],
}

/// A key that can be used.
#[derive(Clone, PartialEq, Eq)]
pub struct OpenedKey {
    /// The name under which it is published.
    pub id: String,
    /// The private key.
    pub private: Zeroizing<Vec<u8>>,
    /// When it was made.
    pub created_at: Timestamp,
}

impl fmt::Debug for OpenedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The keys that there are.
#[derive(Debug, Clone)]
pub struct SigningKeys {
    /// Those that can be used, oldest first.
    pub keys: Vec<OpenedKey>,
    /// How many were sealed with another secret and cannot.
    pub sealed_otherwise: usize,
    /// Whether the new one is among them.
    pub made: bool,
}

/// The keys after those that are over were forgotten and, where it is time for one, the new one was kept.
/// A key that was sealed with another secret counts as none, and stays.
pub fn signing_keys(
    tx: &mut dyn SystemTx,
    secret: &Secret,
    now: Timestamp,
    new: &NewSigningKey,
) -> StoreResult<SigningKeys> {
    let kept = tx.signing_keys()?;
    let mut keys: Vec<OpenedKey> = kept.iter().filter_map(|key| open(key, secret)).collect();
    let sealed_otherwise = kept.len() - keys.len();
    let made_at: Vec<Timestamp> = keys.iter().map(|key| key.created_at).collect();
    let plan = plan(&made_at, now);
    for key in keys.drain(..plan.forget) {
        tx.signing_key_delete(&key.id)?;
    }
    if plan.make {
        let sealed = secret.seal_bytes(&context(&new.id), &new.private, new.nonce);
        tx.signing_key_insert(&SigningKey { id: new.id.clone(), sealed, created_at: now })?;
        let (id, private) = (new.id.clone(), new.private.clone());
        keys.push(OpenedKey { id, private, created_at: now });
    }
    Ok(SigningKeys { keys, sealed_otherwise, made: plan.make })
}

fn open(key: &SigningKey, secret: &Secret) -> Option<OpenedKey> {
    let private = secret.open_bytes(&context(&key.id), &key.sealed)?;
    Some(OpenedKey { id: key.id.clone(), private, created_at: key.created_at })
}

/// A key is sealed under its name, so that none can be put in the place of another.
fn context(id: &str) -> String {
    format!("signing key {id}")
}
