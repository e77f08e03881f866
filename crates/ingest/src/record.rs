//! What the spool holds: one accepted message.

use serde::{Deserialize, Serialize};
use weir_domain::telemetry::Message;
use weir_domain::{DeviceKey, Eui, Month, Name, Position, Reading, ResellerId, Timestamp};
use weir_store::Lane;

use crate::spool::Payload;

/// One accepted message, with all of its readings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Whose it is.
    pub reseller: ResellerId,
    /// Which device it is for.
    pub to: Addressee,
    /// The quota month it counts in. Kept, not derived, so that a later rule cannot change the past.
    pub month: Month,
    /// When it reached the service.
    pub received_at: Timestamp,
    /// The device name in it.
    pub device_name: Option<Name>,
    /// The position in it.
    pub position: Position,
    /// Its readings; at least one.
    pub readings: Vec<Reading>,
}

/// Which device a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Addressee {
    /// A device of the reseller. The message was answered 200 and counts against the quota.
    Device(DeviceKey),
    /// An EUI that no device of the reseller went by. The message was answered 404; settling looks
    /// again, for another node, or a moment, may have registered it.
    Unregistered(Eui),
}

/// A version byte leads every record, so that a later form can be told apart.
const VERSION: u8 = 1;

/// The bytes are no record that this version knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the record cannot be read: {0}")]
pub struct Unreadable(String);

impl Record {
    /// The bytes that go into the spool.
    pub fn encode(&self) -> Result<Payload, Unreadable> {
        let mut bytes = Payload::new();
        bytes.push(VERSION);
        postcard::to_extend(self, bytes).map_err(|error| Unreadable(error.to_string()))
    }

    /// The record that bytes of the spool are.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        match bytes.split_first() {
            Some((&VERSION, rest)) => {
                postcard::from_bytes(rest).map_err(|error| Unreadable(error.to_string()))
            }
            Some((version, _)) => Err(Unreadable(format!("it is of version {version}"))),
            None => Err(Unreadable("it is empty".into())),
        }
    }

    /// The lane that it is settled in. An EUI that was registered since may be a device of another
    /// one, which takes nothing from what lanes are for.
    pub fn lane(&self) -> Lane {
        match self.to {
            Addressee::Device(device) => Lane::of(device),
            Addressee::Unregistered(_) => Lane::FIRST,
        }
    }

    /// What the message says about its device.
    pub fn message(&self) -> Message<'_> {
        Message {
            received_at: self.received_at,
            device_name: self.device_name.as_ref(),
            position: self.position,
            readings: &self.readings,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;
    use weir_domain::{Battery, Volume};

    use super::*;

    fn records() -> impl Strategy<Value = Record> {
        let reading =
            (any::<i64>(), 0..=Volume::MAX.millilitres(), proptest::option::of(any::<i32>()))
                .prop_map(|(time, volume, battery)| Reading {
                    time: Timestamp::from_micros(time),
                    volume: Volume::from_millilitres(volume),
                    battery: battery.map(Battery::from_microvolts),
                });
        let to = prop_oneof![
            any::<i64>().prop_map(|key| Addressee::Device(DeviceKey(key))),
            any::<u64>().prop_map(|bits| Addressee::Unregistered(Eui::from_bits(bits))),
        ];
        (
            any::<u128>(),
            to,
            any::<i32>(),
            any::<i64>(),
            proptest::option::of("\\PC{1,40}"),
            proptest::collection::vec(reading, 1..5),
        )
            .prop_map(|(reseller, to, month, received_at, name, readings)| Record {
                reseller: ResellerId::from_uuid(Uuid::from_u128(reseller)),
                to,
                month: Month::from_number(month),
                received_at: Timestamp::from_micros(received_at),
                device_name: name.and_then(|name| Name::salvage(&name)),
                position: Position { latitude: Some(52.37), longitude: None, altitude: Some(-3.0) },
                readings,
            })
    }

    proptest! {
        #[test]
        fn what_is_spooled_is_read_back(record in records()) {
            prop_assert_eq!(Record::decode(&record.encode().unwrap()), Ok(record));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            let _ = Record::decode(&bytes);
        }
    }
}
