//! What the tests share: outcomes in one line, and good bodies to spoil.

#![allow(dead_code)] // Each test binary uses its own part of it.
#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

use serde_json::{Value, json};
use weir_uplink::{Message, Rejection, Unreadable, Uplink, read};

/// Takes a body through all stages and says in one line what came out.
pub fn outcome(body: &[u8], event: Option<&str>) -> String {
    let envelope = match read(body, event) {
        Ok(Message::Uplink(envelope)) => envelope,
        Ok(Message::Ignored { reason }) => return format!("ignored: {reason}"),
        Err(Unreadable::NotAnObject(error)) => return format!("unreadable: {error}"),
        Err(Unreadable::UnknownFormat { provided_keys }) => {
            return format!("unknown: {}", provided_keys.join(" "));
        }
    };
    let tenant = match envelope.tenant() {
        Ok(tenant) => tenant.to_owned(),
        Err(errors) => {
            // Going on without a tenant tells the same.
            assert_eq!(envelope.uplink(), Err(Rejection::Fields(errors.clone())));
            return format!("no tenant: {}", Rejection::Fields(errors));
        }
    };
    match envelope.uplink() {
        Ok(uplink) => format!("{tenant}: {}", describe(&uplink)),
        Err(Rejection::InvalidEui(error)) => format!("invalid EUI: {error}"),
        Err(rejection @ Rejection::Fields(_)) => format!("fields: {rejection}"),
    }
}

fn describe(uplink: &Uplink) -> String {
    let name = uplink.device_name.as_ref().map_or("(no name)", |name| name.as_str());
    let mut line = format!("{} {} {name}", uplink.format.name(), uplink.eui);
    let position = uplink.position;
    for (coordinate, letter) in
        [(position.latitude, 'N'), (position.longitude, 'E'), (position.altitude, 'm')]
    {
        if let Some(value) = coordinate {
            line += &format!(" {value}{letter}");
        }
    }
    for reading in &uplink.readings {
        line += &format!(", {} {} m³", reading.time, reading.volume.cubic_metres());
        if let Some(battery) = reading.battery {
            line += &format!(" {} V", battery.volts());
        }
    }
    if uplink.simulated {
        line += ", simulated";
    }
    line
}

/// The same of a body that is given as a value.
pub fn outcome_of(body: &Value) -> String {
    outcome(body.to_string().as_bytes(), None)
}

/// A good body of ChirpStack with every field that is read.
pub fn chirpstack() -> Value {
    json!({
        "deviceInfo": {"tenantName": "Acme", "deviceName": "Meter", "devEui": "0123456789abcdef"},
        "time": "2026-03-29T00:59:58+00:00",
        "object": {
            "cumulativeFlowM3": 1.5, "batteryVoltage": 3.6,
            "latitude": 1.25, "longitude": -2.5, "altitude": 3.75,
        },
    })
}

/// A good body of The Things Stack with every field that is read from a decoder's output.
pub fn things_stack() -> Value {
    json!({
        "end_device_ids": {
            "application_ids": {"application_id": "Acme"},
            "device_id": "Meter", "dev_eui": "0123456789ABCDEF",
        },
        "received_at": "2026-03-29T00:59:58Z",
        "uplink_message": {
            "decoded_payload": {
                "cumulativeFlowM3": 1.5, "battery": 3.6, "batteryVoltage": 3.5,
                "latitude": 1.25, "longitude": -2.5, "altitude": 3.75,
            },
        },
        "simulated": false,
    })
}

/// A good body of The Things Stack with two measurements that it normalized itself.
pub fn normalized() -> Value {
    json!({
        "end_device_ids": {
            "application_ids": {"application_id": "Acme"},
            "device_id": "Meter", "dev_eui": "0123456789ABCDEF",
        },
        "received_at": "2026-03-29T00:59:58Z",
        "uplink_message": {
            "normalized_payload": [
                {"time": "2026-03-29T00:00:00Z", "metering": {"water": {"total": 1500}}, "battery": 3.6},
                {"air": {"temperature": 21.5}, "battery": 3.5},
                {"metering": {"water": {"total": 1750.5}}},
            ],
        },
    })
}

/// The body with the value at this path (`/a/0/b`) replaced, or taken away.
pub fn with(mut body: Value, path: &str, value: Option<Value>) -> Value {
    let (around, key) = path.rsplit_once('/').unwrap();
    match (body.pointer_mut(around).unwrap(), value) {
        (Value::Object(members), Some(value)) => {
            members.insert(key.to_owned(), value);
        }
        (Value::Object(members), None) => {
            members.remove(key);
        }
        (Value::Array(elements), Some(value)) => elements[key.parse::<usize>().unwrap()] = value,
        (other, _) => panic!("{path} is not inside {other}"),
    }
    body
}

/// A path as errors write it.
pub fn dotted(path: &str) -> String {
    format!("body{}", path.replace('/', "."))
}
