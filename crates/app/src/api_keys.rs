//! API keys of a reseller, as an operator manages them.

use weir_domain::{ApiKeyId, Name, Refusal, ResellerId};
use weir_store::{ApiKey, Change, SystemTx};

use crate::credentials::{ApiKeyText, Secret};
use crate::{AppResult, Env};

/// The chance that a new key is made of, drawn before the transaction since that may run twice.
#[derive(Clone)]
pub struct Minting {
    /// The key.
    pub key: [u8; 32],
    /// The nonce it is sealed with.
    pub nonce: [u8; 24],
}

impl Minting {
    /// Draws from the system's source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut minting = Self { key: [0; 32], nonce: [0; 24] };
        getrandom::fill(&mut minting.key)?;
        getrandom::fill(&mut minting.nonce)?;
        Ok(minting)
    }
}

/// Creates a key. Refused where the reseller has one of that name.
pub fn create(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    reseller: ResellerId,
    name: &Name,
    minting: &Minting,
) -> AppResult<ApiKeyText> {
    let text = ApiKeyText::from_random(&minting.key);
    let now = env.now();
    let key = ApiKey {
        id: ApiKeyId::from_uuid(env.ids.next(now)),
        name: name.clone(),
        sealed: secret.seal(&text, minting.nonce),
        created_at: now,
    };
    let scoped = tx.scoped(reseller)?;
    if scoped.api_keys()?.iter().any(|known| known.name == *name) {
        return Err(Refusal::ApiKeyNameTaken(name.to_string()).into());
    }
    scoped.api_key_insert(&key)?;
    scoped.announce(Change::Reseller(reseller))?;
    tx.api_key_publish(&secret.hash(&text), reseller, key.id)?;
    Ok(text)
}

/// Revokes the key of that name: it opens nothing from now on.
pub fn revoke(tx: &mut dyn SystemTx, reseller: ResellerId, name: &Name) -> AppResult<ApiKey> {
    let scoped = tx.scoped(reseller)?;
    let known = scoped.api_keys()?.into_iter().find(|known| known.name == *name);
    let key = known.ok_or_else(|| Refusal::ApiKeyNotFound(name.to_string()))?;
    scoped.api_key_delete(key.id)?;
    scoped.announce(Change::Reseller(reseller))?;
    tx.api_key_withdraw(reseller, key.id)?;
    Ok(key)
}

/// Replaces the key of that name by a new one of the same name.
pub fn rotate(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    reseller: ResellerId,
    name: &Name,
    minting: &Minting,
) -> AppResult<ApiKeyText> {
    revoke(tx, reseller, name)?;
    create(tx, env, secret, reseller, name, minting)
}

/// The keys of a reseller, oldest first.
pub fn list(tx: &mut dyn SystemTx, reseller: ResellerId) -> AppResult<Vec<ApiKey>> {
    Ok(tx.scoped(reseller)?.api_keys()?)
}
