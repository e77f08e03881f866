//! The fleet as a whole.

use std::ops::Range;

use jiff::civil::Date;
use weir_domain::{Battery, DeviceId, Volume};

use crate::StoreResult;

/// What the fleet consumed on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FleetDay {
    /// Which day.
    pub date: Date,
    /// What its meters consumed.
    pub consumption: Volume,
    /// How many of them had readings.
    pub meters: u64,
}

/// Which of the days that are kept count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptSpan {
    /// The first.
    pub from: Date,
    /// The one after the last.
    pub until: Date,
    /// How far clocks are ahead of UTC, in microseconds. A device's days count that ended by these clocks
    /// before the moment up to which they are kept.
    pub ahead: i64,
}

/// Reads what the live devices of the transaction's reseller come to.
pub trait FleetReads {
    /// What those at the top of the tree consumed by the days that are kept, whatever their time zone;
    /// oldest first, without days of which none is kept. What a device below another one measures, that
    /// one has measured too.
    fn fleet_days(&mut self, span: KeptSpan) -> StoreResult<Vec<FleetDay>>;

    /// Those whose meters were replaced or fell on the days that are kept, the latest first, ties by id;
    /// each once.
    fn fleet_resets(&mut self, span: KeptSpan, limit: u32) -> StoreResult<Vec<DeviceId>>;

    /// Those whose battery lies in one of two ranges, by voltage, ties by id.
    fn fleet_batteries(
        &mut self,
        ranges: [Range<Battery>; 2],
        limit: u32,
    ) -> StoreResult<Vec<DeviceId>>;
}
