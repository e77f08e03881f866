//! Records as they are read back.

use std::io;

use super::scan::Frames;

/// Records read back from a spool, and what is known to be lost between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Sequence and payload, ascending by sequence.
    pub records: Vec<(u64, Vec<u8>)>,
    /// Stretches of bytes that are no records.
    pub damaged: u64,
    /// Records that were acknowledged and are not there any more.
    pub missing: u64,
    /// Every record up to this sequence is in this batch, was in an earlier one, or is lost. Once
    /// the batch is settled this is the position to keep and to trim through.
    pub through: u64,
}

/// When a batch is large enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) records: usize,
    pub(super) bytes: usize,
}

/// A batch being filled.
#[derive(Debug)]
pub(super) struct Filling {
    batch: Batch,
    bytes: usize,
    limits: Limits,
}

impl Batch {
    /// Whether there was nothing to read, not even damage.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.damaged == 0 && self.missing == 0
    }
}

impl Filling {
    /// An empty batch. It takes at least one record, whatever the limits are.
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            batch: Batch { records: Vec::new(), damaged: 0, missing: 0, through: 0 },
            bytes: 0,
            limits,
        }
    }

    /// Whether it is large enough.
    pub(super) fn is_full(&self) -> bool {
        !self.batch.records.is_empty()
            && (self.batch.records.len() >= self.limits.records || self.bytes >= self.limits.bytes)
    }

    /// Takes the frames from `next` on, and moves `next` behind the last one taken. Returns whether
    /// the file holds no more of them.
    pub(super) fn take(&mut self, frames: &mut Frames, next: &mut u64) -> io::Result<bool> {
        while *next <= frames.highest() {
            if self.is_full() {
                return Ok(false);
            }
            let step = frames.step()?;
            let Some(frame) = step.frame else {
                self.batch.damaged += u64::from(step.damaged);
                return Ok(true);
            };
            if frame.sequence < *next {
                // Read before; so the damage in front of it was reported before as well.
                continue;
            }
            self.batch.damaged += u64::from(step.damaged);
            self.miss(next, frame.sequence - 1);
            self.bytes += frame.payload.len();
            self.batch.records.push((frame.sequence, frame.payload.to_vec()));
            *next = frame.sequence + 1;
        }
        Ok(true)
    }

    /// Counts what should have come up to `last` and did not, and moves `next` behind it.
    pub(super) fn miss(&mut self, next: &mut u64, last: u64) {
        if last >= *next {
            self.batch.missing += last + 1 - *next;
            *next = last + 1;
        }
    }

    /// The batch, when `next` is what comes after it.
    pub(super) fn finish(mut self, next: u64) -> Batch {
        self.batch.through = next - 1;
        self.batch
    }
}
