//! Readings, as stores keep them: in blocks.
//!
//! A row for each reading would spend more on itself than on what was read. A *block* holds up to
//! [`MOST`] readings of one device within one calendar month (UTC), sorted by time and volume, each
//! once. It is kept under the device and the time of its first reading; `codec` has its bytes.
//!
//! A reading belongs in the block of its month that begins last among those that do not begin after
//! it. `merge` has the rules by which blocks fill and are cut; what follows from them is that the
//! blocks of a device are disjoint and in order, so that
//!
//! - the reading before a moment is in the last block that begins before it,
//! - all readings from a moment on are in the block that begins last at or before it, where that is
//!   one of the same month, and in those behind it.
//!
//! Stores load and store blocks; everything that has to be known about them is here. Whoever appends
//! to a device's blocks must be alone with them from loading to storing.

mod codec;
mod merge;
mod month;
mod part;

use weir_domain::{DeviceKey, Reading, Timestamp};

use crate::{Span, StoreError, StoreResult};

pub use codec::NotABlock;
pub use merge::{Edits, merge};
pub use month::Months;
pub use part::{Part, parts, sorted};

/// How many readings a block holds. It may hold more only where they are of the same time, which
/// never part.
pub const MOST: usize = 32;

/// Readings that are kept together: at least one, in order, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    since: Timestamp,
    readings: Vec<Reading>,
}

impl Block {
    /// Reads a block from its bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, NotABlock> {
        let readings = codec::decode(bytes)?;
        let since = readings.first().ok_or(NotABlock::Empty)?.time;
        Ok(Self { since, readings })
    }

    /// The same of a device's stored block; what is wrong with it is named by the device.
    pub fn stored(device: DeviceKey, since: Timestamp, bytes: &[u8]) -> StoreResult<Self> {
        let block = Self::decode(bytes).and_then(|block| match block.since == since {
            true => Ok(block),
            false => Err(NotABlock::Elsewhere),
        });
        block.map_err(|reason| StoreError::Corrupt {
            table: "reading_block",
            id: format!("of device {} since {since}", device.0),
            reason: reason.to_string(),
        })
    }

    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        codec::encode(&self.readings)
    }

    /// The time of its first reading, under which it is kept.
    pub const fn since(&self) -> Timestamp {
        self.since
    }

    /// Its readings, oldest first, those of the same time by volume.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }
}

/// Of readings in order, those of a span, with the last one before it in front where there is one.
pub fn with_opening(readings: &[Reading], span: &Span) -> Vec<Reading> {
    let first = readings.partition_point(|reading| reading.time < span.from);
    let count = readings[first..].partition_point(|reading| reading.time < span.until);
    readings[first.saturating_sub(1)..first + count].to_vec()
}

/// Whether a reading of that time and volume is among readings in order.
pub fn holds(readings: &[Reading], time: Timestamp, volume: weir_domain::Volume) -> bool {
    readings.binary_search_by_key(&(time, volume), place).is_ok()
}

/// What readings are ordered by, and what makes a reading that reading.
fn place(reading: &Reading) -> (Timestamp, weir_domain::Volume) {
    (reading.time, reading.volume)
}

#[cfg(test)]
mod tests;
