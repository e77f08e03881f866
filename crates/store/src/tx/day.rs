//! Finished days of devices, kept so that they need not be computed from readings again.
//!
//! They are a cache: [`DeviceState::days_until`](crate::DeviceState) says how far it can be trusted.

use jiff::civil::Date;
use weir_domain::DeviceKey;
use weir_domain::consumption::kept::{KeptDay, KeptDays};

use crate::StoreResult;

/// The time zones of a device's days, by IANA names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayZones {
    /// The device.
    pub device: DeviceKey,
    /// That of the days which are kept; none where none are.
    pub kept: Option<String>,
    /// That of its effective customer.
    pub customer: Option<String>,
}

/// Days of a device that are to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaysOf {
    /// The device.
    pub device: DeviceKey,
    /// The time zone of these days and of all that are kept of the device.
    pub zone: String,
    /// Where they begin: kept days of that date and later make way.
    pub from: Date,
    /// The days, each date once, none before `from`.
    pub days: Vec<KeptDay>,
}

/// Reads kept days of the transaction's reseller; another reseller's device has none.
pub trait DayReads {
    /// The time zones of the days of these devices (each named once), in any order; those that do not
    /// exist for this reseller are left out.
    fn day_zones(&mut self, devices: &[DeviceKey]) -> StoreResult<Vec<DayZones>>;

    /// What is kept of a device's days of that time zone: those from a date on, with the last one
    /// before it in front where there is one. None where days of another time zone or none are kept.
    fn days_kept(
        &mut self,
        device: DeviceKey,
        zone: &str,
        from: Date,
    ) -> StoreResult<Option<KeptDays>>;
}

/// Keeps days of the transaction's reseller.
pub trait DayWrites {
    /// Keeps days of devices, each device named once. `days_until` is stored with their states.
    fn days_keep(&mut self, days: &[DaysOf]) -> StoreResult<()>;
}
