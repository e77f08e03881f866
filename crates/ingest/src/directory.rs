//! Which device of which reseller goes by an EUI, in memory.
//!
//! It never holds an "unknown": a device that is registered a moment later must be found. Changes
//! drop what they concern; where news may have been missed, entries are asked for again before they
//! are trusted, and still count while the store is away.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use weir_domain::{Device, DeviceId, DeviceKey, Eui, ResellerId, SpoolId, Timestamp};
use weir_store::{Change, Db, Listener, Scope, StoreError};

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
    /// The newest reading time known, settled or not.
    newest: AtomicI64,
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
    db: Db,
    spool: SpoolId,
    known: RwLock<Known>,
    /// Counts news: what was read from the store before the latest is not kept.
    news: AtomicU64,
}

#[derive(Default)]
struct Known {
    by_eui: HashMap<Key, Slot>,
    /// The way back, for changes that name devices by number.
    by_device: HashMap<DeviceKey, Key>,
}

struct Slot {
    entry: Arc<Entry>,
    /// Whether news may have been missed since.
    stale: bool,
}

impl Directory {
    /// A directory over a store, which it listens to, for the node with that spool.
    pub fn new(db: Db, spool: SpoolId) -> Arc<Self> {
        let known = RwLock::default();
        let directory = Arc::new(Self { db, spool, known, news: AtomicU64::new(0) });
        directory.db.listen(directory.clone());
        directory
    }

    /// The caller's device that goes by an EUI: the live one, else the one deleted last.
    pub async fn find(&self, scope: &Scope, eui: Eui) -> Result<Option<Arc<Entry>>, StoreError> {
        let key = (scope.reseller(), eui.bits());
        let remembered = self.recall(&key);
        if let Some((entry, false)) = remembered {
            return Ok(Some(entry));
        }
        let news = self.news.load(Ordering::Acquire);
        let asked = self.db.read(scope, move |tx| match tx.device_live_by_eui(eui)? {
            Some(live) => Ok(Some(live)),
            None => tx.device_last_deleted_by_eui(eui),
        });
        match (asked.await, remembered) {
            (Ok(None), _) => Ok(None),
            (Ok(Some(device)), remembered) => {
                let entry = Arc::new(entry_of(&device, remembered.map(|(entry, _)| entry)));
                self.remember(key, &entry, news);
                Ok(Some(entry))
            }
            (Err(error), Some((entry, _))) if error.is_passing() => Ok(Some(entry)),
            (Err(error), _) => Err(error),
        }
    }

    fn recall(&self, key: &Key) -> Option<(Arc<Entry>, bool)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.by_eui.get(key).map(|slot| (slot.entry.clone(), slot.stale))
    }

    fn remember(&self, key: Key, entry: &Arc<Entry>, news: u64) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if self.news.load(Ordering::Acquire) == news {
            known.by_device.insert(entry.key, key);
            known.by_eui.insert(key, Slot { entry: entry.clone(), stale: false });
        }
    }

    /// Changes what is known, and keeps out what is being read from the store meanwhile.
    fn revise(&self, change: impl FnOnce(&mut Known)) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        self.news.fetch_add(1, Ordering::AcqRel);
        change(&mut known);
    }
}

/// An entry for a device; what this node has seen of it and not settled is not in the store yet.
fn entry_of(device: &Device, before: Option<Arc<Entry>>) -> Entry {
    let stored = device.telemetry.newest_reading_at.map_or(i64::MIN, Timestamp::micros);
    let seen = before.filter(|entry| entry.key == device.key);
    let seen = seen.map_or(i64::MIN, |entry| entry.newest.load(Ordering::Acquire));
    Entry {
        key: device.key,
        id: device.id,
        dev_eui: device.dev_eui,
        is_live: device.is_live(),
        newest: AtomicI64::new(stored.max(seen)),
    }
}

impl Listener for Directory {
    fn changed(&self, change: &Change) {
        match change {
            Change::Device(reseller, eui) => self.revise(|known| {
                if let Some(slot) = known.by_eui.remove(&(*reseller, eui.bits())) {
                    known.by_device.remove(&slot.entry.key);
                }
            }),
            Change::Reseller(reseller) => self.revise(|known| {
                known.by_eui.retain(|(owner, _), _| owner != reseller);
                known.by_device.retain(|_, (owner, _)| owner != reseller);
            }),
            Change::Settled(spool, _) if *spool == self.spool => {}
            Change::Settled(_, devices) => self.revise(|known| {
                for device in devices {
                    let slot =
                        known.by_device.get(device).and_then(|key| known.by_eui.get_mut(key));
                    if let Some(slot) = slot {
                        slot.stale = true;
                    }
                }
            }),
        }
    }

    fn missed(&self) {
        self.revise(|known| known.by_eui.values_mut().for_each(|slot| slot.stale = true));
    }
}
