//! Uplinks as network servers send them, reduced to what is read.

use serde_json::{Value, json};

/// An uplink of ChirpStack.
pub fn chirpstack(tenant: &str, dev_eui: &str, time: &str, cubic_metres: f64) -> Value {
    json!({
        "deviceInfo": { "tenantName": tenant, "deviceName": "from-chirpstack", "devEui": dev_eui },
        "time": time,
        "object": { "cumulativeFlowM3": cubic_metres, "batteryVoltage": 3.6 },
        "rxInfo": [{ "gatewayId": "0016c001f153a14c", "rssi": -97 }],
    })
}

/// An uplink of The Things Stack.
pub fn things_stack(tenant: &str, dev_eui: &str, time: &str, cubic_metres: f64) -> Value {
    json!({
        "end_device_ids": {
            "device_id": "from-the-things-stack",
            "application_ids": { "application_id": tenant },
            "dev_eui": dev_eui,
        },
        "received_at": time,
        "uplink_message": { "f_port": 1, "decoded_payload": { "cumulativeFlowM3": cubic_metres, "battery": 3.5 } },
    })
}
