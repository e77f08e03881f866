//! What messages say about a device, and how each one changes what is known.

use serde::{Deserialize, Serialize};

use crate::{Battery, Name, Reading, Timestamp};

/// A position. Each coordinate is known on its own: a message may bring some of them.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Position {
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// Metres.
    pub altitude: Option<f64>,
}

impl Position {
    /// Whether no coordinate is known.
    pub const fn is_empty(&self) -> bool {
        self.latitude.is_none() && self.longitude.is_none() && self.altitude.is_none()
    }

    fn update(&mut self, newer: Self) {
        self.latitude = newer.latitude.or(self.latitude);
        self.longitude = newer.longitude.or(self.longitude);
        self.altitude = newer.altitude.or(self.altitude);
    }
}

/// What the messages of a device, registered or not, have said so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Telemetry {
    /// The device name in the payloads; also settable by a person: the latest word wins.
    pub device_name: Option<Name>,
    /// The battery of the newest reading that had one.
    pub battery: Option<Battery>,
    /// The newest reading time seen, never ahead of the clock that received it.
    pub last_reading_at: Option<Timestamp>,
    /// The newest reading time as payloads gave it: what is later than this cannot be a repeat.
    pub newest_reading_at: Option<Timestamp>,
    /// When the first message reached the service.
    pub first_seen_at: Option<Timestamp>,
    /// When the last message reached the service.
    pub last_seen_at: Option<Timestamp>,
    /// How many messages were accepted, repeats too.
    pub message_count: i64,
    /// Where the device says it is.
    pub position: Position,
}

/// One accepted message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'a> {
    /// When it reached the service.
    pub received_at: Timestamp,
    /// The device name in it.
    pub device_name: Option<&'a Name>,
    /// The position in it.
    pub position: Position,
    /// Its readings; at least one.
    pub readings: &'a [Reading],
}

impl Telemetry {
    /// Takes a message in. Messages come in the order in which they were received; their readings
    /// may be of any time, and one that is not newer, be it late or a repeat, changes neither
    /// `last_reading_at` nor the battery nor the position.
    pub fn absorb(&mut self, message: &Message<'_>) {
        self.first_seen_at.get_or_insert(message.received_at);
        self.last_seen_at = self.last_seen_at.max(Some(message.received_at));
        self.message_count += 1;
        if let Some(name) = message.device_name {
            self.device_name = Some(name.clone());
        }
        let mut news = false;
        for reading in message.readings {
            let at = reading.time.min(message.received_at);
            if self.last_reading_at.is_none_or(|last| at > last) {
                self.last_reading_at = Some(at);
                self.battery = reading.battery.or(self.battery);
                news = true;
            }
            self.newest_reading_at = self.newest_reading_at.max(Some(reading.time));
        }
        if news {
            self.position.update(message.position);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Volume;

    fn reading(time: i64, battery: Option<i32>) -> Reading {
        Reading {
            time: Timestamp::from_micros(time),
            volume: Volume::from_millilitres(time),
            battery: battery.map(Battery::from_microvolts),
        }
    }

    fn message(received_at: i64, readings: &[Reading]) -> Message<'_> {
        Message {
            received_at: Timestamp::from_micros(received_at),
            device_name: None,
            position: Position::default(),
            readings,
        }
    }

    #[test]
    fn a_late_reading_changes_neither_time_nor_battery_nor_position() {
        let mut known = Telemetry::default();
        known.absorb(&message(100, &[reading(90, Some(36))]));
        let here = Position { latitude: Some(1.0), ..Position::default() };
        known.absorb(&Message { position: here, ..message(110, &[reading(50, Some(20))]) });
        assert_eq!(known.last_reading_at, Some(Timestamp::from_micros(90)));
        assert_eq!(known.battery, Some(Battery::from_microvolts(36)));
        assert_eq!(known.position, Position::default());
        assert_eq!(known.last_seen_at, Some(Timestamp::from_micros(110)));
        assert_eq!(known.message_count, 2);
    }

    #[test]
    fn a_repeat_changes_nothing_but_that_it_was_heard() {
        let mut known = Telemetry::default();
        known.absorb(&message(100, &[reading(90, Some(36))]));
        known.absorb(&message(110, &[reading(90, Some(20))]));
        assert_eq!(known.battery, Some(Battery::from_microvolts(36)));
        assert_eq!(known.last_seen_at, Some(Timestamp::from_micros(110)));
        assert_eq!(known.message_count, 2);
    }

    #[test]
    fn a_reading_ahead_of_the_clock_moves_the_last_reading_to_now() {
        let mut known = Telemetry::default();
        known.absorb(&message(100, &[reading(500, None)]));
        assert_eq!(known.last_reading_at, Some(Timestamp::from_micros(100)));
        assert_eq!(known.newest_reading_at, Some(Timestamp::from_micros(500)));
    }

    #[test]
    fn a_reading_without_battery_leaves_the_last_one() {
        let mut known = Telemetry::default();
        known.absorb(&message(1, &[reading(1, Some(36))]));
        known.absorb(&message(2, &[reading(2, None)]));
        assert_eq!(known.battery, Some(Battery::from_microvolts(36)));
    }

    proptest! {
        #[test]
        fn times_depend_on_the_set_of_messages_alone(times in proptest::collection::vec((0..50_i64, 0..50_i64), 1..20)) {
            let absorbed = |order: &mut dyn Iterator<Item = &(i64, i64)>| {
                let mut known = Telemetry::default();
                for &(received_at, time) in order {
                    known.absorb(&message(received_at, &[reading(time, None)]));
                }
                (known.last_reading_at, known.newest_reading_at, known.last_seen_at, known.message_count)
            };
            prop_assert_eq!(absorbed(&mut times.iter()), absorbed(&mut times.iter().rev()));
        }
    }
}
