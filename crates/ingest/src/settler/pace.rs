//! How many records one transaction settles.
//!
//! In a flood, records of the same devices lie behind one another, and each transaction goes by the
//! pages of the whole fleet; so few large ones cost much less than many small ones. But other changes
//! may have to wait for one, so it is not to take much longer than a second. How many records that
//! is depends on the machine: the last transaction tells.

use std::time::Duration;

/// How much is parted into transactions together at most, whatever the records are.
pub(super) const BATCH_BYTES: usize = 48 << 20;

/// How long one transaction may take.
const LONGEST: Duration = Duration::from_millis(1_500);

/// At least and at most so many records, however slow or fast it goes.
pub(super) const FEWEST: usize = 4_096;
const MOST: usize = 262_144;

/// How many transactions are parted together: whoever waits for their own uplinks may have to wait for
/// all of them.
const TOGETHER: usize = 4;

/// How many records the next transaction takes.
#[derive(Debug)]
pub(crate) struct Pace {
    records: usize,
}

impl Pace {
    /// So many records, before anything is known about the store.
    pub(crate) const fn of(records: usize) -> Self {
        Self { records }
    }

    /// How many records the next transaction takes at most, or about so many.
    pub(super) const fn records(&self) -> usize {
        self.records
    }

    /// How many records are parted into transactions together at most: the more, the more of them are
    /// of the same device, which is settled once for all of them.
    pub(super) fn batch(&self) -> usize {
        MOST.min(self.records * TOGETHER)
    }

    /// So many records took so long. Few of them tell nothing: what one transaction costs by itself
    /// would weigh too much.
    pub(super) fn took(&mut self, records: usize, time: Duration) {
        if records >= FEWEST {
            let in_time = records as f64 * LONGEST.as_secs_f64() / time.as_secs_f64().max(1e-6);
            // Half of the way, for one slow transaction may be the disk's fault.
            let next = f64::midpoint(self.records as f64, in_time) as usize;
            self.records = next.clamp(FEWEST, MOST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_come_to_take_as_long_as_they_may() {
        for in_time in [10_000, 50_000, 100_000] {
            let mut pace = Pace::of(32_768);
            for _ in 0..20 {
                let records = pace.records();
                pace.took(records, LONGEST * records as u32 / in_time);
            }
            assert!(pace.records().abs_diff(in_time as usize) < 100, "{pace:?}");
        }
    }

    #[test]
    fn there_are_limits_and_few_records_tell_nothing() {
        let mut pace = Pace::of(32_768);
        pace.took(FEWEST - 1, Duration::from_secs(60));
        assert_eq!(pace.records(), 32_768);
        (0..20).for_each(|_| pace.took(FEWEST, Duration::ZERO));
        assert_eq!(pace.records(), MOST);
        (0..40).for_each(|_| pace.took(FEWEST, Duration::from_secs(600)));
        assert_eq!(pace.records(), FEWEST);
    }
}
