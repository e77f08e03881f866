//! What can be set about a spool.

/// What can be set about a spool.
#[derive(Debug, Clone)]
pub struct Options {
    /// The size of a segment: what is allocated ahead, and the unit in which room comes back.
    pub segment_bytes: u64,
    /// How many records may wait for the disk.
    pub queue: usize,
    /// How many acknowledged records may wait to be settled.
    pub max_pending: u64,
    /// How much is written and synced at once. A batch is never split: one that is larger than a
    /// segment makes a larger segment.
    pub batch_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            segment_bytes: 16 << 20,
            queue: 16_384,
            max_pending: 1_000_000,
            batch_bytes: 4 << 20,
        }
    }
}
