//! One reading of a meter.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Battery, Timestamp, Volume};

/// Gateways without a GPS lock send 1980: nothing was read before 2010.
const EARLIEST: Timestamp = Timestamp::from_micros(1_262_304_000_000_000);

/// How far a clock may run ahead of ours.
const AHEAD: Duration = Duration::from_secs(24 * 60 * 60);

/// What a meter showed at a moment.
///
/// Two readings of a device with the same time and volume are one reading that was sent twice.
/// Different volumes at the same time are two readings, ordered by volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// When it was read, as the payload says.
    pub time: Timestamp,
    /// The cumulative volume.
    pub volume: Volume,
    /// The battery, where the payload has one.
    pub battery: Option<Battery>,
}

impl Reading {
    /// Replaces a time that cannot be right (before 2010, or more than 24 hours ahead) by the time of
    /// receipt; whether it had to.
    pub fn correct_time(&mut self, received_at: Timestamp) -> bool {
        let wrong = self.time < EARLIEST || self.time > received_at.plus(AHEAD);
        if wrong {
            self.time = received_at;
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_impossible_times_are_replaced() {
        let received_at = Timestamp::parse("2026-03-29T12:00:00Z").unwrap();
        let corrected = |time: &str| {
            let time = Timestamp::parse(time).unwrap();
            let mut reading = Reading { time, volume: Volume::default(), battery: None };
            let replaced = reading.correct_time(received_at);
            assert_eq!(reading.time, if replaced { received_at } else { time });
            replaced
        };
        assert!(corrected("1980-01-21T23:17:20.234Z"));
        assert!(corrected("2009-12-31T23:59:59.999999Z"));
        assert!(!corrected("2010-01-01T00:00:00Z"));
        assert!(!corrected("2026-03-30T12:00:00Z"));
        assert!(corrected("2026-03-30T12:00:00.000001Z"));
    }
}
