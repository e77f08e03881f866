//! API keys of a reseller, as an operator manages them, and its own members.

use weir_domain::{ApiKeyId, Name, Refusal, ResellerId};
use weir_store::{ApiKey, Change, ReadTx, SystemTx};

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
        last_used_at: None,
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
    let key = find(scoped, name)?;
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

/// The keys, oldest first.
pub fn list(tx: &mut dyn ReadTx) -> AppResult<Vec<ApiKey>> {
    Ok(tx.api_keys()?)
}

/// The text of the key of that name, for showing it to its owner. None where it was sealed with another
/// secret than the server has now: then it opens nothing either.
pub fn reveal(tx: &mut dyn ReadTx, secret: &Secret, name: &Name) -> AppResult<Option<ApiKeyText>> {
    Ok(secret.open(&find(tx, name)?.sealed))
}

fn find(tx: &mut dyn ReadTx, name: &Name) -> AppResult<ApiKey> {
    let known = tx.api_keys()?.into_iter().find(|known| known.name == *name);
    Ok(known.ok_or_else(|| Refusal::ApiKeyNotFound(name.to_string()))?)
}
