use proptest::collection::vec;
use proptest::prelude::*;

use super::super::Block;
use super::*;

fn reading(micros: i64, millilitres: i64, microvolts: Option<i32>) -> Reading {
    Reading {
        time: Timestamp::from_micros(micros),
        volume: Volume::from_millilitres(millilitres),
        battery: microvolts.map(Battery::from_microvolts),
    }
}

/// Readings in order, near and far, in all kinds of units.
fn readings() -> impl Strategy<Value = Vec<Reading>> {
    let time = prop_oneof![
        (0..2_678_400_i64).prop_map(|second| 1_767_225_600_000_000 + second * 1_000_000),
        0..100_i64,
        any::<i64>(),
    ];
    let volume = prop_oneof![(0..5_000_i64).prop_map(|litre| litre * 1_000), any::<i64>()];
    let battery = prop_oneof![
        Just(None),
        Just(Some(3_600_000)),
        (-1_000_000_000..=1_000_000_000_i32).prop_map(Some),
    ];
    let one = (time, volume, battery).prop_map(|(t, v, b)| reading(t, v, b));
    vec(one, 1..80).prop_map(|mut readings| {
        readings.sort_by_key(place);
        readings.dedup_by_key(|reading| place(reading));
        readings
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read(readings in readings()) {
        prop_assert_eq!(decode(&encode(&readings)), Ok(readings.clone()));
        prop_assert_eq!(decode(&plain(&readings)), Ok(readings));
    }

    #[test]
    fn no_bytes_are_too_strange_to_be_judged(mut bytes in vec(any::<u8>(), 0..100), form in 0..3_u8) {
        let _ = decode(&bytes);
        if let Some(first) = bytes.first_mut() {
            *first = form;
        }
        if let Ok(readings) = decode(&bytes) {
            prop_assert_eq!(decode(&encode(&readings)), Ok(readings));
        }
    }

    #[test]
    fn damage_is_noticed_or_leaves_readings_in_order(
        readings in readings(), at in any::<prop::sample::Index>(), value in any::<u8>(),
    ) {
        for mut bytes in [encode(&readings), plain(&readings)] {
            let at = at.index(bytes.len());
            bytes[at] = value;
            if let Ok(block) = Block::decode(&bytes) {
                prop_assert!(block.readings().is_sorted_by(|one, next| place(one) < place(next)));
                prop_assert_eq!(block.readings()[0].time, block.since());
            }
            bytes.truncate(at);
            let _ = decode(&bytes);
        }
    }
}

#[test]
fn the_forms_are_these_bytes() {
    let readings = [
        reading(256, 1_000, Some(2)),
        reading(1_000_256, 31_000, Some(2)),
        reading(2_000_256, 30_000, None),
        reading(3_000_256, 30_000, Some(1)),
    ];
    let backwards = [
        &[6 << 4 | 3][..],
        &[0, 0, 0, 0, 0, 0, 1, 0, 0xd0, 0x0f, 5],
        &[2, 60],
        &[3, 1, 0],
        &[3, 0, 2],
    ];
    let mut packed = backwards.concat();
    packed.push(1);
    packed.reverse();
    assert_eq!(encode(&readings), packed);
    assert!(packed.ends_with(&encode(&readings[..3])[1..]), "a block grows in front");
    let plain = [
        &[0][..],
        &[0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x03, 0xe8, 0, 0, 0, 2],
        &[0xff; 8],
        &[0, 0, 0, 0, 0, 0, 0, 7, 0x80, 0, 0, 0],
    ];
    let rows = [reading(256, 1_000, Some(2)), reading(-1, 7, None)];
    assert_eq!(self::plain(&rows), plain.concat());
}

#[test]
fn a_reading_an_hour_takes_little() {
    let hours: Vec<_> = (0..32)
        .map(|hour| {
            let micros = 1_767_225_600_123_456 + hour * 3_600_000_000 + hour * hour % 7 * 1_117;
            reading(micros, 123_456_000 + hour * 27_000, Some(3_612_000))
        })
        .collect();
    assert!(encode(&hours).len() < 32 * 7, "{}", encode(&hours).len());
}

#[test]
fn what_is_no_block_is_named() {
    for (bytes, reason) in [
        (&[][..], NotABlock::Empty),
        (&[0], NotABlock::Empty),
        (&[7, 1, 2], NotABlock::Form(7)),
        (&[0, 1, 2], NotABlock::CutOff),
    ] {
        assert_eq!(decode(bytes), Err(reason), "{bytes:?}");
    }
    // Units, a time and a volume of zero, and then.
    for (units, rest, reason) in [
        (0x80, &[0, 0][..], NotABlock::OutOfRange),
        (0, &[0, 0, 0, 0], NotABlock::OutOfOrder),
        (0, &[0, 0, 2], NotABlock::CutOff),
        (0, &[0xff], NotABlock::CutOff),
        (0, &[0xff; 10], NotABlock::OutOfRange),
        (0, &[0, 0xff, 0xff, 0xff, 0xff, 0x7f], NotABlock::OutOfRange),
        (0, &[], NotABlock::CutOff),
    ] {
        let mut bytes = [&[units, 0, 0, 0, 0, 0, 0, 0, 0], rest, &[1]].concat();
        bytes.reverse();
        assert_eq!(decode(&bytes), Err(reason), "{bytes:?}");
    }
}
