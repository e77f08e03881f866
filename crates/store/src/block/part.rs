//! What is to be appended, by device and month.

use std::borrow::Cow;

use weir_domain::{DeviceKey, Reading, Timestamp};

use super::{Months, place};

/// New readings of one device within one month, which blocks of that month may take.
#[derive(Debug, Clone, Copy)]
pub struct Part<'r> {
    readings: &'r [(DeviceKey, Reading)],
    /// The device.
    pub device: DeviceKey,
    /// The time of the first one.
    pub first: Timestamp,
    /// When the month begins.
    pub start: Timestamp,
    /// When the next month begins.
    pub end: Timestamp,
}

impl Part<'_> {
    /// The readings, in order.
    pub fn readings(&self) -> impl Iterator<Item = Reading> {
        self.readings.iter().map(|(_, reading)| *reading)
    }
}

/// Readings by device, time and volume. Those that are the same stay in the order in which they came.
pub fn sorted(readings: &[(DeviceKey, Reading)]) -> Cow<'_, [(DeviceKey, Reading)]> {
    let key = |(device, reading): &(DeviceKey, Reading)| (*device, place(reading));
    if readings.is_sorted_by_key(key) {
        return Cow::Borrowed(readings);
    }
    let mut owned = readings.to_vec();
    owned.sort_by_key(key);
    Cow::Owned(owned)
}

/// The parts of sorted readings, by device and month.
pub fn parts(sorted: &[(DeviceKey, Reading)]) -> impl Iterator<Item = Part<'_>> {
    let (mut months, mut months_of_parts) = (Months::default(), Months::default());
    let is_together = move |one: &(DeviceKey, Reading), next: &(DeviceKey, Reading)| {
        one.0 == next.0 && months.of(one.1.time).contains(&next.1.time)
    };
    sorted.chunk_by(is_together).filter_map(move |readings| {
        let (device, reading) = *readings.first()?;
        let month = months_of_parts.of(reading.time);
        Some(Part { readings, device, first: reading.time, start: month.start, end: month.end })
    })
}
