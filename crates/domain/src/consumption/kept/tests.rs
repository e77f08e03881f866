use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const HOUR: i64 = 3_600_000_000;

fn reading(hour: i64, litres: i64) -> Reading {
    // Hour 0 is in the spring of 2026, a few days before clocks go forward.
    let start = Timestamp::parse("2026-03-26T00:00:00Z").unwrap();
    Reading {
        time: Timestamp::from_micros(start.micros() + hour * HOUR),
        volume: Volume::from_millilitres(litres * 1_000),
        battery: None,
    }
}

/// What is kept of one device, as a store keeps it.
#[derive(Default)]
struct Keeper {
    readings: Vec<Reading>,
    until: Option<Timestamp>,
    days: Vec<KeptDay>,
}

impl Keeper {
    /// The readings of a span, with the last one before it.
    fn with_opening(&self, from: Timestamp, until: Timestamp) -> Vec<Reading> {
        let mut all = self.readings.clone();
        all.sort_unstable_by_key(|reading| (reading.time, reading.volume));
        let before = all.iter().rev().find(|reading| reading.time < from);
        let within = all.iter().filter(|reading| reading.time >= from && reading.time < until);
        before.into_iter().chain(within).copied().collect()
    }

    fn add(&mut self, readings: &[Reading], calendar: &Calendar, most: i64) {
        self.readings.extend(readings);
        self.until = until_after(self.until, readings);
        let newest = self.readings.iter().map(|reading| reading.time).max();
        let (Some(until), Some(newest)) = (self.until, newest) else { return };
        if !is_due(Some(until), Some(newest)) {
            return;
        }
        if let Some(NextDays { from, first, end }) = next_days(calendar, until, newest, most) {
            let span = self.with_opening(calendar.start_of(first), calendar.start_of(end));
            self.days.retain(|day| day.date < from);
            self.days.extend(finished(span, calendar, first, end));
            self.until = Some(calendar.start_of(end));
        }
    }

    fn days(&self, calendar: &Calendar, first: Date, last: Date) -> Vec<Day> {
        let kept = KeptDays {
            until: self.until.unwrap_or(Timestamp::from_micros(0)),
            days: self.days.clone(),
        };
        let open = kept.first_open(calendar);
        if first > open {
            let span = self.with_opening(calendar.start_of(first), calendar.end_of(last));
            return per_day(span, calendar, first, last);
        }
        let in_front = kept.days.iter().rev().find(|day| day.date < first);
        let opening = self.with_opening(calendar.start_of(first), calendar.start_of(first));
        let opening = opening.last().map(|reading| reading.volume);
        let before = in_front.map(|day| day.last_reading).or(opening);
        let mut rest = self.readings.clone();
        rest.retain(|reading| reading.time >= calendar.start_of(open));
        per_day_from(&kept.days, before, rest, calendar, (first, open, last))
    }
}

#[test]
fn a_day_is_kept_once_the_next_one_has_begun() {
    let mut keeper = Keeper::default();
    keeper.add(&[reading(1, 10)], &Calendar::UTC, 9);
    keeper.add(&[reading(23, 12)], &Calendar::UTC, 9);
    assert_eq!(keeper.days, []);
    keeper.add(&[reading(25, 13)], &Calendar::UTC, 9);
    assert_eq!(keeper.days.len(), 1);
    assert_eq!(keeper.days[0].consumption.litres(), 2.0);
    assert_eq!(keeper.until, Some(reading(24, 0).time));
    keeper.add(&[reading(2, 11)], &Calendar::UTC, 9);
    assert_eq!(keeper.until, Some(reading(2, 0).time), "a late reading moves it back");
}

#[test]
fn catching_up_takes_a_few_days_at_a_time() {
    let from = Timestamp::from_micros(0);
    let newest = reading(30, 0).time;
    let NextDays { from, first, end } = next_days(&Calendar::UTC, from, newest, 8).unwrap();
    assert_eq!(from, Date::MIN, "days before them were passed over");
    assert_eq!(first, date(2026, 3, 27).saturating_sub(REACH.days()));
    assert_eq!(end, first.saturating_add(8.days()));
    assert_eq!(next_days(&Calendar::UTC, newest, newest, 8), None);
}

proptest! {
    #[test]
    fn kept_days_are_those_that_readings_give(
        // Some days close together, with or without others more than a year before them.
        past in proptest::collection::vec((-10_600..-10_400_i64, 0..900_i64), 0..12),
        readings in proptest::collection::vec((0..240_i64, 0..900_i64), 1..80),
        batch in 1..9_usize,
        zone in prop_oneof![Just("UTC"), Just("Europe/Lisbon"), Just("Asia/Kathmandu")],
        most in prop_oneof![1..5_i64, Just(400)],
        (skipped, count) in (0..8_i64, 1..8_i64),
    ) {
        let calendar = Calendar::named(zone).unwrap();
        let readings = past.into_iter().chain(readings);
        let readings: Vec<_> = readings.map(|(hour, litres)| reading(hour, litres)).collect();
        let mut keeper = Keeper::default();
        for batch in readings.chunks(batch) {
            keeper.add(batch, &calendar, most);
        }
        let first = date(2026, 3, 25).saturating_add(skipped.days());
        let last = first.saturating_add(count.days());
        let span = keeper.with_opening(calendar.start_of(first), calendar.end_of(last));
        prop_assert_eq!(
            keeper.days(&calendar, first, last),
            per_day(span, &calendar, first, last)
        );
    }
}
