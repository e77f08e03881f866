//! What was consumed, by calendar days.
//!
//! A meter shows a cumulative value that only rises. Where it falls by more than 100 litres between
//! two readings, the meter was replaced: the fall counts nothing and what follows is a new piece. A
//! smaller fall is jitter and stays inside its piece. A piece counts its last value less its first,
//! and never less than nothing.

pub mod kept;

use jiff::civil::Date;

use crate::calendar::Calendar;
use crate::{Reading, Timestamp, Volume};

/// How far a meter may fall without having been replaced: 100 litres.
const JITTER: i64 = 100_000;

/// What was consumed in a stretch of readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flow {
    /// How much.
    pub volume: Volume,
    /// Whether the meter was replaced on the way.
    pub is_reset: bool,
}

impl Flow {
    /// The flow through these cumulative values, oldest first.
    pub fn through(values: impl IntoIterator<Item = Volume>) -> Self {
        let mut flow = Self::default();
        let mut piece: Option<(Volume, Volume)> = None;
        for value in values {
            piece = Some(match piece {
                None => (value, value),
                Some((first, last)) if last.millilitres() - value.millilitres() > JITTER => {
                    flow.is_reset = true;
                    flow.add(first, last);
                    (value, value)
                }
                Some((first, _)) => (first, value),
            });
        }
        if let Some((first, last)) = piece {
            flow.add(first, last);
        }
        flow
    }

    fn add(&mut self, first: Volume, last: Volume) {
        let rise = (last.millilitres() - first.millilitres()).max(0);
        self.volume = sum([self.volume, Volume::from_millilitres(rise)]);
    }
}

/// One calendar day of a meter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Which day.
    pub date: Date,
    /// What was consumed; none where nothing was read.
    pub consumption: Option<Volume>,
    /// The last cumulative value known at its end; none before the first reading.
    pub last_reading: Option<Volume>,
    /// Whether the meter was replaced.
    pub is_reset: bool,
}

impl Day {
    /// Whether nothing was read.
    pub const fn is_offline(&self) -> bool {
        self.consumption.is_none()
    }

    /// A day with these readings, after that last value before it. The value opens the day's first
    /// piece, so what flowed during a gap falls on the day the meter came back.
    fn of(date: Date, before: Option<Volume>, readings: &[Reading]) -> Self {
        let values = readings.iter().map(|reading| reading.volume);
        let Some(last) = values.clone().next_back() else {
            return Self { date, consumption: None, last_reading: before, is_reset: false };
        };
        let flow = Flow::through(before.into_iter().chain(values));
        Self {
            date,
            consumption: Some(flow.volume),
            last_reading: Some(last),
            is_reset: flow.is_reset,
        }
    }
}

/// The days from one to another, both included, oldest first.
///
/// The readings are those of these days and, where there is one, the last before them. Their order
/// does not matter: they are put in that of time, those of the same time in that of volume.
pub fn per_day(
    mut readings: Vec<Reading>,
    calendar: &Calendar,
    first: Date,
    last: Date,
) -> Vec<Day> {
    readings.sort_unstable_by_key(|reading| (reading.time, reading.volume));
    let mut rest = readings.as_slice();
    let before = until(&mut rest, calendar.start_of(first)).last().map(|last| last.volume);
    days_after(before, rest, calendar, first, last)
}

/// The same from the last value before the first day and the readings since, in order.
fn days_after(
    mut before: Option<Volume>,
    mut rest: &[Reading],
    calendar: &Calendar,
    first: Date,
    last: Date,
) -> Vec<Day> {
    let mut days = Vec::new();
    for date in first.series(jiff::Span::new().days(1)).take_while(|date| *date <= last) {
        let day = Day::of(date, before, until(&mut rest, calendar.end_of(date)));
        before = day.last_reading;
        days.push(day);
    }
    days
}

/// Takes the readings before a moment from the front.
fn until<'a>(rest: &mut &'a [Reading], end: Timestamp) -> &'a [Reading] {
    let (taken, left) = rest.split_at(rest.partition_point(|reading| reading.time < end));
    *rest = left;
    taken
}

/// What several days come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// All that was consumed.
    pub total: Volume,
    /// The mean over days with data, to the nearest millilitre.
    pub average: Option<Volume>,
    /// The most on a day with data.
    pub max: Option<Volume>,
    /// The least on a day with data.
    pub min: Option<Volume>,
    /// How many days have readings.
    pub days_with_data: usize,
    /// How many have none.
    pub offline_days: usize,
}

impl Summary {
    /// What these days come to.
    pub fn of(days: &[Day]) -> Self {
        let consumed = days.iter().filter_map(|day| day.consumption);
        let (total, count) = (sum(consumed.clone()), consumed.clone().count());
        let average = (count > 0).then(|| {
            let count = count as i64;
            Volume::from_millilitres(total.millilitres().saturating_add(count / 2) / count)
        });
        Self {
            total,
            average,
            max: consumed.clone().max(),
            min: consumed.min(),
            days_with_data: count,
            offline_days: days.len() - count,
        }
    }
}

/// A sum. It stops at the largest number, for a broken meter can send any values in any order.
fn sum(volumes: impl IntoIterator<Item = Volume>) -> Volume {
    let millilitres = volumes.into_iter().map(Volume::millilitres);
    Volume::from_millilitres(millilitres.fold(0, i64::saturating_add))
}

#[cfg(test)]
mod tests;
