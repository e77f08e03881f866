//! What meters say hour after hour, as bodies that are sent and as readings that are stored.
//!
//! Everything follows from the meter's number and the hour's, so nothing has to be remembered: not the
//! same second for two meters, a few litres more each hour, a battery that falls now and then.

use std::time::Duration;

use weir_domain::{Battery, Reading, Timestamp, Volume};

use crate::fleet::Meter;

/// One hour.
pub const HOUR: Duration = Duration::from_secs(60 * 60);

/// What a meter uses in an hour, on the average and at least so much that it never runs backwards.
const LITRES: u64 = 15;

/// Within which time after the hour all meters report.
pub const WINDOW: Duration = Duration::from_secs(30);

/// How many hours a battery stays the same.
const BATTERY_HOURS: u32 = 300;

/// What the meters showed when they were installed, in litres.
pub const INSTALLED: u32 = 100_000_000;

/// How long after the hour a meter reports, to the microsecond, if all of them do within `window`.
pub fn delay(meter: Meter, hour: u32, window: Duration) -> Duration {
    let window = u64::try_from(window.as_micros()).unwrap_or(u64::MAX).max(1);
    Duration::from_micros(scatter(meter, hour) % window)
}

/// What a meter shows, in litres since it was installed.
pub fn litres(meter: Meter, hour: u32) -> u32 {
    let total = u64::from(hour) * LITRES + (scatter(meter, hour) >> 40) % LITRES;
    u32::try_from(total).unwrap_or(u32::MAX)
}

/// The reading of a meter in the hour that begins at `begins`.
pub fn reading(meter: Meter, hour: u32, begins: Timestamp) -> Reading {
    let litres = i64::from(INSTALLED) + i64::from(litres(meter, hour));
    let spent = (hour + meter.0 % BATTERY_HOURS) / BATTERY_HOURS;
    Reading {
        time: begins.plus(delay(meter, hour, WINDOW)),
        volume: Volume::from_millilitres(litres * 1_000),
        battery: Some(Battery::from_microvolts(3_650_000 - spent.cast_signed() * 1_000)),
    }
}

/// A number that tells nothing about its neighbours (the last steps of SplitMix64).
fn scatter(meter: Meter, hour: u32) -> u64 {
    let mut bits = (u64::from(meter.0) << 32 | u64::from(hour)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use super::*;

    #[test]
    fn a_meter_never_runs_backwards_and_its_battery_never_recovers() {
        let begins = Timestamp::parse("2026-03-01T00:00:00Z").unwrap();
        for meter in [Meter(0), Meter(7), Meter(99_999)] {
            let readings: Vec<Reading> =
                (0..1_000).map(|hour| reading(meter, hour, begins.plus(HOUR * hour))).collect();
            assert!(readings.is_sorted_by(|a, b| a.time < b.time && a.volume < b.volume));
            assert!(readings.is_sorted_by_key(|it| std::cmp::Reverse(it.battery)));
            let batteries: BTreeSet<_> = readings.iter().map(|it| it.battery).collect();
            assert!((4..=5).contains(&batteries.len()), "{batteries:?}");
        }
    }

    #[test]
    fn hardly_two_meters_report_in_the_same_microsecond() {
        let delays: HashSet<Duration> = (0..10_000).map(|it| delay(Meter(it), 3, WINDOW)).collect();
        assert!(delays.len() > 9_990, "{}", delays.len());
        assert!(delays.iter().all(|delay| *delay < WINDOW));
    }
}
