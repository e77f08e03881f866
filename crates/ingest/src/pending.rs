//! Readings that are acknowledged and not yet settled, so that a repeat of one is told apart.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use weir_domain::{DeviceKey, Reading, Timestamp, Volume};

/// How many are remembered. Past that, while the store is away for long, a repeat may go without its
/// flag; it is stored once all the same.
const CAPACITY: usize = 1_000_000;

const SHARDS: usize = 16;

type Key = (DeviceKey, Timestamp, Volume);

/// The readings on their way from the spool to the store.
#[derive(Debug, Default)]
pub struct Pending {
    shards: [Mutex<HashSet<Key>>; SHARDS],
}

impl Pending {
    /// Adds a reading; false where it was there already.
    pub fn add(&self, device: DeviceKey, reading: &Reading) -> bool {
        let mut shard = self.shard(device);
        let key = (device, reading.time, reading.volume);
        if shard.len() >= CAPACITY / SHARDS {
            return !shard.contains(&key);
        }
        shard.insert(key)
    }

    /// Takes a reading out again: it is settled, or was never acknowledged.
    pub fn remove(&self, device: DeviceKey, reading: &Reading) {
        self.shard(device).remove(&(device, reading.time, reading.volume));
    }

    fn shard(&self, device: DeviceKey) -> std::sync::MutexGuard<'_, HashSet<Key>> {
        let shard = &self.shards[device.0.rem_euclid(SHARDS as i64) as usize];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(litres: i64) -> Reading {
        let time = Timestamp::from_micros(litres);
        Reading { time, volume: Volume::from_millilitres(litres * 1_000), battery: None }
    }

    #[test]
    fn a_repeat_is_told_until_the_first_is_settled() {
        let (pending, device) = (Pending::default(), DeviceKey(1));
        assert!(pending.add(device, &reading(1)) && !pending.add(device, &reading(1)));
        assert!(pending.add(DeviceKey(2), &reading(1)));
        pending.remove(device, &reading(1));
        assert!(pending.add(device, &reading(1)));
    }

    #[test]
    fn while_the_store_is_away_for_long_no_more_than_so_many_are_remembered() {
        let (pending, device) = (Pending::default(), DeviceKey(1));
        let share = (CAPACITY / SHARDS) as i64;
        (0..share + 1_000).for_each(|litres| assert!(pending.add(device, &reading(litres))));
        assert_eq!(pending.shard(device).len() as i64, share);
        assert!(!pending.add(device, &reading(0)), "the first ones are still known");
        assert!(pending.add(device, &reading(share)), "the last ones never were");
    }
}
