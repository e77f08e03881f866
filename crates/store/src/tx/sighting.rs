//! Sightings: uplinks of EUIs that the reseller has not registered, remembered until it does.

use weir_domain::{Eui, Reading, Telemetry, Timestamp};

use crate::{Page, StoreResult};

/// What is remembered of an EUI.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// The EUI as it was last written.
    pub dev_eui: Eui,
    /// What its messages said.
    pub telemetry: Telemetry,
}

/// A remembered reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SightingReading {
    /// Whose it is.
    pub eui: Eui,
    /// The reading.
    pub reading: Reading,
    /// When it reached the service.
    pub received_at: Timestamp,
}

/// Reads what the transaction's reseller has sighted.
pub trait SightingReads {
    /// Sightings, last seen first, ties by EUI.
    fn sightings_page(&mut self, page: Page) -> StoreResult<Vec<Sighting>>;

    /// How many EUIs are remembered.
    fn sightings_count(&mut self) -> StoreResult<u64>;
}

/// Changes what the transaction's reseller has sighted.
pub trait SightingWrites {
    /// What is remembered of these EUIs (each named once), in any order; others are left out.
    fn sightings_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Sighting>>;

    /// Stores sightings, new ones and known ones, each EUI once.
    fn sightings_store(&mut self, sightings: &[Sighting]) -> StoreResult<()>;

    /// Adds readings of sighted EUIs; what an EUI already has (same time and volume) is passed over,
    /// also within the call.
    fn sighting_readings_append(&mut self, readings: &[SightingReading]) -> StoreResult<()>;

    /// Forgets an EUI and returns what was remembered of it, its readings oldest first.
    fn sighting_take(&mut self, eui: Eui) -> StoreResult<Option<(Sighting, Vec<Reading>)>>;

    /// Keeps the `euis` EUIs seen last and the `readings` readings received last; the rest makes way.
    /// An EUI that loses readings stays remembered.
    fn sightings_evict(&mut self, euis: u64, readings: u64) -> StoreResult<()>;
}
