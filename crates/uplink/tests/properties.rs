//! What holds for every body.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use support::outcome;
use weir_domain::{Battery, Eui, Timestamp, Volume};
use weir_uplink::{Format, Message, Uplink, read};

mod support;

/// Every key that means something somewhere, so that random bodies get far.
const KEYS: [&str; 24] = [
    "deviceInfo",
    "tenantName",
    "deviceName",
    "devEui",
    "time",
    "object",
    "cumulativeFlowM3",
    "batteryVoltage",
    "battery",
    "latitude",
    "longitude",
    "altitude",
    "end_device_ids",
    "application_ids",
    "application_id",
    "device_id",
    "dev_eui",
    "received_at",
    "uplink_message",
    "decoded_payload",
    "normalized_payload",
    "metering",
    "water",
    "total",
];

fn any_key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(&KEYS[..]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["join_accept", "downlink_ack", "simulated"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("2026-03-29T00:59:58Z")),
        Just(json!("0123456789abcdef")),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((any_key(), inner), 0..8).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// A body of one of the formats, as far as its keys go.
fn any_body() -> impl Strategy<Value = Value> {
    (
        prop::sample::select(&Format::ALL[..]),
        any_json(),
        any_json(),
        vec((any_key(), any_json()), 0..4),
    )
        .prop_map(|(format, first, second, others)| {
            let keys = format.expected_keys().into_iter().map(str::to_owned);
            keys.zip([first, second]).chain(others).collect()
        })
}

proptest! {
    #[test]
    fn no_bytes_panic(body in vec(any::<u8>(), 0..200), event in proptest::option::of(any::<String>())) {
        outcome(&body, event.as_deref());
    }

    #[test]
    fn no_json_panics_and_objects_alone_are_readable(body in any_json()) {
        let told = outcome(body.to_string().as_bytes(), None);
        prop_assert_eq!(body.is_object(), !told.starts_with("unreadable: "), "{}", told);
    }

    #[test]
    fn a_body_with_the_keys_of_a_format_is_of_a_format(body in any_body()) {
        let told = outcome(body.to_string().as_bytes(), None);
        let stage = told.split(": ").next().unwrap_or_default();
        prop_assert!(!["unreadable", "unknown", "ignored"].contains(&stage), "{}", told);
    }

    #[test]
    fn a_spoilt_body_does_not_panic(at in 0..300_usize, byte: u8, body in 0..3_usize) {
        let body = [support::chirpstack, support::things_stack, support::normalized][body]();
        let mut body = body.to_string().into_bytes();
        let at = at % body.len();
        body[at] = byte;
        outcome(&body, None);
    }

    #[test]
    fn chirpstacks_uplinks_come_out_as_they_went_in(sent in any_sent()) {
        let reading = &sent.readings[0];
        let body = json!({
            "deviceInfo": {"tenantName": sent.tenant, "deviceName": sent.name, "devEui": sent.eui},
            "time": reading.time.to_string(),
            "object": {
                "cumulativeFlowM3": reading.volume.cubic_metres(),
                "batteryVoltage": reading.battery.map(Battery::volts),
                "latitude": sent.latitude, "longitude": sent.longitude, "altitude": sent.altitude,
            },
        });
        let expected = Sent { readings: vec![*reading], simulated: false, ..sent };
        prop_assert_eq!(receive(&body, Format::ChirpStack), expected);
    }

    #[test]
    fn the_things_stacks_uplinks_come_out_as_they_went_in(sent in any_sent()) {
        let reading = &sent.readings[0];
        let body = json!({
            "end_device_ids": {
                "application_ids": {"application_id": sent.tenant},
                "device_id": sent.name, "dev_eui": sent.eui,
            },
            "received_at": reading.time.to_string(),
            "uplink_message": {"decoded_payload": {
                "cumulativeFlowM3": reading.volume.cubic_metres(),
                "battery": reading.battery.map(Battery::volts),
                "latitude": sent.latitude, "longitude": sent.longitude, "altitude": sent.altitude,
            }},
            "simulated": sent.simulated,
        });
        let expected = Sent { readings: vec![*reading], ..sent };
        prop_assert_eq!(receive(&body, Format::TheThingsStack), expected);
    }

    #[test]
    fn normalized_uplinks_come_out_as_they_went_in(sent in any_sent()) {
        let measurements: Vec<Value> = sent.readings.iter().map(|reading| json!({
            "time": reading.time.to_string(),
            "metering": {"water": {"total": reading.volume.litres()}},
            "battery": reading.battery.map(Battery::volts),
        })).collect();
        let body = json!({
            "end_device_ids": {
                "application_ids": {"application_id": sent.tenant},
                "device_id": sent.name, "dev_eui": sent.eui,
            },
            "received_at": "2026-03-29T00:59:58Z",
            "uplink_message": {
                "normalized_payload": measurements,
                "decoded_payload": {
                    "latitude": sent.latitude, "longitude": sent.longitude, "altitude": sent.altitude,
                },
            },
            "simulated": sent.simulated,
        });
        prop_assert_eq!(receive(&body, Format::TheThingsStack), sent);
    }
}

/// What a network server is told to send.
#[derive(Debug, Clone, PartialEq)]
struct Sent {
    tenant: String,
    name: Option<String>,
    eui: String,
    latitude: Option<f64>,
    longitude: Option<f64>,
    altitude: Option<f64>,
    readings: Vec<weir_domain::Reading>,
    simulated: bool,
}

fn any_sent() -> impl Strategy<Value = Sent> {
    let reading = (
        0..4_000_000_000_000_000_i64,
        0..=Volume::MAX.millilitres(),
        proptest::option::of(0..5_000_000_i32),
    )
        .prop_map(|(time, volume, battery)| weir_domain::Reading {
            time: Timestamp::from_micros(time),
            volume: Volume::from_millilitres(volume),
            battery: battery.map(Battery::from_microvolts),
        });
    let name = proptest::option::of("[a-zäöü💧\"\\\\]{1,20}");
    let position = (
        proptest::option::of(-90.0..=90.0_f64),
        proptest::option::of(-180.0..=180.0_f64),
        proptest::option::of(-500.0..9000.0_f64),
    );
    (any::<String>(), name, any::<u64>(), position, vec(reading, 1..5), any::<bool>()).prop_map(
        |(tenant, name, eui, (latitude, longitude, altitude), readings, simulated)| Sent {
            tenant,
            name,
            eui: Eui::from_bits(eui).to_string(),
            latitude,
            longitude,
            altitude,
            readings,
            simulated,
        },
    )
}

fn receive(body: &Value, format: Format) -> Sent {
    let body = body.to_string();
    let Ok(Message::Uplink(envelope)) = read(body.as_bytes(), Some("up")) else {
        panic!("no uplink: {body}")
    };
    let tenant = envelope.tenant().unwrap().to_owned();
    let uplink: Uplink = envelope.uplink().unwrap();
    assert_eq!(uplink.format, format);
    Sent {
        tenant,
        name: uplink.device_name.map(String::from),
        eui: uplink.eui.to_string(),
        latitude: uplink.position.latitude,
        longitude: uplink.position.longitude,
        altitude: uplink.position.altitude,
        readings: uplink.readings,
        simulated: uplink.simulated,
    }
}
