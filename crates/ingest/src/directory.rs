//! Which device of which reseller goes by an EUI, in memory.
//!
//! It never holds an "unknown": a device that is registered a moment later must be found. What changes
//! concern, and everything where news may have been missed, is asked for again before it is trusted,
//! and still counts while the store is away: a reading that goes to a device as it was a moment ago is
//! better than one that is lost.

mod lookup;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use weir_domain::{Device, DeviceId, DeviceKey, Eui, ResellerId, SpoolId, Timestamp};
use weir_store::{Change, Db, Listener, Scope, StoreError};

use crate::prompt::promptly;
use lookup::Lookups;

/// A device as ingestion needs it.
#[derive(Debug)]
pub struct Entry {
    /// The store's number for it.
    pub key: DeviceKey,
    /// Its id.
    pub id: DeviceId,
    /// Its EUI as it was registered.
    pub dev_eui: Eui,
    /// Whether it is live; else it is the one of that EUI that was deleted last.
    pub is_live: bool,
    /// The newest reading time known, settled or not. All entries of a device share it.
    newest: Arc<AtomicI64>,
}

impl Entry {
    /// Notes a reading time; whether it is newer than all that are known, so that the reading cannot
    /// be a repeat.
    pub fn note(&self, time: Timestamp) -> bool {
        self.newest.fetch_max(time.micros(), Ordering::AcqRel) < time.micros()
    }
}

type Key = (ResellerId, u64);

/// The devices that this node has heard from since it started.
pub struct Directory {
    lookups: Arc<Lookups>,
    spool: SpoolId,
    known: RwLock<Known>,
    /// Counts news: what was read from the store before the latest is not trusted.
    news: AtomicU64,
}

#[derive(Default)]
struct Known {
    by_eui: HashMap<Key, Slot>,
    /// The way back, for changes that name devices by number.
    by_device: HashMap<DeviceKey, Key>,
    /// The newest reading times, which outlive entries that are read again.
    newest: HashMap<DeviceKey, Arc<AtomicI64>>,
}

struct Slot {
    entry: Arc<Entry>,
    /// Whether it has to be asked for again.
    stale: bool,
}

impl Directory {
    /// A directory over a store, which it listens to, for the node with that spool.
    pub fn new(db: &Db, spool: SpoolId) -> Arc<Self> {
        let lookups = Lookups::new(db.clone());
        let known = RwLock::default();
        let directory = Arc::new(Self { lookups, spool, known, news: AtomicU64::new(0) });
        db.listen(directory.clone());
        directory
    }

    /// The caller's device that goes by an EUI: the live one, else the one deleted last.
    pub async fn find(&self, scope: &Scope, eui: Eui) -> Result<Option<Arc<Entry>>, StoreError> {
        let key = (scope.reseller(), eui.bits());
        match self.recall(&key) {
            Some((entry, false)) => Ok(Some(entry)),
            remembered => Box::pin(self.ask(scope, eui, remembered)).await,
        }
    }

    /// Asks the store for a device, of which something may be remembered that is in doubt.
    async fn ask(
        &self,
        scope: &Scope,
        eui: Eui,
        remembered: Option<(Arc<Entry>, bool)>,
    ) -> Result<Option<Arc<Entry>>, StoreError> {
        let key = (scope.reseller(), eui.bits());
        let news = self.news.load(Ordering::Acquire);
        let asked = self.lookups.find(scope, eui);
        let found = match remembered {
            Some(_) => promptly(asked).await,
            None => asked.await,
        };
        match (found, remembered) {
            (Ok(None), _) => {
                self.forget(&key, news);
                Ok(None)
            }
            (Ok(Some(device)), _) => Ok(Some(self.remember(key, &device, news))),
            (Err(error), Some((entry, _))) if error.is_passing() => Ok(Some(entry)),
            (Err(error), _) => Err(error),
        }
    }

    fn recall(&self, key: &Key) -> Option<(Arc<Entry>, bool)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_eui.get(key).map(|slot| (slot.entry.clone(), slot.stale))
    }

    fn remember(&self, key: Key, device: &Device, news: u64) -> Arc<Entry> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let entry = Arc::new(known.entry_of(device));
        let stale = self.news.load(Ordering::Acquire) != news;
        // What is older than the news is still better than nothing, should the store go away now.
        if !stale || !known.by_eui.contains_key(&key) {
            known.insert(key, Slot { entry: entry.clone(), stale });
        }
        entry
    }

    fn forget(&self, key: &Key, news: u64) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if self.news.load(Ordering::Acquire) == news {
            known.remove(key);
        }
    }

    /// Changes what is known, and keeps out what is being read from the store meanwhile.
    fn revise(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        self.news.fetch_add(1, Ordering::AcqRel);
        change(&mut known);
    }
}

impl Known {
    /// An entry for a device; what this node has seen of it and not settled is not in the store yet.
    fn entry_of(&mut self, device: &Device) -> Entry {
        let stored = device.telemetry.newest_reading_at.map_or(i64::MIN, Timestamp::micros);
        let newest = self.newest.entry(device.key).or_insert_with(|| Arc::new(stored.into()));
        newest.fetch_max(stored, Ordering::AcqRel);
        Entry {
            key: device.key,
            id: device.id,
            dev_eui: device.dev_eui,
            is_live: device.is_live(),
            newest: newest.clone(),
        }
    }

    fn insert(&mut self, key: Key, slot: Slot) {
        if self.by_eui.get(&key).is_some_and(|known| known.entry.key != slot.entry.key) {
            self.remove(&key);
        }
        self.by_device.insert(slot.entry.key, key);
        self.by_eui.insert(key, slot);
    }

    fn remove(&mut self, key: &Key) {
        if let Some(slot) = self.by_eui.remove(key) {
            self.by_device.remove(&slot.entry.key);
            self.newest.remove(&slot.entry.key);
        }
    }

    fn doubt(&mut self, key: &Key) {
        if let Some(slot) = self.by_eui.get_mut(key) {
            slot.stale = true;
        }
    }
}

impl Listener for Directory {
    fn changed(&self, change: &Change) {
        match change {
            Change::Device(reseller, eui) => {
                self.revise(|known| known.doubt(&(*reseller, eui.bits())));
            }
            Change::Reseller(reseller) => self.revise(|known| {
                let slots = known.by_eui.iter_mut().filter(|((owner, _), _)| owner == reseller);
                slots.for_each(|(_, slot)| slot.stale = true);
            }),
            // What this node settled it had noted before.
            Change::Settled(spool, _) if *spool == self.spool => {}
            Change::Settled(_, devices) => self.revise(|known| {
                for device in devices {
                    if let Some(key) = known.by_device.get(device).copied() {
                        known.doubt(&key);
                    }
                }
            }),
        }
    }

    fn missed(&self) {
        self.revise(|known| known.by_eui.values_mut().for_each(|slot| slot.stale = true));
    }
}
