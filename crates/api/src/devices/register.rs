//! `POST /api/v1/devices/register`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices::{self, Registration};
use weir_domain::device::DEVICE_TYPE;
use weir_domain::{DeviceId, Eui, Name};

use super::DeviceCore;
use crate::Service;
use crate::auth::KeyCaller;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{json, text};
use crate::openapi::Errors;

/// A device to register.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "dev_eui": "70b3d57ed02a3654",
    "name": "Main meter",
    "device_type": "water_meter",
    "parent_device_id": null,
    "is_principal": false
}))]
#[expect(dead_code, reason = "the schema of what `Registration` is read from")]
pub struct RegisterDevice {
    /// The Device EUI: exactly 16 hexadecimal characters, unique among the live devices of all
    /// resellers.
    #[schema(
        min_length = 16,
        max_length = 16,
        pattern = "^[0-9a-fA-F]{16}$",
        example = "70b3d57ed02a3654"
    )]
    dev_eui: String,
    /// The display name. Where it is absent, `device_name` is taken in its place.
    #[schema(min_length = 1, max_length = 255, required = false, example = "Main meter")]
    name: String,
    /// Taken as `name` where that is absent.
    #[schema(min_length = 1, max_length = 255, required = false, nullable = false)]
    device_name: Option<String>,
    /// Always `water_meter`.
    #[schema(pattern = "^water_meter$", example = "water_meter")]
    device_type: String,
    /// The device above it.
    parent_device_id: Option<Uuid>,
    /// Whether it is a principal meter.
    #[schema(default = false, required = false)]
    is_principal: bool,
    /// Whether it takes over the uplinks that are remembered of its EUI from before it was registered;
    /// else they are forgotten. What it adopted shows at the next read.
    #[schema(default = false, required = false)]
    adopt_readings: bool,
}

impl FromBody for Registration {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let dev_eui: Option<Eui> = fields.required("dev_eui", json::eui);
        let name: Option<Name> = match fields.has("device_name") && !fields.has("name") {
            true => fields.required("device_name", json::name),
            false => fields.required("name", json::name),
        };
        let water_meter = json::string(text::one_of(&[(DEVICE_TYPE, ())]));
        let device_type = fields.required("device_type", water_meter);
        let parent = fields.optional("parent_device_id", json::nullable(json::uuid)).flatten();
        let is_principal = fields.optional("is_principal", json::boolean);
        let adopt_readings = fields.optional("adopt_readings", json::boolean);
        device_type?;
        Some(Self {
            dev_eui: dev_eui?,
            name: name?,
            parent: parent.map(DeviceId::from_uuid),
            is_principal: is_principal.unwrap_or(false),
            adopt_readings: adopt_readings.unwrap_or(false),
        })
    }
}

/// Register a device
///
/// It starts `offline` and active. Its level is its parent's and one; levels end at 10.
#[utoipa::path(
    post,
    path = "/api/v1/devices/register",
    operation_id = "register_device",
    tag = "devices",
    security(("api_key" = [])),
    request_body = RegisterDevice,
    responses(Errors<(codes::DeviceAlreadyExists, codes::HierarchyTooDeep, codes::ParentDeviceNotFound)>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 is registered.",
        "data": {
            "device_name": null,
            "status": "offline",
            "battery_level": null,
            "last_reading_at": null,
            "parent_device_id": null,
            "hierarchy_level": 0,
            "customer_id": null,
            "updated_at": "2026-03-28T08:00:00+00:00"
        }
    }))),
)]
pub async fn register(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    Json(registration): Json<Registration>,
) -> Result<Success<DeviceCore>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let registered = service
        .db
        .write(&caller.scope, move |tx| devices::register(tx, &scope, &env, &registration));
    let device = registered.await?;
    let message = format!("Device {} is registered.", device.dev_eui);
    Ok(Success::of(DeviceCore::of(&device, service.env.now())).with_message(message))
}
