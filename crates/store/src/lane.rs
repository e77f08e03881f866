//! Lanes: parts of a spool's records that are settled apart from one another.
//!
//! Records are settled in batches, and of a large batch a transaction takes all records of some
//! devices, rather than some records of all devices: then each device is read and stored once for
//! everything that it sent. So how far a spool is settled is kept for each lane.

use std::ops::Range;

use weir_domain::DeviceKey;

/// How many lanes there are. Positions are stored by lane, so this changes with a migration only.
pub const LANES: u8 = 8;

/// How many devices, as a power of two, are in the same lane one after the other: enough to fill pages,
/// so that lanes share few of them.
const NEIGHBOURS: u32 = 6;

/// Which of the lanes a record is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane(u8);

impl Lane {
    /// The lane of records that belong to no device.
    pub const FIRST: Self = Self(0);

    /// The lane of a device's records.
    pub fn of(device: DeviceKey) -> Self {
        Self(((device.0 >> NEIGHBOURS) & i64::from(LANES - 1)) as u8)
    }

    /// Its number, from 0.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// Lanes that follow one another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lanes(Range<u8>);

impl Lanes {
    /// All there are.
    pub const ALL: Self = Self(0..LANES);

    /// Those with these numbers; numbers that no lane has are left out.
    pub fn numbered(numbers: Range<u8>) -> Self {
        Self(numbers.start..numbers.end.min(LANES))
    }

    /// The lanes one by one.
    pub fn each(&self) -> impl Iterator<Item = Lane> + use<> {
        self.0.clone().map(Lane)
    }
}

/// Up to which sequence each lane of a spool is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Positions([u64; LANES as usize]);

impl Positions {
    /// Positions as they are stored; lanes that have none are at 0.
    pub fn stored(rows: impl IntoIterator<Item = (u8, u64)>) -> Self {
        let mut positions = Self::default();
        for (lane, sequence) in rows {
            if let Some(position) = positions.0.get_mut(usize::from(lane)) {
                *position = sequence;
            }
        }
        positions
    }

    /// Up to which sequence a lane is settled.
    pub fn of(&self, lane: Lane) -> u64 {
        self.0.get(usize::from(lane.0)).copied().unwrap_or_default()
    }

    /// Up to which sequence all lanes are settled.
    pub fn lowest(&self) -> u64 {
        self.0.into_iter().min().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_device_has_a_lane_and_neighbours_share_it() {
        let lane = |key| Lane::of(DeviceKey(key)).number();
        assert_eq!((lane(0), lane(63), lane(64), lane(8 * 64)), (0, 0, 1, 0));
        for key in [i64::MIN, -1, i64::MAX] {
            assert!(lane(key) < LANES);
        }
        assert_eq!(Lanes::ALL.each().count(), usize::from(LANES));
        assert_eq!(Lanes::numbered(6..99).each().map(Lane::number).collect::<Vec<_>>(), [6, 7]);
    }

    #[test]
    fn a_spool_is_as_far_as_its_last_lane() {
        let all = |sequence| (0..LANES).map(move |lane| (lane, sequence));
        assert_eq!(Positions::stored(all(5)).lowest(), 5);
        let positions = Positions::stored(all(5).chain([(3, 9), (200, 1)]));
        assert_eq!((positions.lowest(), positions.of(Lane(3))), (5, 9));
        assert_eq!(Positions::stored([(0, 7)]).lowest(), 0);
    }
}
