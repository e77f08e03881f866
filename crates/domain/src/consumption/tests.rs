use jiff::civil::date;
use proptest::prelude::*;

use super::*;

fn reading(time: &str, cubic_metres: f64) -> Reading {
    Reading {
        time: Timestamp::parse(time).unwrap(),
        volume: Volume::from_cubic_metres(cubic_metres).unwrap(),
        battery: None,
    }
}

fn litres(days: &[Day]) -> Vec<Option<f64>> {
    days.iter().map(|day| day.consumption.map(Volume::litres)).collect()
}

fn last_litres(days: &[Day]) -> Vec<Option<f64>> {
    days.iter().map(|day| day.last_reading.map(Volume::litres)).collect()
}

#[test]
fn a_day_counts_from_the_last_value_before_it() {
    let readings = vec![
        reading("2026-03-01T23:00:00Z", 10.0),
        reading("2026-03-02T08:00:00Z", 10.2),
        reading("2026-03-02T23:59:59.999999Z", 10.5),
        reading("2026-03-03T00:00:00Z", 10.6),
    ];
    let days = per_day(readings, &Calendar::UTC, date(2026, 3, 2), date(2026, 3, 3));
    assert_eq!(litres(&days), [Some(500.0), Some(100.0)]);
    assert_eq!(days.iter().map(|day| day.date.day()).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn the_first_day_of_a_meter_counts_from_its_first_value() {
    let readings =
        vec![reading("2026-03-02T08:00:00Z", 500.0), reading("2026-03-02T09:00:00Z", 500.25)];
    let days = per_day(readings, &Calendar::UTC, date(2026, 3, 1), date(2026, 3, 3));
    assert_eq!(litres(&days), [None, Some(250.0), None]);
    assert_eq!(last_litres(&days), [None, Some(500_250.0), Some(500_250.0)]);
    assert!(days[0].is_offline() && !days[1].is_offline() && days[2].is_offline());
}

#[test]
fn what_flowed_during_a_gap_falls_on_the_day_the_meter_came_back() {
    let readings = vec![
        reading("2026-02-01T12:00:00Z", 1.0),
        reading("2026-03-03T12:00:00Z", 9.0),
        reading("2026-03-05T12:00:00Z", 9.5),
    ];
    let days = per_day(readings, &Calendar::UTC, date(2026, 3, 2), date(2026, 3, 5));
    assert_eq!(litres(&days), [None, Some(8_000.0), None, Some(500.0)]);
    let last = [Some(1_000.0), Some(9_000.0), Some(9_000.0), Some(9_500.0)];
    assert_eq!(last_litres(&days), last);
}

#[test]
fn a_fall_of_more_than_100_litres_is_a_reset() {
    let day = |values: &[f64]| {
        let of_day =
            |(hour, value): (usize, &f64)| reading(&format!("2026-03-02T{hour:02}:00:00Z"), *value);
        let readings = values.iter().enumerate().map(of_day).collect();
        per_day(readings, &Calendar::UTC, date(2026, 3, 2), date(2026, 3, 2))[0]
    };
    let jitter = day(&[10.0, 9.9, 10.3]);
    assert_eq!((jitter.consumption.unwrap().litres(), jitter.is_reset), (300.0, false));
    let below = day(&[10.0, 9.95]);
    assert_eq!((below.consumption.unwrap().litres(), below.is_reset), (0.0, false));
    let reset = day(&[10.0, 10.4, 10.299_999, 0.0, 0.2, 7.0, 0.0]);
    assert_eq!((reset.consumption.unwrap().litres(), reset.is_reset), (7_400.0, true));
    let slow = day(&[10.0, 9.91, 9.82, 9.73]);
    assert_eq!((slow.consumption.unwrap().litres(), slow.is_reset), (0.0, false));
}

#[test]
fn a_meter_that_was_replaced_overnight_is_reset_the_next_day() {
    let readings = vec![
        reading("2026-03-01T23:00:00Z", 812.0),
        reading("2026-03-02T08:00:00Z", 0.1),
        reading("2026-03-02T20:00:00Z", 0.4),
        reading("2026-03-03T20:00:00Z", 0.5),
    ];
    let days = per_day(readings, &Calendar::UTC, date(2026, 3, 1), date(2026, 3, 3));
    assert_eq!(litres(&days), [Some(0.0), Some(300.0), Some(100.0)]);
    assert_eq!(days.iter().map(|day| day.is_reset).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn readings_of_the_same_time_are_ordered_by_volume() {
    let readings = vec![
        reading("2026-03-02T08:00:00Z", 2.0),
        reading("2026-03-02T08:00:00Z", 1.0),
        reading("2026-03-02T08:00:00Z", 3.0),
    ];
    let days = per_day(readings, &Calendar::UTC, date(2026, 3, 2), date(2026, 3, 2));
    assert_eq!(litres(&days), [Some(2_000.0)]);
    assert!(!days[0].is_reset);
}

#[test]
fn days_with_23_and_25_hours_hold_what_their_clocks_show() {
    let hourly = |from: &str, hours: usize| -> Vec<Reading> {
        let from = Timestamp::parse(from).unwrap();
        let at = |hour: usize| Reading {
            time: from.plus(std::time::Duration::from_secs(hour as u64 * 3_600)),
            volume: Volume::from_millilitres(hour as i64 * 1_000),
            battery: None,
        };
        (0..hours).map(at).collect()
    };
    for (zone, middle, hours) in [
        ("Europe/Madrid", date(2026, 3, 29), [24.0, 23.0, 24.0]),
        ("Europe/Madrid", date(2026, 10, 25), [24.0, 25.0, 24.0]),
        ("America/New_York", date(2026, 11, 1), [24.0, 25.0, 24.0]),
        ("Africa/Cairo", date(2026, 4, 24), [24.0, 23.0, 24.0]),
        ("America/Havana", date(2026, 11, 1), [24.0, 25.0, 24.0]),
        ("Asia/Kathmandu", date(2026, 3, 29), [24.0, 24.0, 24.0]),
    ] {
        let from = middle.yesterday().unwrap().yesterday().unwrap();
        let readings = hourly(&format!("{from}T00:00:00Z"), 140);
        let calendar = Calendar::named(zone).unwrap();
        let (first, last) = (middle.yesterday().unwrap(), middle.tomorrow().unwrap());
        let days = per_day(readings, &calendar, first, last);
        assert_eq!(litres(&days), hours.map(Some), "{zone} {middle}");
    }
}

#[test]
fn a_summary_is_over_days_with_data() {
    let day = |litres: Option<i64>| Day {
        date: date(2026, 3, 2),
        consumption: litres.map(|litres| Volume::from_millilitres(litres * 1_000)),
        last_reading: None,
        is_reset: false,
    };
    let summary = Summary::of(&[day(Some(1)), day(None), day(Some(4)), day(Some(0))]);
    assert_eq!(summary.total.litres(), 5.0);
    assert_eq!(summary.average.unwrap().millilitres(), 1_667);
    assert_eq!((summary.max.unwrap().litres(), summary.min.unwrap().litres()), (4.0, 0.0));
    assert_eq!((summary.days_with_data, summary.offline_days), (3, 1));
    let nothing = Summary::of(&[day(None)]);
    assert_eq!((nothing.total, nothing.average), (Volume::default(), None));
    assert_eq!((nothing.max, nothing.min, nothing.offline_days), (None, None, 1));
}

#[test]
fn a_meter_that_sends_nonsense_overflows_nothing() {
    let extremes = [Volume::default(), Volume::MAX].into_iter().cycle().take(40_000);
    let flow = Flow::through(extremes);
    assert_eq!((flow.volume.millilitres(), flow.is_reset), (i64::MAX, true));
}

const ZONES: [&str; 6] = [
    "UTC",
    "Europe/Madrid",
    "America/New_York",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Pacific/Auckland",
];

/// Around both changes of clocks in 2026, with many at the same second and many at midnight.
fn times() -> impl Strategy<Value = i64> {
    let hours = prop_oneof![0..20 * 24_i64, 5_000..5_480_i64];
    (hours, prop_oneof![Just(0), 0..3_600_000_000_i64])
        .prop_map(|(hour, rest)| 1_774_000_000_000_000 + hour * 3_600_000_000 + rest)
}

fn any_readings() -> impl Strategy<Value = Vec<Reading>> {
    let one = (times(), 0..2_000_000_i64).prop_map(|(time, volume)| Reading {
        time: Timestamp::from_micros(time),
        volume: Volume::from_millilitres(volume),
        battery: None,
    });
    prop::collection::vec(one, 0..60)
}

/// Readings of a counter that never falls.
fn rising_readings() -> impl Strategy<Value = Vec<Reading>> {
    prop::collection::vec((times(), 0..500_000_i64), 0..60).prop_map(|mut steps| {
        steps.sort_unstable();
        let risen = steps.iter().scan(0, |volume, (time, step)| {
            *volume += step;
            Some((*time, *volume))
        });
        let read = |(time, volume)| Reading {
            time: Timestamp::from_micros(time),
            volume: Volume::from_millilitres(volume),
            battery: None,
        };
        risen.map(read).collect()
    })
}

fn calendar() -> impl Strategy<Value = Calendar> {
    prop::sample::select(&ZONES[..]).prop_map(|zone| Calendar::named(zone).unwrap())
}

/// What a store gives for some days: their readings and the last before them.
fn with_opening(all: &[Reading], calendar: &Calendar, first: Date, last: Date) -> Vec<Reading> {
    let mut sorted = all.to_vec();
    sorted.sort_unstable_by_key(|reading| (reading.time, reading.volume));
    let from = sorted.partition_point(|reading| reading.time < calendar.start_of(first));
    let until = sorted.partition_point(|reading| reading.time < calendar.end_of(last));
    sorted[from.saturating_sub(1)..until].to_vec()
}

const FIRST: Date = date(2026, 3, 15);
const LAST: Date = date(2026, 11, 20);

proptest! {
    // A case is many days, and each of them asks for its time zone.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_arrival_and_repeats_change_nothing(
        readings in any_readings().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
        calendar in calendar(),
    ) {
        let (sent, mut arrived) = readings;
        let expected = per_day(sent, &calendar, FIRST, LAST);
        arrived.extend(arrived.clone());
        prop_assert_eq!(per_day(arrived, &calendar, FIRST, LAST), expected);
    }

    #[test]
    fn parts_of_a_period_are_the_period(
        readings in any_readings(),
        calendar in calendar(),
        at in 1..240_i64,
    ) {
        let whole = per_day(readings.clone(), &calendar, FIRST, LAST);
        let second = FIRST.saturating_add(jiff::Span::new().days(at));
        let first = second.yesterday().unwrap();
        let part = |from, to| {
            per_day(with_opening(&readings, &calendar, from, to), &calendar, from, to)
        };
        prop_assert_eq!([part(FIRST, first), part(second, LAST)].concat(), whole);
    }

    #[test]
    fn what_a_rising_counter_rose_is_what_its_days_come_to(
        readings in rising_readings(),
        calendar in calendar(),
    ) {
        let rise = match (readings.first(), readings.last()) {
            (Some(first), Some(last)) => last.volume.millilitres() - first.volume.millilitres(),
            _ => 0,
        };
        let days = per_day(readings, &calendar, FIRST, LAST);
        prop_assert_eq!(Summary::of(&days).total.millilitres(), rise);
        prop_assert!(days.iter().all(|day| !day.is_reset));
    }

    #[test]
    fn every_day_is_there_once_and_none_is_negative(
        readings in any_readings(),
        calendar in calendar(),
        first in 0..40_i64,
        count in 1..260_i64,
    ) {
        let first = date(2026, 3, 1).saturating_add(jiff::Span::new().days(first));
        let last = first.saturating_add(jiff::Span::new().days(count - 1));
        let days = per_day(with_opening(&readings, &calendar, first, last), &calendar, first, last);
        prop_assert_eq!(days.len(), count as usize);
        prop_assert!(days.windows(2).all(|pair| pair[0].date.tomorrow().ok() == Some(pair[1].date)));
        prop_assert!(days.iter().all(|day| day.consumption.is_none_or(|v| v >= Volume::default())));
        let summary = Summary::of(&days);
        prop_assert_eq!(summary.days_with_data + summary.offline_days, days.len());
        prop_assert!(summary.min <= summary.average && summary.average <= summary.max);
        for day in &days {
            let read = readings.iter().any(|reading| calendar.day_of(reading.time) == day.date);
            prop_assert_eq!(day.is_offline(), !read);
        }
    }
}
