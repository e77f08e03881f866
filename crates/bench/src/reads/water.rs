//! What the meters read.

use weir_domain::consumption::kept::until_after;
use weir_domain::{Battery, DeviceKey, Name, Position, Reading, Status, Telemetry, Volume};
use weir_store::DeviceState;

use crate::fleet::{Fleet, Meter};

/// What every meter showed when it was installed, in millilitres.
const INSTALLED: i64 = 40_000_000;

/// A meter's readings, oldest first.
pub fn readings(fleet: &Fleet, meter: Meter) -> Vec<Reading> {
    let mut total = INSTALLED;
    let battery = Battery::from_microvolts(3_350_000 + (meter.0 % 250) as i32 * 1_000);
    let reading = |(hour, time)| {
        total += litres(meter, hour) * 1_000;
        Reading { time, volume: Volume::from_millilitres(total), battery: Some(battery) }
    };
    (0..).zip(fleet.read_at(meter)).map(reading).collect()
}

/// What flowed within an hour: a few litres, each hour others, never none in the whole of a day.
fn litres(meter: Meter, hour: u32) -> i64 {
    i64::from((meter.0 * 7 + hour * 13) % 23)
}

/// What is known of a meter once it has sent these readings. None of its days are kept yet.
pub fn state(fleet: &Fleet, meter: Meter, key: DeviceKey, readings: &[Reading]) -> DeviceState {
    let last = readings.last();
    let read_at = last.map(|reading| reading.time);
    let status = if meter.is_in_maintenance() { Status::Maintenance } else { Status::Offline };
    let telemetry = Telemetry {
        device_name: Some(Name::stored(format!("meter-{}", meter.0))),
        battery: last.and_then(|reading| reading.battery),
        last_reading_at: read_at,
        newest_reading_at: read_at,
        first_seen_at: read_at.min(Some(fleet.registered_at(meter))),
        last_seen_at: read_at,
        message_count: readings.len() as i64,
        position: Position { latitude: Some(38.72), longitude: Some(-9.14), altitude: None },
    };
    let days_until = until_after(None, readings);
    DeviceState { key, status: status.heard(), is_live: true, telemetry, days_until }
}

#[cfg(test)]
mod tests {
    use weir_domain::Timestamp;

    use super::*;

    #[test]
    fn a_meter_never_runs_backwards_and_uses_water_every_day() {
        let now = Timestamp::parse("2026-11-15T08:30:00Z").unwrap();
        let fleet = Fleet { buildings: 1, readings: 24 * 9, now };
        for meter in fleet.meters() {
            let volumes: Vec<i64> =
                readings(&fleet, meter).iter().map(|it| it.volume.millilitres()).collect();
            assert!(volumes.is_sorted());
            assert!(volumes.windows(24).all(|day| day[23] > day[0]));
        }
    }

    #[test]
    fn what_is_known_is_of_the_last_reading() {
        let now = Timestamp::parse("2026-11-15T08:30:00Z").unwrap();
        let fleet = Fleet { buildings: 10, readings: 3, now };
        for meter in fleet.meters() {
            let readings = readings(&fleet, meter);
            let state = state(&fleet, meter, DeviceKey(1), &readings);
            let telemetry = &state.telemetry;
            assert_eq!(telemetry.last_seen_at, readings.last().map(|it| it.time));
            assert!(telemetry.first_seen_at <= telemetry.last_seen_at);
            assert_eq!(state.days_until, Some(readings[0].time));
            let maintained = state.status == Status::Maintenance;
            assert_eq!(maintained, meter.is_in_maintenance());
        }
    }
}
