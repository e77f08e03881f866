use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use weir_domain::Volume;

use super::*;

const DEVICE: DeviceKey = DeviceKey(7);

/// A device's blocks, as a store keeps them.
#[derive(Default)]
struct Kept(BTreeMap<Timestamp, Vec<u8>>);

impl Kept {
    fn append(&mut self, readings: &[Reading]) {
        let readings: Vec<_> = readings.iter().map(|reading| (DEVICE, *reading)).collect();
        for part in parts(&sorted(&readings)) {
            assert_eq!(part.device, DEVICE);
            let month = self.blocks(part.start, part.end);
            let own = month.iter().rposition(|block| block.since() <= part.first).unwrap_or(0);
            self.apply(&merge(month[own.min(month.len())..].to_vec(), part.readings()));
        }
    }

    /// Holds stores to no more than they can do: delete what is there, change what is there, add what
    /// is not.
    fn apply(&mut self, edits: &Edits) {
        for since in &edits.deletes {
            assert!(self.0.remove(since).is_some(), "{since} is not there to be deleted");
        }
        for block in &edits.updates {
            let before = self.0.insert(block.since(), block.encode());
            assert!(before.is_some_and(|before| before != block.encode()), "{block:?} is the same");
        }
        for block in &edits.inserts {
            assert_eq!(self.0.insert(block.since(), block.encode()), None, "{block:?} is there");
        }
    }

    fn blocks(&self, from: Timestamp, until: Timestamp) -> Vec<Block> {
        let blocks = self.0.range(from..until);
        blocks.map(|(since, bytes)| Block::stored(DEVICE, *since, bytes).unwrap()).collect()
    }

    fn all(&self) -> Vec<Block> {
        self.blocks(Timestamp::from_micros(i64::MIN), Timestamp::from_micros(i64::MAX))
    }

    fn readings(&self) -> Vec<Reading> {
        self.all().iter().flat_map(|block| block.readings().to_vec()).collect()
    }

    /// Holds that blocks are disjoint, within a month, and no larger than they have to be.
    fn assert_well_cut(&self) {
        let (blocks, mut months) = (self.all(), Months::default());
        for (number, block) in blocks.iter().enumerate() {
            let last = block.readings().last().unwrap().time;
            assert!(months.of(block.since()).contains(&last), "{block:?} crosses months");
            assert!(block.readings().len() <= MOST || block.since() == last, "{block:?}");
            assert!(blocks.get(number + 1).is_none_or(|next| last < next.since()), "{block:?}");
        }
    }
}

fn reading(micros: i64, millilitres: i64) -> Reading {
    let (time, volume) = (Timestamp::from_micros(micros), Volume::from_millilitres(millilitres));
    Reading { time, volume, battery: None }
}

/// The last day of February 2026 and the first of March, minute by minute; often the same.
fn minutes() -> impl Strategy<Value = Vec<Reading>> {
    let one = (0..2_880_i64, 0..3_i64)
        .prop_map(|(minute, volume)| reading(1_772_236_800_000_000 + minute * 60_000_000, volume));
    let same = (0..3_i64, 0..200_i64)
        .prop_map(|(minute, volume)| reading(1_772_236_800_000_000 + minute * 60_000_000, volume));
    vec(prop_oneof![3 => one, 1 => same], 0..600)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_order_and_any_batches_give_the_same_readings(readings in minutes(), batch in 1..100_usize) {
        let mut kept = Kept::default();
        for some in readings.chunks(batch) {
            kept.append(some);
            kept.assert_well_cut();
        }
        let mut expected = readings.clone();
        expected.sort_by_key(place);
        expected.dedup();
        prop_assert_eq!(kept.readings(), expected);
        let before = kept.0.clone();
        kept.append(&readings);
        prop_assert_eq!(kept.0, before, "repeats changed something");
    }
}

#[test]
fn readings_in_order_fill_blocks_to_the_brim_from_either_end() {
    let forwards: Vec<_> = (0..100).map(|n| reading(n, n)).collect();
    let backwards: Vec<_> = forwards.iter().rev().copied().collect();
    for all in [forwards, backwards] {
        let mut kept = Kept::default();
        all.iter().for_each(|one| kept.append(&[*one]));
        let mut sizes: Vec<_> = kept.all().iter().map(|block| block.readings().len()).collect();
        sizes.sort();
        assert_eq!(sizes, [4, MOST, MOST, MOST]);
    }
}

#[test]
fn a_gap_behind_a_full_block_fills_from_either_end() {
    for order in [[50, 51, 52], [52, 51, 50]] {
        let mut kept = Kept::default();
        kept.append(&(0..32).map(|n| reading(n, n)).collect::<Vec<_>>());
        order.iter().for_each(|n| kept.append(&[reading(*n, *n)]));
        let sinces: Vec<_> = kept.all().iter().map(|block| block.since().micros()).collect();
        assert_eq!(sinces, [0, 50]);
    }
}

#[test]
fn a_full_block_is_cut_between_two_times_and_one_of_one_time_grows() {
    let mut kept = Kept::default();
    kept.append(&(0..32).map(|n| reading(n * 10, n)).collect::<Vec<_>>());
    kept.append(&[reading(5, 5)]);
    let sizes: Vec<_> = kept.all().iter().map(|block| block.readings().len()).collect();
    assert_eq!(sizes, [16, 17]);

    let mut kept = Kept::default();
    kept.append(&(0..40).map(|n| reading(10, n)).collect::<Vec<_>>());
    kept.append(&[reading(9, 1), reading(11, 1), reading(10, 99)]);
    let sizes: Vec<_> = kept.all().iter().map(|block| block.readings().len()).collect();
    assert_eq!(sizes, [1, 41, 1]);
}

#[test]
fn the_first_of_two_with_the_same_time_and_volume_stays() {
    let battery = |microvolts| Some(weir_domain::Battery::from_microvolts(microvolts));
    let mut kept = Kept::default();
    let first = Reading { battery: battery(1), ..reading(1, 1) };
    kept.append(&[reading(2, 2), first, Reading { battery: battery(2), ..first }]);
    kept.append(&[Reading { battery: None, ..first }]);
    assert_eq!(kept.readings(), [first, reading(2, 2)]);
}

#[test]
fn what_is_stored_wrongly_is_named_by_its_device() {
    let bytes = Block::decode(&codec::encode(&[reading(1, 1)])).unwrap().encode();
    let corrupt = |since, bytes: &[u8]| {
        Block::stored(DEVICE, Timestamp::from_micros(since), bytes).unwrap_err().to_string()
    };
    assert_eq!(
        corrupt(0, &bytes),
        "reading_block of device 7 since 1970-01-01T00:00:00+00:00 in the store makes no sense: \
         its first reading is of another time"
    );
    assert!(corrupt(1, &[]).ends_with("it holds no reading"));
}

#[test]
fn a_span_has_its_opening_and_not_its_end() {
    let all: Vec<_> = (0..6).map(|n| reading(n / 2 * 10, n)).collect();
    for (from, until, expected) in [
        (-5, 99, &all[..]),
        (0, 10, &all[..2]),
        (10, 20, &all[1..4]),
        (11, 12, &all[3..4]),
        (15, 15, &all[3..4]),
        (20, 10, &all[3..4]),
        (99, 199, &all[5..]),
        (-9, -5, &[]),
    ] {
        let (from, until) = (Timestamp::from_micros(from), Timestamp::from_micros(until));
        let span = Span { device: DEVICE, from, until };
        assert_eq!(with_opening(&all, &span), expected, "{from} {until}");
    }
}
