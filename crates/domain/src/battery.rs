//! Battery voltages.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A battery voltage in whole microvolts, so that it goes out as it came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Battery(i32);

/// The number is no voltage of a battery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from -1000 to 1000 (volts)")]
pub struct NotABattery;

impl Battery {
    /// What counts as low: below 3.3 volts, as the lithium cells of meters show shortly before their end;
    /// or below 15 where the number is a percentage, which is what numbers beyond 10 are taken for.
    /// Nothing and less is no voltage of a battery that still sends.
    pub const LOW: [Range<Self>; 2] =
        [Self(1)..Self(3_300_000), Self(10_000_000)..Self(15_000_000)];

    /// Whether it is low.
    pub fn is_low(self) -> bool {
        Self::LOW.iter().any(|low| low.contains(&self))
    }

    /// From volts, rounded to the nearest microvolt; from -1000 to 1000, since what a decoder calls
    /// its battery is taken as volts even where it is a percentage.
    pub fn from_volts(volts: f64) -> Result<Self, NotABattery> {
        if !(-1000.0..=1000.0).contains(&volts) {
            return Err(NotABattery);
        }
        Ok(Self((volts * 1_000_000.0).round() as i32))
    }

    /// From stored microvolts.
    pub const fn from_microvolts(microvolts: i32) -> Self {
        Self(microvolts)
    }

    /// The stored microvolts.
    pub const fn microvolts(self) -> i32 {
        self.0
    }

    /// As volts, for output.
    pub fn volts(self) -> f64 {
        f64::from(self.0) / 1_000_000.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(microvolts in -1_000_000_000..=1_000_000_000_i32) {
            let battery = Battery::from_microvolts(microvolts);
            prop_assert_eq!(Battery::from_volts(battery.volts()).unwrap(), battery);
        }
    }

    #[test]
    fn low_is_what_is_soon_empty() {
        let is_low = |volts| Battery::from_volts(volts).unwrap().is_low();
        for volts in [0.1, 3.0, 3.299, 10.0, 14.9] {
            assert!(is_low(volts), "{volts}");
        }
        for volts in [-1.0, 0.0, 3.3, 3.6, 9.0, 15.0, 100.0] {
            assert!(!is_low(volts), "{volts}");
        }
    }

    #[test]
    fn a_percentage_is_taken_as_it_comes_and_nonsense_is_not() {
        assert_eq!(Battery::from_volts(92.0).unwrap().volts(), 92.0);
        assert_eq!(Battery::from_volts(3.58).unwrap().volts(), 3.58);
        for volts in [f64::NAN, f64::INFINITY, 1000.1, -1e300] {
            assert_eq!(Battery::from_volts(volts), Err(NotABattery));
        }
    }
}
