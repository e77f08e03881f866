//! How much of something limited each reseller holds, so that one who floods leaves room for the
//! others.
//!
//! A reseller may hold so many times what is still free: `greed` times. Alone, a flooder gets
//! `greed / (greed + 1)` of all there is; two of them share; and whoever holds little always finds
//! some room, since what is free shrinks for those who hold much before it is gone for those who do
//! not. So the flooder is refused first, without anybody having to say what a flood is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use weir_domain::ResellerId;

/// Who holds how much of something limited.
#[derive(Debug)]
pub struct Shares {
    capacity: u64,
    greed: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    held: u64,
    by_reseller: HashMap<ResellerId, Held>,
}

#[derive(Debug, Default)]
struct Held {
    records: u64,
    /// The last sequence in the spool that is known to be among them.
    last: u64,
}

/// One place that a reseller holds. Dropped, it is free again.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    reseller: ResellerId,
    is_kept: bool,
}

impl Shares {
    /// Nobody holds anything of `capacity` places; each may hold `greed` times what is free.
    pub fn new(capacity: u64, greed: u64) -> Arc<Self> {
        Arc::new(Self { capacity, greed, state: Mutex::default() })
    }

    /// One more place for a reseller, unless there are too few left for one who holds so many.
    pub fn take(self: &Arc<Self>, reseller: ResellerId) -> Option<Share> {
        let state = &mut *self.state();
        let free = self.capacity.saturating_sub(state.held);
        let held = state.by_reseller.entry(reseller).or_default();
        if held.records >= free.saturating_mul(self.greed) {
            if held.records == 0 {
                state.by_reseller.remove(&reseller);
            }
            return None;
        }
        state.held += 1;
        held.records += 1;
        Some(Share { shares: self.clone(), reseller, is_kept: false })
    }

    /// Frees places that were kept.
    pub fn give_back(&self, reseller: ResellerId, records: u64) {
        let mut state = self.state();
        let Some(held) = state.by_reseller.get_mut(&reseller) else { return };
        let freed = records.min(held.records);
        held.records -= freed;
        if held.records == 0 {
            state.by_reseller.remove(&reseller);
        }
        state.held -= freed;
    }

    /// The last record of a reseller that was kept and is not given back; 0 where there is none.
    pub fn last(&self, reseller: ResellerId) -> u64 {
        self.state().by_reseller.get(&reseller).map_or(0, |held| held.last)
    }

    /// Changed by single statements that cannot panic halfway.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    /// The place is held, by the record of that sequence, until it is given back.
    pub fn keep(mut self, sequence: u64) {
        self.is_kept = true;
        // It may have been given back already: whoever gives back does not wait for this.
        if let Some(held) = self.shares.state().by_reseller.get_mut(&self.reseller) {
            held.last = held.last.max(sequence);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if !self.is_kept {
            self.shares.give_back(self.reseller, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn reseller(number: u128) -> ResellerId {
        ResellerId::from_uuid(Uuid::from_u128(number))
    }

    /// Takes for a reseller until it is refused, and says how many places it got.
    fn flood(shares: &Arc<Shares>, number: u128) -> u64 {
        let kept = std::iter::from_fn(|| shares.take(reseller(number)));
        kept.map(|share| share.keep(1)).count() as u64
    }

    #[test]
    fn a_flooder_leaves_room_and_is_refused_first() {
        let shares = Shares::new(1_000, 4);
        assert_eq!(flood(&shares, 1), 800);
        let newcomer = shares.take(reseller(2));
        assert!(newcomer.is_some() && shares.take(reseller(1)).is_none());
        assert!(flood(&shares, 2) > 0 && shares.take(reseller(3)).is_some());
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let shares = Shares::new(10, 1);
        assert_eq!(flood(&shares, 1), 5);
        shares.give_back(reseller(1), 2);
        assert_eq!(flood(&shares, 1), 2);
        drop(shares.take(reseller(2)));
        shares.give_back(reseller(1), 99);
        shares.give_back(reseller(2), 99);
        assert_eq!(flood(&shares, 3), 5);
    }

    #[test]
    fn the_last_record_is_known_until_all_are_given_back() {
        let shares = Shares::new(10, 8);
        let (first, second) =
            (shares.take(reseller(1)).unwrap(), shares.take(reseller(1)).unwrap());
        assert_eq!(shares.last(reseller(1)), 0);
        second.keep(7);
        first.keep(6);
        assert_eq!((shares.last(reseller(1)), shares.last(reseller(2))), (7, 0));
        shares.give_back(reseller(1), 1);
        assert_eq!(shares.last(reseller(1)), 7);
        shares.give_back(reseller(1), 1);
        assert_eq!(shares.last(reseller(1)), 0);
    }

    #[test]
    fn a_record_may_be_settled_before_it_is_answered() {
        let shares = Shares::new(4, 8);
        let share = shares.take(reseller(1)).unwrap();
        shares.give_back(reseller(1), 1);
        share.keep(1);
        assert_eq!(shares.last(reseller(1)), 0);
        assert_eq!(flood(&shares, 1), 4);
    }

    proptest! {
        /// However many flood it side by side, one who holds nothing finds a place.
        #[test]
        fn there_is_room_for_who_holds_nothing(
            capacity in 100_u64..5_000,
            greed in 1_u64..10,
            flooders in 1_u128..8,
        ) {
            let shares = Shares::new(capacity, greed);
            let mut held = vec![0_u64; flooders as usize];
            loop {
                let before = held.clone();
                for (number, held) in held.iter_mut().enumerate() {
                    if let Some(share) = shares.take(reseller(number as u128)) {
                        share.keep(1);
                        *held += 1;
                    }
                }
                if held == before {
                    break;
                }
            }
            prop_assert!(held.iter().sum::<u64>() < capacity, "{:?}", held);
            prop_assert!(held.iter().max().unwrap() - held.iter().min().unwrap() <= 1, "{:?}", held);
            prop_assert!(shares.take(reseller(99)).is_some());
        }
    }
}
