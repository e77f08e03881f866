//! Readings of registered devices, soft-deleted ones too.

use weir_domain::{DeviceKey, Reading, Timestamp, Volume};

use crate::StoreResult;

/// Where a walk through readings begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// With the first one of that time or later.
    Time(Timestamp),
    /// With the first one after the reading of that time and volume.
    After(Timestamp, Volume),
}

impl From {
    /// The time before which there is nothing to be found.
    pub const fn time(self) -> Timestamp {
        match self {
            Self::Time(time) | Self::After(time, _) => time,
        }
    }

    /// Whether a reading is part of the walk.
    pub fn admits(self, reading: &Reading) -> bool {
        match self {
            Self::Time(time) => reading.time >= time,
            Self::After(time, volume) => (reading.time, reading.volume) > (time, volume),
        }
    }
}

/// A stretch of a device's readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The device.
    pub device: DeviceKey,
    /// From that moment on.
    pub from: Timestamp,
    /// Before that one.
    pub until: Timestamp,
}

/// Reads readings of the transaction's reseller; another reseller's device has none.
pub trait ReadingReads {
    /// At most `limit` readings of a device, oldest first, those of the same time by volume.
    fn readings_page(
        &mut self,
        device: DeviceKey,
        from: From,
        limit: u32,
    ) -> StoreResult<Vec<Reading>>;

    /// For each device, in the order given, the volumes of its newest `count` readings, oldest first.
    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>>;

    /// All readings of a span, with the last one before it in front where there is one; oldest first,
    /// those of the same time by volume.
    fn readings_with_opening(&mut self, span: Span) -> StoreResult<Vec<Reading>>;

    /// The same for many spans of devices, in their order.
    fn readings_with_openings(&mut self, spans: &[Span]) -> StoreResult<Vec<Vec<Reading>>>;

    /// Whether a device has a reading of that time and volume.
    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool>;
}

/// Adds readings of the transaction's reseller.
pub trait ReadingWrites {
    /// Adds readings of this reseller's devices; what a device already has (same time and volume) is
    /// passed over, also within the call. Fastest when sorted by device, time and volume.
    ///
    /// The devices have to be held ([`device_states`](crate::DeviceWrites::device_states) holds them),
    /// or to be new with this transaction: readings are kept in [blocks](crate::block), and two that
    /// append to one at the same time would undo each other's work.
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()>;
}
