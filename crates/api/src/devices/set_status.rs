//! `PUT /api/v1/devices/{device_id}/status`

use std::sync::Arc;

use axum::extract::State;
use serde_json::Value;
use utoipa::ToSchema;
use weir_app::devices;
use weir_domain::device::ManualStatus;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::KeyCaller;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::{Problems, json, text};
use crate::openapi::Errors;
use crate::path::DevicePath;

/// A status to set.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `StatusChange` is read from")]
pub struct SetStatus {
    /// `maintenance`, or `auto` for what the device's readings say.
    #[schema(example = "maintenance")]
    status: String,
    /// Whether the device counts toward billing; where it is absent, that stays.
    #[schema(required = false, nullable = false)]
    is_active: Option<bool>,
}

/// What is read of it.
#[derive(Debug, Clone, Copy)]
pub struct StatusChange {
    status: ManualStatus,
    is_active: Option<bool>,
}

impl FromBody for StatusChange {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let status = fields.required("status", manual_status);
        let is_active = fields.optional("is_active", json::boolean);
        Some(Self { status: status?, is_active })
    }
}

/// Reads a status that can be set by hand.
pub(super) fn manual_status(value: &Value) -> Result<ManualStatus, Problems> {
    let words =
        [ManualStatus::Maintenance, ManualStatus::Auto].map(|status| (status.as_str(), status));
    json::string(text::refused_as(ErrorCode::InvalidStatus, text::one_of(&words)))(value)
}

/// Set the status of a device
///
/// `maintenance` suspends the automatic change between `online` and `offline`; `auto` resumes it:
/// the device is `online` if its last reading is less than 48 hours old, else `offline`.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{device_id}/status",
    operation_id = "set_device_status",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    request_body = SetStatus,
    responses(Errors<(codes::InvalidStatus, codes::DeviceNotFound)>),
    extensions(("x-example" = json!({
        "message": "Status set to maintenance: now maintenance.",
        "data": { "status": "maintenance" }
    }))),
)]
pub async fn set_status(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Json(StatusChange { status, is_active }): Json<StatusChange>,
) -> Result<Success<DeviceWithOwner>, ApiError> {
    let env = service.env.clone();
    let changed = service
        .db
        .write(&caller.scope, move |tx| devices::set_status(tx, &env, device, status, is_active));
    let (device, now) = (changed.await?, service.env.now());
    let message = format!("Status set to {}: now {}.", status.as_str(), device.status_at(now));
    Ok(Success::of(DeviceWithOwner::of(&device, now)).with_message(message))
}
