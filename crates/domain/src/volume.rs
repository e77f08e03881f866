//! Volumes of water.

use serde::{Deserialize, Serialize};

/// A cumulative volume in whole millilitres.
///
/// Integers, because what comes in as 123.457 m³ has to go out as 123.457 m³ and 123457 L, never as
/// 123456.99999.
///
/// ```
/// use weir_domain::Volume;
/// let volume = Volume::from_cubic_metres(123.457).unwrap();
/// assert_eq!(volume.cubic_metres(), 123.457);
/// assert_eq!(volume.litres(), 123457.0);
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Volume(i64);

/// The number is not a volume that a meter can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a number from 0 to 1000000000 (cubic metres)")]
pub struct NotAVolume;

impl Volume {
    /// The largest volume that is accepted: 10⁹ m³.
    pub const MAX: Self = Self(1_000_000_000_000_000);

    /// From cubic metres, rounded to the nearest millilitre; finite and from 0 to 10⁹.
    pub fn from_cubic_metres(value: f64) -> Result<Self, NotAVolume> {
        Self::checked(value, 1_000_000.0)
    }

    /// From litres, with the same bounds.
    pub fn from_litres(value: f64) -> Result<Self, NotAVolume> {
        Self::checked(value, 1_000.0)
    }

    fn checked(value: f64, millilitres_per_unit: f64) -> Result<Self, NotAVolume> {
        // -0.0 is in the range and becomes a plain 0; NaN is in no range.
        if !(0.0..=Self::MAX.0 as f64 / millilitres_per_unit).contains(&value) {
            return Err(NotAVolume);
        }
        // At most 10¹⁵, well inside the 2⁵³ up to which a double holds every integer.
        Ok(Self((value * millilitres_per_unit).round() as i64))
    }

    /// From stored millilitres.
    pub const fn from_millilitres(millilitres: i64) -> Self {
        Self(millilitres)
    }

    /// The stored millilitres.
    pub const fn millilitres(self) -> i64 {
        self.0
    }

    /// As cubic metres, for output.
    pub fn cubic_metres(self) -> f64 {
        self.0 as f64 / 1_000_000.0
    }

    /// As litres, for output.
    pub fn litres(self) -> f64 {
        self.0 as f64 / 1_000.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_goes_in_comes_out(millilitres in 0..=Volume::MAX.0) {
            let volume = Volume::from_millilitres(millilitres);
            prop_assert_eq!(Volume::from_cubic_metres(volume.cubic_metres()).unwrap(), volume);
            prop_assert_eq!(Volume::from_litres(volume.litres()).unwrap(), volume);
        }

        #[test]
        fn three_decimals_print_as_they_were_written(litres in 0..=1_000_000_000_000_i64) {
            let written = format!("{}.{:03}", litres / 1000, litres % 1000);
            let volume = Volume::from_cubic_metres(written.parse().unwrap()).unwrap();
            prop_assert_eq!(format!("{:.3}", volume.cubic_metres()), written);
            prop_assert_eq!(volume.litres(), litres as f64);
        }

        #[test]
        fn no_number_panics(value: f64) {
            prop_assert_eq!(Volume::from_cubic_metres(value).is_ok(), (0.0..=1e9).contains(&value));
        }
    }

    #[test]
    fn the_bounds_are_inclusive() {
        assert_eq!(Volume::from_cubic_metres(0.0), Ok(Volume(0)));
        assert_eq!(Volume::from_cubic_metres(-0.0), Ok(Volume(0)));
        assert_eq!(Volume::from_cubic_metres(1e9), Ok(Volume::MAX));
        for value in [-0.001, 1_000_000_000.001, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Volume::from_cubic_metres(value), Err(NotAVolume), "{value}");
        }
    }
}
