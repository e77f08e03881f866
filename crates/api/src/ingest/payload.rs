//! The payloads, for the documentation: what they are read by is `weir-uplink`.

#![expect(dead_code, reason = "schemas of what `weir-uplink` reads")]

use utoipa::ToSchema;

/// An uplink of one of the two network servers; other keys are ignored.
#[derive(Debug, ToSchema)]
#[schema(examples(
    json!({
        "deviceInfo": { "tenantName": "Reseller One", "deviceName": "meter-b1-main", "devEui": "70b3d57ed02a3654" },
        "time": "2026-03-29T00:59:58.123456789+00:00",
        "object": { "cumulativeFlowM3": 123.457, "batteryVoltage": 3.6 }
    }),
    json!({
        "end_device_ids": {
            "device_id": "meter-b1-main",
            "dev_eui": "70B3D57ED02A3654",
            "application_ids": { "application_id": "reseller-one" }
        },
        "received_at": "2026-03-29T00:59:58.395136483Z",
        "uplink_message": { "decoded_payload": { "cumulativeFlowM3": 123.457, "battery": 3.6 } }
    })
))]
pub enum Uplink {
    /// Told by `deviceInfo` and `object`.
    #[schema(title = "ChirpStack")]
    ChirpStack(ChirpStackUplink),
    /// Told by `end_device_ids` and `uplink_message`.
    #[schema(title = "The Things Stack")]
    TheThingsStack(TheThingsStackUplink),
}

/// An uplink of ChirpStack v4.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChirpStackUplink {
    device_info: ChirpStackDevice,
    /// The reading time, in ISO 8601.
    #[schema(format = DateTime, example = "2026-03-29T00:59:58.123456789+00:00")]
    time: String,
    object: ChirpStackObject,
}

/// Which device it is.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChirpStackDevice {
    /// A name, slug or alias of the caller.
    #[schema(example = "Reseller One")]
    tenant_name: String,
    /// Kept as the device's `device_name`.
    device_name: Option<String>,
    /// The Device EUI.
    #[schema(example = "70b3d57ed02a3654")]
    dev_eui: String,
}

/// What its codec decoded.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ChirpStackObject {
    /// The cumulative flow in cubic metres.
    #[schema(minimum = 0, maximum = 1_000_000_000, example = 123.457)]
    cumulative_flow_m3: f64,
    /// The battery in volts.
    battery_voltage: Option<f64>,
    /// Degrees north.
    latitude: Option<f64>,
    /// Degrees east.
    longitude: Option<f64>,
    /// Metres.
    altitude: Option<f64>,
}

/// An uplink of The Things Stack v3.
#[derive(Debug, ToSchema)]
pub struct TheThingsStackUplink {
    end_device_ids: TheThingsStackDevice,
    /// The reading time, in ISO 8601.
    #[schema(format = DateTime, example = "2026-03-29T00:59:58.395136483Z")]
    received_at: String,
    uplink_message: TheThingsStackMessage,
    /// Whether the uplink was only simulated.
    #[schema(required = false)]
    simulated: bool,
}

/// Which device it is.
#[derive(Debug, ToSchema)]
pub struct TheThingsStackDevice {
    /// Kept as the device's `device_name`.
    device_id: Option<String>,
    application_ids: TheThingsStackApplication,
    /// The Device EUI.
    #[schema(example = "70B3D57ED02A3654")]
    dev_eui: String,
}

/// Whose it is.
#[derive(Debug, ToSchema)]
pub struct TheThingsStackApplication {
    /// A name, slug or alias of the caller.
    #[schema(example = "reseller-one")]
    application_id: String,
}

/// What its decoder decoded.
#[derive(Debug, ToSchema)]
pub struct TheThingsStackMessage {
    decoded_payload: Option<TheThingsStackPayload>,
    /// Taken where `decoded_payload` has no `cumulativeFlowM3`: each entry with
    /// `metering.water.total` (litres) is one reading, with `battery` (volts) and its own `time`.
    #[schema(value_type = Option<Vec<Object>>)]
    normalized_payload: Option<Vec<serde_json::Value>>,
}

/// The decoded values.
#[derive(Debug, ToSchema)]
pub struct TheThingsStackPayload {
    /// The cumulative flow in cubic metres.
    #[schema(rename = "cumulativeFlowM3", minimum = 0, maximum = 1_000_000_000, example = 123.457)]
    cumulative_flow_m3: Option<f64>,
    /// The battery in volts.
    battery: Option<f64>,
    /// The battery in volts, where `battery` is absent.
    #[schema(rename = "batteryVoltage")]
    battery_voltage: Option<f64>,
}
