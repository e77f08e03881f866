//! How much room readings take, as numbers.

use serde::Serialize;

use crate::goal::Goal;
use crate::plan;
use crate::store::Kind;

/// What was measured on one store.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// How many devices there are.
    pub devices: u64,
    /// How many readings.
    pub readings: u64,
    /// How many bytes the store had with the devices and no readings.
    pub bytes_before: u64,
    /// How many it has with them.
    pub bytes_after: u64,
    /// All of its bytes, for each reading.
    pub all_told: f64,
    /// The bytes that were added, for each reading.
    pub growth: f64,
    /// The one of the two that is held against a target: on SQLite, where a file is all there is, all
    /// told; on PostgreSQL, whose empty database has its own size, the growth.
    pub bytes_per_reading: Goal,
    /// How long writing took.
    pub writing_seconds: f64,
    /// Whether the readings were found again, as far as was looked.
    pub is_found: bool,
}

impl Size {
    /// The figures of a store that had so many bytes before and after.
    pub fn of(
        kind: Kind,
        plan: plan::Size,
        [bytes_before, bytes_after]: [u64; 2],
        writing_seconds: f64,
        is_found: bool,
    ) -> Self {
        let devices = u64::from(plan.devices);
        let readings = devices * u64::from(plan.hours);
        let all_told = bytes_after as f64 / readings as f64;
        let growth = bytes_after.saturating_sub(bytes_before) as f64 / readings as f64;
        let bytes_per_reading = match kind {
            Kind::Sqlite => Goal::at_most(24.0, all_told),
            Kind::Postgres => Goal::at_most(90.0, growth),
        };
        Self {
            devices,
            readings,
            bytes_before,
            bytes_after,
            all_told,
            growth,
            bytes_per_reading,
            writing_seconds,
            is_found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_store_has_its_own_target() {
        let plan = plan::Size { devices: 100, hours: 10 };
        let of = |kind| Size::of(kind, plan, [10_000, 35_000], 1.0, true);
        let (sqlite, postgres) = (of(Kind::Sqlite), of(Kind::Postgres));
        assert_eq!((sqlite.readings, sqlite.all_told, sqlite.growth), (1_000, 35.0, 25.0));
        assert_eq!(sqlite.bytes_per_reading, Goal::at_most(24.0, 35.0));
        assert_eq!(postgres.bytes_per_reading, Goal::at_most(90.0, 25.0));
    }
}
