//! How blocks fill and are cut.
//!
//! - A reading goes into the block that it belongs in while that has room.
//! - Behind the end of a full block, or before all blocks of the month, it goes to the front of the
//!   block that follows, where that has room, and else begins a block of its own.
//! - In the middle of a full block it cuts that in two, between two times, as near to the middle as can
//!   be. Where all are of one time, the block grows.

use weir_domain::{Reading, Timestamp};

use super::{Block, MOST, place};

/// What is to be done to the blocks of a device, in this order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// The blocks that are kept under these times no longer.
    pub deletes: Vec<Timestamp>,
    /// Blocks that are there and have come to hold something else.
    pub updates: Vec<Block>,
    /// Blocks that are new.
    pub inserts: Vec<Block>,
}

/// Puts new readings, which are in order and of one month, into a device's blocks of that month. Of
/// these all have to be given, in order, from that on which the first reading belongs in, or from the
/// first one. A reading that is there, or comes twice, is passed over.
pub fn merge(kept: Vec<Block>, new: impl Iterator<Item = Reading>) -> Edits {
    let mut drafts: Vec<Draft> = kept.into_iter().map(Draft::of).collect();
    new.for_each(|reading| place_among(&mut drafts, reading));
    let mut edits = Edits::default();
    for Draft { block, was, is_changed } in drafts {
        match was {
            Some(since) if since == block.since => {
                edits.updates.extend(is_changed.then_some(block));
            }
            was => {
                edits.deletes.extend(was);
                edits.inserts.push(block);
            }
        }
    }
    edits
}

fn place_among(drafts: &mut Vec<Draft>, new: Reading) {
    let next = drafts.partition_point(|draft| draft.block.since <= new.time);
    let own = next.checked_sub(1).filter(|own| !drafts[*own].is_full_before(new.time));
    if let Some(own) = own {
        if drafts[own].insert(new)
            && let Some(rest) = drafts[own].cut()
        {
            drafts.insert(next, rest);
        }
        return;
    }
    match drafts.get_mut(next) {
        Some(following) if !following.is_full() => {
            following.insert(new);
        }
        _ => drafts.insert(next, Draft::begun(vec![new])),
    }
}

/// A block that is being changed.
struct Draft {
    block: Block,
    /// The time under which it is kept, where it is.
    was: Option<Timestamp>,
    is_changed: bool,
}

impl Draft {
    fn of(block: Block) -> Self {
        Self { was: Some(block.since), block, is_changed: false }
    }

    fn begun(readings: Vec<Reading>) -> Self {
        let block = Block { since: readings[0].time, readings };
        Self { block, was: None, is_changed: true }
    }

    const fn is_full(&self) -> bool {
        self.block.readings.len() >= MOST
    }

    /// Whether it is full and ends before that moment.
    fn is_full_before(&self, time: Timestamp) -> bool {
        self.is_full() && self.block.readings.last().is_some_and(|last| last.time < time)
    }

    /// Puts a reading in its place, unless it is there; whether it was not.
    fn insert(&mut self, new: Reading) -> bool {
        let Err(at) = self.block.readings.binary_search_by_key(&place(&new), place) else {
            return false;
        };
        self.block.readings.insert(at, new);
        self.block.since = self.block.since.min(new.time);
        self.is_changed = true;
        true
    }

    /// Cuts it in two where it has become too large and can be cut; what comes behind.
    fn cut(&mut self) -> Option<Self> {
        let readings = &mut self.block.readings;
        if readings.len() <= MOST {
            return None;
        }
        let is_between_times = |at: &usize| readings[at - 1].time != readings[*at].time;
        let cuts = (1..readings.len()).filter(is_between_times);
        let at = cuts.min_by_key(|at| at.abs_diff(readings.len() / 2))?;
        Some(Self::begun(readings.split_off(at)))
    }
}
