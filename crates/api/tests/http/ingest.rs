//! Ingestion: what network servers post, in both formats.

mod bodies;
mod fields;
mod ignored;
mod normalized;
mod order;
mod quota;
mod repeats;
mod results;
mod state;
mod tenants;
mod times;

use serde_json::Value;
use weir_testkit::app::{Actor, chirpstack, things_stack};

use crate::support::*;

/// A format: a good body of it, and where it keeps what is read.
struct Format {
    name: &'static str,
    uplink: fn(&str, &str, &str, f64) -> Value,
    /// Both keys that tell the format.
    told_by: [&'static str; 2],
    tenant: &'static str,
    eui: &'static str,
    device_name: &'static str,
    time: &'static str,
    flow: &'static str,
    battery: &'static str,
    /// The object that holds the position.
    decoded: &'static str,
}

const FORMATS: [Format; 2] = [
    Format {
        name: "chirpstack",
        uplink: chirpstack,
        told_by: ["deviceInfo", "object"],
        tenant: "/deviceInfo/tenantName",
        eui: "/deviceInfo/devEui",
        device_name: "/deviceInfo/deviceName",
        time: "/time",
        flow: "/object/cumulativeFlowM3",
        battery: "/object/batteryVoltage",
        decoded: "/object",
    },
    Format {
        name: "the_things_stack",
        uplink: things_stack,
        told_by: ["end_device_ids", "uplink_message"],
        tenant: "/end_device_ids/application_ids/application_id",
        eui: "/end_device_ids/dev_eui",
        device_name: "/end_device_ids/device_id",
        time: "/received_at",
        flow: "/uplink_message/decoded_payload/cumulativeFlowM3",
        battery: "/uplink_message/decoded_payload/battery",
        decoded: "/uplink_message/decoded_payload",
    },
];

/// Where an error says that the value at a pointer is.
fn loc(pointer: &str) -> String {
    format!("body{}", pointer.replace('/', "."))
}

/// The device as the list shows it, which is everything.
async fn device(actor: &Actor) -> Value {
    let listed = actor.get(DEVICES).await.ok();
    listed.as_array().unwrap().iter().find(|device| device["dev_eui"] == EUI).unwrap().clone()
}

/// The volumes in the history of a year.
async fn history(actor: &Actor) -> Vec<f64> {
    let history = actor.get(&format!("{DEVICES}/{EUI}/consumption?days=365")).await.ok();
    numbers(&history, "consumption_m3")
}
