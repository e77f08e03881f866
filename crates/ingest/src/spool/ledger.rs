//! Which records a living spool holds, and where.

use std::collections::VecDeque;

/// A segment, as far as it is acknowledged. Its sequences have no gaps: a batch that fails ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extent {
    /// The first sequence, which is also its file's name.
    pub(super) first: u64,
    /// The last acknowledged sequence.
    pub(super) last: u64,
    /// The byte behind the last acknowledged frame.
    pub(super) end: u64,
}

/// The acknowledged segments of a spool that are still there, and how many records wait.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    extents: VecDeque<Extent>,
    settled: u64,
    pending: u64,
}

impl Ledger {
    /// The segment `extent.first` has grown by this many records; it may be new.
    pub(super) fn acknowledge(&mut self, extent: Extent, records: u64) {
        match self.extents.back_mut() {
            Some(newest) if newest.first == extent.first => *newest = extent,
            _ => self.extents.push_back(extent),
        }
        self.pending += records;
    }

    /// How many acknowledged records are not settled. Sequences that were never acknowledged do not
    /// count, so this may be less than the distance between two sequences.
    pub(super) fn pending(&self) -> u64 {
        self.pending
    }

    /// All acknowledged records up to this one are settled.
    pub(super) fn settle(&mut self, through: u64) {
        let newest = self.extents.back().map_or(0, |extent| extent.last);
        let through = through.min(newest);
        if through <= self.settled {
            return;
        }
        let settled = |extent: &Extent| {
            let first = extent.first.max(self.settled + 1);
            (extent.last.min(through) + 1).saturating_sub(first)
        };
        self.pending -= self.extents.iter().map(settled).sum::<u64>();
        self.settled = through;
    }

    /// The first sequences of the segments that nobody needs, oldest first. The newest is never one
    /// of them: it may be being written.
    pub(super) fn spent(&self) -> Vec<u64> {
        let older = self.extents.len().saturating_sub(1);
        self.extents
            .iter()
            .take(older)
            .take_while(|extent| extent.last <= self.settled)
            .map(|extent| extent.first)
            .collect()
    }

    /// The segment's file is gone.
    pub(super) fn forget(&mut self, first: u64) {
        self.extents.retain(|extent| extent.first != first);
    }

    /// The segment that holds this sequence, or else the next one there is.
    pub(super) fn locate(&self, sequence: u64) -> Option<Extent> {
        let at = self.extents.partition_point(|extent| extent.last < sequence);
        self.extents.get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1–10, then 21–30 after a batch of ten failed, then 31–32.
    fn ledger() -> Ledger {
        let mut ledger = Ledger::default();
        for (first, last) in [(1, 4), (1, 10), (21, 30), (31, 32)] {
            let records = if last == 10 { 6 } else { last + 1 - first };
            ledger.acknowledge(Extent { first, last, end: last * 100 }, records);
        }
        ledger
    }

    #[test]
    fn sequences_that_were_never_acknowledged_are_not_pending() {
        let mut ledger = ledger();
        assert_eq!(ledger.pending(), 22);
        for (through, pending) in [(4, 18), (3, 18), (15, 12), (21, 11), (99, 0), (100, 0)] {
            ledger.settle(through);
            assert_eq!(ledger.pending(), pending, "settled through {through}");
        }
    }

    #[test]
    fn a_segment_is_spent_when_its_last_record_is_settled_and_it_is_not_the_newest() {
        let mut ledger = ledger();
        for (through, spent) in [(9, vec![]), (10, vec![1]), (30, vec![1, 21]), (32, vec![1, 21])] {
            ledger.settle(through);
            assert_eq!(ledger.spent(), spent, "settled through {through}");
        }
        ledger.forget(1);
        assert_eq!(ledger.spent(), [21]);
    }

    #[test]
    fn a_sequence_is_located_in_its_segment_or_the_next() {
        let ledger = ledger();
        let first = |sequence| ledger.locate(sequence).map(|extent| extent.first);
        assert_eq!(first(0), Some(1));
        assert_eq!(first(10), Some(1));
        assert_eq!(first(11), Some(21));
        assert_eq!(first(31), Some(31));
        assert_eq!(first(33), None);
    }
}
