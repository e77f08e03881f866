//! `PUT /api/v1/devices/{device_id}/parent`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::DeviceId;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::KeyCaller;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::json;
use crate::openapi::Errors;
use crate::path::DevicePath;

/// A parent to set.
#[derive(Debug, ToSchema)]
pub struct SetParent {
    /// The device above it; null removes the parent.
    #[schema(required = true, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11")]
    parent_device_id: Option<Uuid>,
}

impl FromBody for SetParent {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let parent_device_id = fields.required("parent_device_id", json::nullable(json::uuid));
        Some(Self { parent_device_id: parent_device_id? })
    }
}

/// Set or remove the parent of a device
///
/// The device takes all its descendants along, and their levels are computed anew; without a parent it
/// is at level 0. Levels end at 10.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{device_id}/parent",
    operation_id = "set_device_parent",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    request_body = SetParent,
    responses(Errors<(
        codes::CircularReference,
        codes::HierarchyTooDeep,
        codes::DeviceNotFound,
        codes::ParentDeviceNotFound,
    )>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 has a parent and is at level 1."
    }))),
)]
pub async fn set_parent(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Json(SetParent { parent_device_id }): Json<SetParent>,
) -> Result<Success<DeviceWithOwner>, ApiError> {
    let (env, parent) = (service.env.clone(), parent_device_id.map(DeviceId::from_uuid));
    let moved =
        service.db.write(&caller.scope, move |tx| devices::set_parent(tx, &env, device, parent));
    let device = moved.await?;
    let done = if parent.is_some() { "has a parent" } else { "has no parent" };
    let message =
        format!("Device {} {done} and is at level {}.", device.dev_eui, device.hierarchy_level);
    Ok(Success::of(DeviceWithOwner::of(&device, service.env.now())).with_message(message))
}
