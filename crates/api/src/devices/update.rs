//! `PUT /api/v1/devices/{device_id}`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices::{self, DeviceChange};
use weir_domain::DeviceId;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::{contact, json, text};
use crate::openapi::Errors;
use crate::path::DevicePath;

/// The fields that can be changed.
const FIELDS: [&str; 5] = ["name", "device_name", "parent_device_id", "is_principal", "is_active"];

/// What to change about a device. Fields that are absent stay; at least one is required.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "name": "Main meter",
    "device_name": "meter-b1-main",
    "parent_device_id": "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11"
}))]
#[expect(dead_code, reason = "the schema of what `DeviceChange` is read from")]
pub struct UpdateDevice {
    /// The display name.
    #[schema(max_length = 255, required = false, nullable = false, example = "Main meter")]
    name: Option<String>,
    /// The device name; null clears it. The next uplink that brings one has the next word.
    #[schema(max_length = 255, example = "meter-b1-main")]
    device_name: Option<String>,
    /// The device above it; null removes it.
    #[schema(value_type = Option<String>, format = Uuid)]
    parent_device_id: Option<Uuid>,
    /// Whether it is a principal meter.
    #[schema(required = false, nullable = false)]
    is_principal: Option<bool>,
    /// Whether it counts toward billing.
    #[schema(required = false, nullable = false)]
    is_active: Option<bool>,
}

impl FromBody for DeviceChange {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        fields.require_any(&FIELDS);
        let parent =
            json::nullable(json::string(text::refused_as(ErrorCode::ValidationError, text::uuid)));
        Some(Self {
            name: fields.optional("name", contact::new_name),
            device_name: fields.optional("device_name", json::nullable(contact::new_name)),
            parent: fields
                .optional("parent_device_id", parent)
                .map(|parent| parent.map(DeviceId::from_uuid)),
            is_principal: fields.optional("is_principal", json::boolean),
            is_active: fields.optional("is_active", json::boolean),
        })
    }
}

/// Update a device
///
/// Any subset of its fields. A change of its parent follows the rules of setting the parent: levels
/// of all descendants are computed anew. Soft-deleted devices are not found.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{device_id}",
    operation_id = "update_device",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    request_body = UpdateDevice,
    responses(Errors<(
        codes::ValidationError,
        codes::CircularReference,
        codes::HierarchyTooDeep,
        codes::DeviceNotFound,
        codes::ParentDeviceNotFound,
    )>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 is updated."
    }))),
)]
pub async fn update(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Json(change): Json<DeviceChange>,
) -> Result<Success<DeviceWithOwner>, ApiError> {
    let env = service.env.clone();
    let updated =
        service.db.write(&caller.scope, move |tx| devices::update(tx, &env, device, &change));
    let device = updated.await?;
    let message = format!("Device {} is updated.", device.dev_eui);
    Ok(Success::of(DeviceWithOwner::of(&device, service.env.now())).with_message(message))
}
