//! When API keys were last used.
//!
//! An uplink has no time for this: it leaves a mark on its key, which costs a look at memory, and nothing
//! more once the mark is there. Marks are gathered now and then, and only then the clock is looked at; so a
//! use is known to the span between two gatherings, and later rather than earlier.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use weir_domain::{ApiKeyId, ResellerId, Timestamp};
use weir_store::{Db, Purpose, StoreError};

/// How many keys are written in one transaction, so that others do not wait behind it for long.
const AT_ONCE: usize = 500;

/// Which key, and whose.
pub(super) type Key = (ResellerId, ApiKeyId);

/// Whether a key was used since marks were last gathered.
#[derive(Debug, Default)]
pub(super) struct Mark(AtomicBool);

impl Mark {
    /// The key was used. Written only where it was not before: processors share what none of them writes.
    pub(super) fn leave(&self) {
        if !self.0.load(Ordering::Relaxed) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

/// The marks of all keys that this node has seen, and the uses that the store does not know yet.
#[derive(Default)]
pub(super) struct Uses(Mutex<State>);

#[derive(Default)]
struct State {
    marks: HashMap<Key, Arc<Mark>>,
    unwritten: BTreeMap<Key, Timestamp>,
}

impl Uses {
    /// Where a use of that key is marked. A key that is forgotten and seen again has the same mark.
    pub(super) fn mark_of(&self, key: Key) -> Arc<Mark> {
        self.state().marks.entry(key).or_default().clone()
    }

    /// Writes what was used until now into the store. What cannot be written is tried again next time, as
    /// the moment that it was gathered at.
    pub(super) async fn write(&self, db: &Db, now: Timestamp) -> Result<(), StoreError> {
        let gathered = self.gather(now);
        for some in gathered.chunks(AT_ONCE) {
            let uses = some.to_vec();
            let written = db.system(Purpose::Authenticate, move |tx| {
                for of_one in uses.chunk_by(|(one, _), (other, _)| one.0 == other.0) {
                    let keys: Vec<_> = of_one.iter().map(|((_, key), at)| (*key, *at)).collect();
                    tx.scoped(of_one[0].0.0)?.api_keys_used(&keys)?;
                }
                Ok::<_, StoreError>(())
            });
            written.await?;
            let mut state = self.state();
            for (key, at) in some {
                if state.unwritten.get(key) == Some(at) {
                    state.unwritten.remove(key);
                }
            }
        }
        Ok(())
    }

    /// All that the store does not know yet, by reseller.
    fn gather(&self, now: Timestamp) -> Vec<(Key, Timestamp)> {
        let mut state = self.state();
        let State { marks, unwritten } = &mut *state;
        unwritten.extend(marks.iter().filter(|(_, mark)| mark.take()).map(|(key, _)| (*key, now)));
        // Nobody leaves a mark any more where nobody holds it; the last one may just have been left.
        marks.retain(|_, mark| Arc::get_mut(mark).is_none_or(|mark| *mark.0.get_mut()));
        unwritten.iter().map(|(key, at)| (*key, *at)).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn key(number: u128) -> Key {
        let id = Uuid::from_u128(number);
        (ResellerId::from_uuid(id), ApiKeyId::from_uuid(id))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    #[test]
    fn a_use_is_of_the_moment_that_it_was_gathered_at() {
        let uses = Uses::default();
        let (one, other) = (uses.mark_of(key(1)), uses.mark_of(key(2)));
        assert_eq!(uses.gather(at(1)), []);
        one.leave();
        one.leave();
        assert_eq!(uses.gather(at(2)), [(key(1), at(2))]);
        other.leave();
        assert_eq!(uses.gather(at(3)), [(key(1), at(2)), (key(2), at(3))], "none is written yet");
        one.leave();
        assert_eq!(uses.gather(at(4)), [(key(1), at(4)), (key(2), at(3))]);
    }

    #[test]
    fn a_key_that_is_forgotten_was_used_all_the_same() {
        let uses = Uses::default();
        uses.mark_of(key(1)).leave();
        uses.mark_of(key(1)).leave();
        assert_eq!(uses.gather(at(1)), [(key(1), at(1))]);
        assert!(uses.state().marks.is_empty(), "nobody holds it any more");
    }
}
