//! A meter and what it reads in a run.

use std::time::Duration;

use weir_domain::{Battery, Eui, Reading, Timestamp, Volume};

use crate::household::{chance, used};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// How far back the readings of a run may reach: well inside the history that can be asked for.
const LONGEST: Duration = Duration::from_secs(300 * 24 * 60 * 60);

/// How close two readings of a meter may be.
const CLOSEST: Duration = Duration::from_millis(1);

/// From Monday's midnight to that of 1 January 1970.
const THURSDAY: u64 = 3 * 24;

/// What a meter showed last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// When.
    pub time: Timestamp,
    /// How much.
    pub volume: Volume,
}

/// Which network server a meter's uplinks come through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// ChirpStack v4.
    ChirpStack,
    /// The Things Stack v3.
    TheThingsStack,
}

/// A meter.
#[derive(Debug)]
pub struct Meter {
    /// Its EUI.
    pub eui: Eui,
    /// Where its uplinks come through.
    pub network: Network,
    /// What it reads, in the order in which it is sent.
    pub readings: Vec<Reading>,
    /// What makes it behave differently from others.
    habit: u64,
}

impl Meter {
    /// A meter that goes on from what it showed last: one reading an hour up to now, and closer ones
    /// where there is no room for that since the last.
    pub fn new(
        (number, eui): (usize, Eui),
        seed: u64,
        shown: Option<Shown>,
        turns: usize,
        now: Timestamp,
    ) -> Self {
        let habit = chance(eui.bits(), seed);
        let turns_or_one = u32::try_from(turns).unwrap_or(u32::MAX).max(1);
        let earliest = now.minus(HOUR.saturating_mul(turns_or_one).min(LONGEST));
        let begin = shown.map_or(earliest, |shown| shown.time.max(earliest));
        let room = u64::try_from(now.micros() - begin.micros()).unwrap_or(0);
        let step = (Duration::from_micros(room) / turns_or_one).max(CLOSEST);
        let mut total = match shown {
            Some(shown) => shown.volume.millilitres(),
            None => 20_000_000 + (chance(habit, 0) % 80_000) as i64 * 1_000,
        };
        let mut time = begin;
        let mut read = || {
            time = time.plus(step);
            total += flow(habit, time, step);
            Reading {
                time,
                volume: Volume::from_millilitres(total).min(Volume::MAX),
                battery: Some(Battery::from_microvolts(3_400_000 + (habit % 200) as i32 * 1_000)),
            }
        };
        let readings = (0..turns).map(|_| read()).collect();
        let network = match number % 2 {
            0 => Network::ChirpStack,
            _ => Network::TheThingsStack,
        };
        Self { eui, network, readings, habit }
    }

    /// The same, with this many per cent of its readings overtaken by the one after them.
    #[must_use]
    pub fn delayed(mut self, percent: u8) -> Self {
        let mut place = 0;
        while place + 1 < self.readings.len() {
            if chance(self.habit ^ 0x1a7e, place as u64) % 100 < u64::from(percent) {
                self.readings.swap(place, place + 1);
                // What was overtaken is not overtaken again.
                place += 1;
            }
            place += 1;
        }
        self
    }
}

/// What flows in the stretch before a moment, in millilitres.
fn flow(household: u64, until: Timestamp, stretch: Duration) -> i64 {
    let hour = until.micros().unsigned_abs() / HOUR.as_micros() as u64 + THURSDAY;
    let share = stretch.as_secs_f64() / HOUR.as_secs_f64();
    (used(household, hour) as f64 * share) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::simulate::fleet::Block;

    fn now() -> Timestamp {
        Timestamp::parse("2026-11-15T08:30:00Z").unwrap()
    }

    fn numbered(number: usize) -> (usize, Eui) {
        (number, Block::of("Acme").eui(number))
    }

    fn rises(readings: &[Reading]) -> bool {
        readings.is_sorted_by(|one, next| one.time < next.time && one.volume <= next.volume)
    }

    #[test]
    fn a_new_meter_has_read_every_hour_until_now() {
        let meter = Meter::new(numbered(3), 0, None, 48, now());
        assert_eq!((meter.eui.as_str(), meter.readings.len()), (numbered(3).1.as_str(), 48));
        assert!(rises(&meter.readings));
        assert_eq!(meter.readings[47].time, now());
        assert_eq!(meter.readings[0].time, now().minus(HOUR * 47));
        let uses_water = |number: &usize| {
            let readings = Meter::new(numbered(*number), 0, None, 48, now()).readings;
            readings[47].volume > readings[0].volume
        };
        assert!((0..100).filter(uses_water).count() > 80, "only a few are on holiday");
        let networks: Vec<_> =
            (0..2).map(|number| Meter::new(numbered(number), 0, None, 1, now()).network).collect();
        assert_eq!(networks, [Network::ChirpStack, Network::TheThingsStack]);
    }

    #[test]
    fn a_known_meter_goes_on_and_never_falls() {
        let volume = Volume::from_cubic_metres(512.345).unwrap();
        let pauses = [HOUR * 240, HOUR * 5, Duration::from_secs(2), Duration::ZERO];
        let moments = pauses.map(|pause| now().minus(pause)).into_iter();
        for time in moments.chain([now().plus(HOUR)]) {
            let meter = Meter::new(numbered(0), 0, Some(Shown { time, volume }), 100, now());
            assert!(rises(&meter.readings));
            assert!(meter.readings[0].time > time && meter.readings[0].volume >= volume);
        }
    }

    #[test]
    fn a_long_run_stays_inside_the_history() {
        let meter = Meter::new(numbered(0), 0, None, 50_000, now());
        assert!(rises(&meter.readings));
        assert!(meter.readings[0].time >= now().minus(LONGEST));
    }

    #[test]
    fn a_share_of_readings_comes_late_and_none_is_lost() {
        let readings =
            |percent| Meter::new(numbered(5), 7, None, 2_000, now()).delayed(percent).readings;
        let late = |readings: &[Reading]| {
            readings.windows(2).filter(|pair| pair[1].time < pair[0].time).count()
        };
        assert_eq!(late(&readings(0)), 0);
        assert!((100..300).contains(&late(&readings(10))), "{}", late(&readings(10)));
        assert_eq!(late(&readings(100)), 1_000);
        let mut sorted = readings(10);
        sorted.sort_by_key(|reading| reading.time);
        assert_eq!(sorted, readings(0));
    }
}
