//! The months that no block reaches across.

use std::ops::Range;

use weir_domain::{Month, Timestamp};

/// The month of each of many moments. Most follow one of the same month, for which the calendar need
/// not be asked again.
#[derive(Debug, Clone)]
pub struct Months(Range<Timestamp>);

impl Default for Months {
    fn default() -> Self {
        Self(Timestamp::from_micros(0)..Timestamp::from_micros(0))
    }
}

impl Months {
    /// From when, and until before when, the month of a moment lasts.
    pub fn of(&mut self, time: Timestamp) -> Range<Timestamp> {
        if !self.0.contains(&time) {
            self.0 = around(time);
        }
        self.0.clone()
    }

    /// When the month of a moment begins.
    pub fn start(time: Timestamp) -> Timestamp {
        around(time).start
    }
}

fn around(time: Timestamp) -> Range<Timestamp> {
    let month = Month::of(time);
    let start = Month::from_number(month.number() - 1).end();
    // The first month of the calendar has none before it that could end.
    let start = if start <= time { start } else { Timestamp::from_micros(i64::MIN) };
    start..month.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_month_lasts_from_its_first_moment_to_before_that_of_the_next() {
        let mut months = Months::default();
        for (time, start, end) in [
            ("2026-02-28T23:59:59.999999Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
            ("2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"),
            ("2026-03-31T23:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"),
            ("2025-12-24T18:00:00Z", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(months.of(at(time)), at(start)..at(end), "{time}");
            assert_eq!(Months::start(at(time)), at(start), "{time}");
        }
    }

    #[test]
    fn the_ends_of_time_are_in_a_month() {
        for micros in [i64::MIN, i64::MIN + 1, i64::MAX - 1] {
            let time = Timestamp::from_micros(micros);
            assert!(Months::default().of(time).contains(&time), "{micros}");
        }
    }
}
