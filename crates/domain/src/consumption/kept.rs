//! Finished days that are kept, so that they need not be computed from readings again.
//!
//! A device's days are kept up to a moment: every day that ended by then and had readings. A new
//! reading moves that moment back where it is earlier, since it changes its own day and the next one
//! that has readings; nothing else has to be undone, for what lies after the moment is not looked at.

use std::time::Duration;

use jiff::ToSpan;
use jiff::civil::Date;

use super::{Day, days_after, per_day};
use crate::calendar::Calendar;
use crate::{Reading, Timestamp, Volume};

/// No question reaches further back than a year; the rest is for time zones and clocks that run ahead.
const REACH: i64 = 370;
/// Days are about that long: it is not worth looking for a finished one sooner.
const ABOUT_A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// One finished day of a device that had readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptDay {
    /// Which day.
    pub date: Date,
    /// What was consumed.
    pub consumption: Volume,
    /// The last cumulative value.
    pub last_reading: Volume,
    /// Whether the meter was replaced.
    pub is_reset: bool,
}

/// What is kept of a device's days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDays {
    /// Up to which moment.
    pub until: Timestamp,
    /// Days, oldest first; those that ended after that moment mean nothing.
    pub days: Vec<KeptDay>,
}

impl KeptDays {
    /// The first day that has to be computed from readings.
    pub fn first_open(&self, calendar: &Calendar) -> Date {
        calendar.day_of(self.until)
    }
}

/// The moment up to which a device's days are kept once these readings are added.
pub fn until_after(until: Option<Timestamp>, readings: &[Reading]) -> Option<Timestamp> {
    // Before its first reading there is no day that could be missing.
    readings.iter().map(|reading| reading.time).chain(until).min()
}

/// Whether a device has probably finished a day that is not kept yet.
pub fn is_due(until: Option<Timestamp>, newest: Option<Timestamp>) -> bool {
    matches!((until, newest), (Some(until), Some(newest)) if until.plus(ABOUT_A_DAY) <= newest)
}

/// The days that could be kept next of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextDays {
    /// Kept days of that date and later make way. That is all of them where days between them and the
    /// next ones are passed over: what is kept has no gaps.
    pub from: Date,
    /// The first of the next days.
    pub first: Date,
    /// The day after the last of them.
    pub end: Date,
}

/// The days that could be kept next of a device whose days are kept up to a moment and whose newest
/// reading is of another. There are at most `most`.
pub fn next_days(
    calendar: &Calendar,
    until: Timestamp,
    newest: Timestamp,
    most: i64,
) -> Option<NextDays> {
    let open = calendar.day_of(newest);
    let (due, reach) = (calendar.day_of(until), open.saturating_sub(REACH.days()));
    let first = due.max(reach);
    let end = open.min(first.saturating_add(most.days()));
    let from = if due < reach { Date::MIN } else { first };
    (first < end).then_some(NextDays { from, first, end })
}

/// The finished days from one to before another that had readings. The readings are those of these
/// days and, where there is one, the last before them.
pub fn finished(
    readings: Vec<Reading>,
    calendar: &Calendar,
    first: Date,
    end: Date,
) -> Vec<KeptDay> {
    let Ok(last) = end.yesterday() else { return Vec::new() };
    let days = per_day(readings, calendar, first, last);
    days.into_iter().filter_map(|day| KeptDay::of(&day)).collect()
}

impl KeptDay {
    /// A day that had readings.
    fn of(day: &Day) -> Option<Self> {
        Some(Self {
            date: day.date,
            consumption: day.consumption?,
            last_reading: day.last_reading?,
            is_reset: day.is_reset,
        })
    }
}

/// The same days as [`per_day`] gives, oldest first, from days that are kept and the readings after
/// them.
///
/// `before` is the last value before the first day, which is not after the open one. The kept days are
/// those from `first` to before `open`, the readings those from `open` on.
pub fn per_day_from(
    kept: &[KeptDay],
    before: Option<Volume>,
    mut readings: Vec<Reading>,
    calendar: &Calendar,
    (first, open, last): (Date, Date, Date),
) -> Vec<Day> {
    let mut known = kept.iter().skip_while(|day| day.date < first).peekable();
    let mut last_reading = before;
    let mut days = Vec::new();
    for date in first.series(1.day()).take_while(|date| *date < open && *date <= last) {
        let day = known.next_if(|day| day.date == date);
        last_reading = day.map(|day| day.last_reading).or(last_reading);
        days.push(Day {
            date,
            consumption: day.map(|day| day.consumption),
            last_reading,
            is_reset: day.is_some_and(|day| day.is_reset),
        });
    }
    readings.sort_unstable_by_key(|reading| (reading.time, reading.volume));
    days.extend(days_after(last_reading, &readings, calendar, open, last));
    days
}

#[cfg(test)]
mod tests;
