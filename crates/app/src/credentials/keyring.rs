//! Telling whose an API key is.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use weir_domain::{ResellerId, Timestamp};
use weir_store::{Change, Db, KeyHash, Listener, Purpose, StoreError};

use super::uses::{Key, Mark, Uses};
use super::{ApiKeyText, Caller, Secret};

/// Why nobody is let in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unauthenticated {
    /// The key opens nothing.
    #[error("The API key is missing or not valid.")]
    UnknownKey,
    /// The store is needed to tell, and is away.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The API keys that this node has seen, so that an uplink costs no query.
///
/// Keys change rarely and are told by [`Listener`]; what was seen before news may have been missed is
/// asked for again, and still counts while the store is away. Unknown keys are never remembered.
pub struct Keyring {
    db: Db,
    secret: Secret,
    seen: RwLock<HashMap<KeyHash, Seen>>,
    uses: Uses,
    /// Counts news: what was read from the store before the latest is not trusted.
    news: AtomicU64,
}

struct Seen {
    caller: Arc<Caller>,
    used: Arc<Mark>,
    /// Whether news may have been missed since.
    stale: bool,
}

impl Keyring {
    /// A keyring over a store, which it listens to.
    pub fn new(db: Db, secret: Secret) -> Arc<Self> {
        let (seen, uses, news) = (RwLock::default(), Uses::default(), AtomicU64::new(0));
        let keyring = Arc::new(Self { db, secret, seen, uses, news });
        keyring.db.listen(keyring.clone());
        keyring
    }

    /// The secret that keys are hashed and sealed with.
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Writes into the store which keys were used since this was last called, as used now. What the
    /// store knows never moves back, so any number of nodes may do it.
    pub async fn note_uses(&self, now: Timestamp) -> Result<(), StoreError> {
        self.uses.write(&self.db, now).await
    }

    /// Whose key this is. Whoever it is has used it.
    pub async fn authenticate(&self, presented: &str) -> Result<Arc<Caller>, Unauthenticated> {
        let key = ApiKeyText::parse(presented).ok_or(Unauthenticated::UnknownKey)?;
        let hash = self.secret.hash(&key);
        let remembered = self.recall(&hash);
        if let Some((caller, false)) = remembered {
            return Ok(caller);
        }
        let news = self.news.load(Ordering::Acquire);
        match (self.ask(hash).await, remembered) {
            (Ok(Some((key, caller))), _) => {
                self.remember(hash, key, &caller, news);
                Ok(caller)
            }
            (Ok(None), _) => {
                self.forget(|seen, _| seen == &hash);
                Err(Unauthenticated::UnknownKey)
            }
            // While the store is away, what was valid stays valid.
            (Err(error), Some((caller, _))) if error.is_passing() => Ok(caller),
            (Err(error), _) => Err(error.into()),
        }
    }

    async fn ask(&self, hash: KeyHash) -> Result<Option<(Key, Arc<Caller>)>, StoreError> {
        self.db
            .system(Purpose::Authenticate, move |tx| {
                let Some((reseller_id, key_id)) = tx.api_key_owner(&hash)? else { return Ok(None) };
                let tx = tx.scoped(reseller_id)?;
                let Some(reseller) = tx.reseller()?.filter(|reseller| !reseller.is_closing) else {
                    return Ok(None);
                };
                let key = tx.api_keys()?.into_iter().find(|key| key.id == key_id);
                Ok(key.map(|key| {
                    let caller = Caller::with_key(reseller, key.name.as_str());
                    ((reseller_id, key_id), Arc::new(caller))
                }))
            })
            .await
    }

    /// What is remembered of a key, which somebody has just used. Should it turn out to be one no more,
    /// the store passes its use over.
    fn recall(&self, hash: &KeyHash) -> Option<(Arc<Caller>, bool)> {
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        let seen = seen.get(hash)?;
        seen.used.leave();
        Some((seen.caller.clone(), seen.stale))
    }

    /// Keeps what was found. Where news came while it was asked for, it is asked for again before it
    /// is trusted, and still counts should the store go away just then.
    fn remember(&self, hash: KeyHash, key: Key, caller: &Arc<Caller>, news: u64) {
        let used = self.uses.mark_of(key);
        used.leave();
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        let stale = self.news.load(Ordering::Acquire) != news;
        seen.insert(hash, Seen { caller: caller.clone(), used, stale });
    }

    fn forget(&self, mut which: impl FnMut(&KeyHash, &Seen) -> bool) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        self.news.fetch_add(1, Ordering::AcqRel);
        seen.retain(|hash, seen| !which(hash, seen));
    }

    fn forget_reseller(&self, reseller: ResellerId) {
        self.forget(|_, seen| seen.caller.reseller.id == reseller);
    }
}

impl Listener for Keyring {
    fn changed(&self, change: &Change) {
        if let Change::Reseller(reseller) = change {
            self.forget_reseller(*reseller);
        }
    }

    fn missed(&self) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        self.news.fetch_add(1, Ordering::AcqRel);
        seen.values_mut().for_each(|seen| seen.stale = true);
    }
}
