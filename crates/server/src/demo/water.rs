//! Two years of water, hour by hour. The same meter always has the same history.

use std::time::Duration;

use weir_domain::consumption::kept::until_after;
use weir_domain::telemetry::Message;
use weir_domain::{Battery, DeviceKey, Name, Position, Reading, Timestamp, Volume};
use weir_store::DeviceState;

use super::fleet::{Habit, Meter};
use crate::household;

const HOUR: Duration = Duration::from_secs(60 * 60);
const HOURS: u64 = 2 * 365 * 24;
/// How far histories reach back.
pub const PAST: Duration = Duration::from_secs(HOURS * 60 * 60);
/// The first Monday of 1970, from which households count their hours.
const MONDAY: Timestamp = Timestamp::from_micros(4 * 24 * 60 * 60 * 1_000_000);
/// How many hours before now a silent meter was last heard.
const SILENT_HOURS: u64 = 5 * 24;
/// How many hours before now a meter was replaced.
const REPLACED_HOURS: u64 = 90 * 24;
/// How many hours before now a leak began.
const LEAK_HOURS: u64 = 30 * 24;
/// What a leak loses in an hour, in millilitres.
const LEAK: i64 = 14_000;

/// A meter's past.
pub struct History {
    /// Its readings.
    pub readings: Vec<(DeviceKey, Reading)>,
    /// What is known of it after them.
    pub state: DeviceState,
}

/// The past of a meter up to the last full hour.
pub fn history(meter: &Meter, mut state: DeviceState, now: Timestamp) -> History {
    let hour = HOUR.as_micros() as i64;
    let last = now.micros() - now.micros().rem_euclid(hour);
    let name = Name::salvage(&meter.name.to_lowercase().replace(", ", "-").replace(' ', "-"));
    let (latitude, longitude) = meter.place;
    let mut total: i64 =
        40_000_000 + (household::chance(meter.eui.bits(), 0) % 30_000) as i64 * 1_000;
    let mut readings = Vec::with_capacity(HOURS as usize);
    for ago in (0..HOURS).rev() {
        let before = Timestamp::from_micros(last - ago as i64 * hour).minus(HOUR);
        let used = |(flat, habit): &(u64, Habit)| used(*flat, *habit, before, ago);
        total += meter.flats.iter().map(used).sum::<i64>();
        match meter.habit {
            Habit::Losing => total += 21_000,
            Habit::Replaced if ago == REPLACED_HOURS => total = 0,
            Habit::Silent if ago < SILENT_HOURS => continue,
            _ => {}
        }
        let reading = Reading {
            time: Timestamp::from_micros(last - ago as i64 * hour),
            volume: Volume::from_millilitres(total),
            battery: Some(Battery::from_microvolts(3_350_000 + (ago * 250_000 / HOURS) as i32)),
        };
        state.telemetry.absorb(&Message {
            received_at: reading.time,
            device_name: name.as_ref(),
            position: Position {
                latitude: Some(latitude),
                longitude: Some(longitude),
                altitude: None,
            },
            readings: &[reading],
        });
        state.status = state.status.heard();
        state.days_until = until_after(state.days_until, &[reading]);
        readings.push((state.key, reading));
    }
    History { readings, state }
}

/// What a flat used in the hour that begins at a moment, in millilitres.
fn used(flat: u64, habit: Habit, at: Timestamp, ago: u64) -> i64 {
    let leak = if habit == Habit::Leaking && ago < LEAK_HOURS { LEAK } else { 0 };
    let since_monday = at.micros() - MONDAY.micros();
    household::used(flat, (since_monday / HOUR.as_micros() as i64).unsigned_abs()) + leak
}

#[cfg(test)]
mod tests {
    use weir_domain::{Status, Telemetry};

    use super::*;
    use crate::demo::fleet::buildings;

    fn state(key: i64) -> DeviceState {
        DeviceState {
            key: DeviceKey(key),
            status: Status::Offline,
            is_live: true,
            telemetry: Telemetry::default(),
            days_until: None,
        }
    }

    fn now() -> Timestamp {
        Timestamp::parse("2026-11-15T08:30:00Z").unwrap()
    }

    #[test]
    fn a_principal_meter_shows_what_its_flats_used() {
        let quay = buildings()[1];
        let rise = |meter: &Meter| {
            let readings = history(meter, state(1), now()).readings;
            readings[readings.len() - 1].1.volume.millilitres() - readings[0].1.volume.millilitres()
        };
        let meters = quay.meters();
        assert_eq!(rise(&meters[0]), meters[1..].iter().map(rise).sum::<i64>());
        assert!(
            rise(&meters[1]) > 2 * 300 * 100_000,
            "a flat uses at least a hundred litres on most days"
        );
    }

    #[test]
    fn only_a_replaced_meter_ever_falls_and_only_a_silent_one_ends_early() {
        for building in buildings() {
            for meter in building.meters() {
                let history = history(&meter, state(1), now());
                let falls = history
                    .readings
                    .windows(2)
                    .filter(|pair| pair[1].1.volume < pair[0].1.volume)
                    .count();
                assert_eq!(falls, usize::from(meter.habit == Habit::Replaced), "{}", meter.name);
                let last = history.readings.last().unwrap().1.time;
                let silent = meter.habit == Habit::Silent;
                assert_eq!(last < now().minus(HOUR * 48), silent, "{}", meter.name);
                assert_eq!(history.state.telemetry.message_count, history.readings.len() as i64);
            }
        }
    }
}
