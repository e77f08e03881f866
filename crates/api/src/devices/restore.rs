//! `PUT /api/v1/devices/{device_id}/restore`

use std::sync::Arc;

use axum::extract::State;
use weir_app::devices;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::KeyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::DevicePath;

/// Restore a deleted device
///
/// It is live and active again, with the status and in the place of the hierarchy that it had. An EUI
/// means the device that was deleted last of those that went by it. Not possible while another live
/// device goes by its EUI.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{device_id}/restore",
    operation_id = "restore_device",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    responses(Errors<(codes::DeviceAlreadyExists, codes::DeviceNotFound)>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 is restored."
    }))),
)]
pub async fn restore(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
) -> Result<Success<DeviceWithOwner>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let restored =
        service.db.write(&caller.scope, move |tx| devices::restore(tx, &scope, &env, device));
    let device = restored.await?;
    let message = format!("Device {} is restored.", device.dev_eui);
    Ok(Success::of(DeviceWithOwner::of(&device, service.env.now())).with_message(message))
}
