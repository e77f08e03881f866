//! The parts of a batch that are settled in transactions of their own.

use std::collections::VecDeque;
use std::ops::Range;

use weir_store::{LANES, Lanes};

use crate::settle::Numbered;

/// The records of a batch that are in some lanes, in the spool's order.
#[derive(Debug)]
pub(super) struct Lot {
    pub(super) lanes: Lanes,
    pub(super) records: Vec<Numbered>,
}

/// Records of a lot, and how far its lanes are settled with them.
pub(super) type Part = (Range<usize>, u64);

impl Lot {
    /// The lot in parts of at most `size` records, the last of which settles its lanes up to and
    /// including `through`. One that has no records is one part.
    pub(super) fn parts(&self, size: usize, through: u64) -> VecDeque<Part> {
        let last = self.records.len();
        let ends = (size.max(1)..last).step_by(size.max(1));
        let mut parts = VecDeque::new();
        let mut start = 0;
        for end in ends {
            parts.push_back((start..end, self.records[end - 1].0));
            start = end;
        }
        parts.push_back((start..last, through));
        parts
    }
}

/// Parts a batch into lots of about `size` records. Every lane is in one of them, whether or not it has
/// records: its position moves on with the others.
pub(super) fn lots(records: Vec<Numbered>, size: usize) -> Vec<Lot> {
    if records.len() <= size {
        return vec![Lot { lanes: Lanes::ALL, records }];
    }
    let mut lengths = [0_usize; LANES as usize];
    for (_, record) in &records {
        lengths[usize::from(record.lane().number())] += 1;
    }
    // Which lot each lane is in: neighbours share one as long as there is room.
    let mut lots: Vec<Lot> = Vec::new();
    let mut lot_of = [0_usize; LANES as usize];
    let (mut begin, mut filled) = (0_u8, 0);
    for (lane, length) in (0_u8..).zip(lengths) {
        if filled > 0 && filled + length > size {
            lots.push(Lot {
                lanes: Lanes::numbered(begin..lane),
                records: Vec::with_capacity(filled),
            });
            (begin, filled) = (lane, 0);
        }
        filled += length;
        lot_of[usize::from(lane)] = lots.len();
    }
    lots.push(Lot { lanes: Lanes::numbered(begin..LANES), records: Vec::with_capacity(filled) });
    for numbered in records {
        lots[lot_of[usize::from(numbered.1.lane().number())]].records.push(numbered);
    }
    lots
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use uuid::Uuid;
    use weir_domain::{DeviceKey, Month, Position, ResellerId, Timestamp};
    use weir_store::Lane;

    use super::*;
    use crate::record::{Addressee, Record};

    fn record(device: i64) -> Record {
        Record {
            reseller: ResellerId::from_uuid(Uuid::nil()),
            to: Addressee::Device(DeviceKey(device)),
            month: Month::from_number(0),
            received_at: Timestamp::from_micros(0),
            device_name: None,
            position: Position::default(),
            readings: Vec::new(),
        }
    }

    fn numbered(devices: &[i64]) -> Vec<Numbered> {
        (1..).zip(devices).map(|(sequence, &device)| (sequence, record(device))).collect()
    }

    #[test]
    fn a_small_batch_is_one_lot() {
        for devices in [vec![], vec![1, 5_000, 1]] {
            let lots = lots(numbered(&devices), 3);
            assert_eq!(lots.len(), 1);
            assert_eq!((&lots[0].lanes, lots[0].records.len()), (&Lanes::ALL, devices.len()));
        }
    }

    #[test]
    fn a_lot_of_one_lane_is_settled_in_parts() {
        let parts = |devices: &[i64]| {
            let lot = Lot { lanes: Lanes::ALL, records: numbered(devices) };
            Vec::from(lot.parts(2, 99))
        };
        assert_eq!(parts(&[]), [(0..0, 99)]);
        assert_eq!(parts(&[1, 1]), [(0..2, 99)]);
        assert_eq!(parts(&[1, 1, 1, 1]), [(0..2, 2), (2..4, 99)]);
        assert_eq!(parts(&[1, 1, 1]), [(0..2, 2), (2..3, 99)]);
    }

    proptest! {
        #[test]
        fn lots_have_all_lanes_and_all_records_once_and_in_order(
            devices in proptest::collection::vec(0_i64..20_000, 0..200),
            size in 1_usize..100,
        ) {
            let lots = lots(numbered(&devices), size);
            let lanes: Vec<Lane> = lots.iter().flat_map(|lot| lot.lanes.each()).collect();
            prop_assert_eq!(lanes, Lanes::ALL.each().collect::<Vec<_>>());
            let mut seen = Vec::new();
            for lot in &lots {
                let lanes: Vec<Lane> = lot.lanes.each().collect();
                // Lanes without records join whatever is there.
                let filled: BTreeSet<Lane> =
                    lot.records.iter().map(|(_, record)| record.lane()).collect();
                prop_assert!(lot.records.len() <= size || filled.len() == 1);
                prop_assert!(lot.records.is_sorted_by_key(|(sequence, _)| *sequence));
                prop_assert!(lot.records.iter().all(|(_, record)| lanes.contains(&record.lane())));
                seen.extend(lot.records.iter().map(|(sequence, _)| *sequence));
            }
            seen.sort();
            prop_assert_eq!(seen, (1..=devices.len() as u64).collect::<Vec<_>>());
        }
    }
}
