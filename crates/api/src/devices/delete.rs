//! `DELETE /api/v1/devices/{device_id}`

use std::sync::Arc;

use axum::extract::State;
use weir_app::devices;

use super::DeletedDevice;
use crate::Service;
use crate::auth::KeyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::DevicePath;

/// Delete a device
///
/// Softly: it disappears from the list, is no longer billed and frees its EUI. Its readings, its place
/// in the hierarchy and the devices below it stay, and it can be restored.
#[utoipa::path(
    delete,
    path = "/api/v1/devices/{device_id}",
    operation_id = "delete_device",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    responses(Errors<codes::DeviceNotFound>),
    extensions(("x-example" = json!({
        "message": "The device is deleted; its historical data is preserved."
    }))),
)]
pub async fn delete(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
) -> Result<Success<DeletedDevice>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let deleted =
        service.db.write(&caller.scope, move |tx| devices::delete(tx, &scope, &env, device));
    let deleted = DeletedDevice::of(&deleted.await?);
    Ok(Success::of(deleted)
        .with_message("The device is deleted; its historical data is preserved."))
}
