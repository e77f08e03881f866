//! The keys that tokens are signed with, as this node knows them.

use std::sync::{Arc, PoisonError, RwLock, Weak};

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey};
use weir_app::Env;
use weir_app::credentials::{NONCE, Secret};
use weir_app::sign_in::{self, NewSigningKey, OpenedKey};
use weir_domain::Timestamp;
use weir_domain::sign_in::signer;
use weir_store::{Db, Purpose, SystemTx};
use zeroize::Zeroizing;

use super::{FRESH, NotSignedIn, Provider};

/// A key as it is used.
pub(super) struct Key {
    pub(super) id: String,
    pub(super) private: EncodingKey,
    public: Jwk,
    created_at: Timestamp,
}

/// The keys there are, oldest first.
#[derive(Default)]
pub(super) struct KeySet(Vec<Key>);

impl KeySet {
    /// The key that signs now.
    pub(super) fn signer(&self, now: Timestamp) -> Option<&Key> {
        let made_at: Vec<Timestamp> = self.0.iter().map(|key| key.created_at).collect();
        signer(&made_at, now).and_then(|index| self.0.get(index))
    }

    /// The public halves of all.
    pub(super) fn published(&self) -> JwkSet {
        JwkSet { keys: self.0.iter().map(|key| key.public.clone()).collect() }
    }
}

/// The keys of the store, read at most once a minute. What cannot be read then stays in use.
pub(super) struct SigningKeys {
    db: Db,
    env: Env,
    secret: Secret,
    held: RwLock<Held>,
    /// Whoever reads them, alone.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default, Clone)]
struct Held {
    keys: Arc<KeySet>,
    read_at: Option<Timestamp>,
}

impl SigningKeys {
    pub(super) fn new(db: Db, env: Env, secret: Secret) -> Self {
        Self { db, env, secret, held: RwLock::default(), reading: tokio::sync::Mutex::default() }
    }

    /// The keys, as they were within the last minute.
    pub(super) async fn fresh(&self) -> Result<Arc<KeySet>, NotSignedIn> {
        if let Some(keys) = self.if_fresh() {
            return Ok(keys);
        }
        let _alone = self.reading.lock().await;
        if let Some(keys) = self.if_fresh() {
            return Ok(keys);
        }
        let keys = match self.read().await {
            Ok(keys) => Arc::new(keys),
            Err(error) => {
                let old = self.held().keys;
                if old.0.is_empty() {
                    return Err(error);
                }
                tracing::warn!(%error, "signing keys cannot be read; those that are known stay in use");
                old
            }
        };
        *self.held.write().unwrap_or_else(PoisonError::into_inner) =
            Held { keys: keys.clone(), read_at: Some(self.env.now()) };
        Ok(keys)
    }

    fn if_fresh(&self) -> Option<Arc<KeySet>> {
        let (held, now) = (self.held(), self.env.now());
        let is_fresh = |at: Timestamp| at <= now && now < at.plus(FRESH);
        held.read_at.is_some_and(is_fresh).then_some(held.keys)
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the keys, and makes and forgets them as it is time to.
    async fn read(&self) -> Result<KeySet, NotSignedIn> {
        let mut found = self.ask().await?;
        if found.made {
            tracing::info!("a new signing key was made");
            // Another node may have made one at the same moment; both then go by the older one.
            found = self.ask().await?;
        }
        if found.sealed_otherwise > 0 {
            let keys = found.sealed_otherwise;
            tracing::warn!(keys, "signing keys were sealed with another secret and are of no use");
        }
        found.keys.iter().map(usable).collect::<Result<_, _>>().map(KeySet)
    }

    async fn ask(&self) -> Result<sign_in::SigningKeys, NotSignedIn> {
        let (secret, now, new) = (self.secret.clone(), self.env.now(), make()?);
        let ask = move |tx: &mut dyn SystemTx| sign_in::signing_keys(tx, &secret, now, &new);
        Ok(self.db.system(Purpose::SignIn, ask).await?)
    }
}

/// Sees to it that keys are made in time, also while nobody signs in. Ends with the provider.
pub(super) async fn keep_fresh(provider: Weak<Provider>) {
    while let Some(provider) = provider.upgrade() {
        if let Err(error) = provider.keys.fresh().await {
            tracing::warn!(%error, "signing keys cannot be read; nobody can sign in until they can");
        }
        drop(provider);
        tokio::time::sleep(FRESH).await;
    }
}

/// A new key, named by its thumbprint.
fn make() -> Result<NewSigningKey, NotSignedIn> {
    let broken = || NotSignedIn::Broken("no signing key can be made".to_owned());
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| broken())?;
    let document = pair.to_pkcs8v1().map_err(|_| broken())?;
    let private = Zeroizing::new(document.as_ref().to_vec());
    let public = public(&EncodingKey::from_ec_der(&private))?;
    let id = public.thumbprint(ThumbprintHash::SHA256).map_err(|_| broken())?;
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce)?;
    Ok(NewSigningKey { id, private, nonce })
}

fn usable(key: &OpenedKey) -> Result<Key, NotSignedIn> {
    let private = EncodingKey::from_ec_der(&key.private);
    let mut public = public(&private)?;
    public.common.key_id = Some(key.id.clone());
    public.common.public_key_use = Some(PublicKeyUse::Signature);
    Ok(Key { id: key.id.clone(), private, public, created_at: key.created_at })
}

fn public(private: &EncodingKey) -> Result<Jwk, NotSignedIn> {
    Jwk::from_encoding_key(private, Algorithm::ES256)
        .map_err(|error| NotSignedIn::Broken(format!("a signing key is none: {error}")))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_key_is_published_without_its_private_half() {
        let new = make().unwrap();
        let created_at = Timestamp::from_micros(0);
        let key = OpenedKey { id: new.id.clone(), private: new.private, created_at };
        let set = KeySet(vec![usable(&key).unwrap()]);
        let published = serde_json::to_value(set.published()).unwrap();
        let key = published["keys"][0].as_object().unwrap();
        let mut names: Vec<&str> = key.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["alg", "crv", "kid", "kty", "use", "x", "y"]);
        let text = |name: &str| key[name].as_str().unwrap().to_owned();
        assert_eq!(
            [text("alg"), text("crv"), text("kty"), text("use")],
            ["ES256", "P-256", "EC", "sig"]
        );
        assert_eq!((text("kid"), new.id.len()), (new.id.clone(), 43));
        assert_eq!(published["keys"].as_array().map(Vec::len), Some(1));
        assert!(!published.to_string().contains("\"d\""));
        assert_ne!(make().unwrap().id, new.id);
        assert_eq!(published["keys"][0]["kid"], Value::from(new.id));
    }
}
