//! `GET /api/v1/devices/{device_id}`

use std::sync::Arc;

use axum::extract::State;
use weir_app::devices;

use super::LocatedDevice;
use crate::Service;
use crate::auth::KeyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::EuiPath;

/// Look a device up by its EUI
///
/// In any spelling, or by its UUID. Soft-deleted devices are not found.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}",
    operation_id = "get_device",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "EUI or UUID of the device", example = "70b3d57ed02a3654")),
    responses(Errors<(codes::InvalidDeviceId, codes::DeviceNotFound)>),
)]
pub async fn lookup(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    EuiPath(device): EuiPath,
) -> Result<Success<LocatedDevice>, ApiError> {
    let found = service.db.read(&caller.scope, move |tx| devices::find(tx, device)).await?;
    Ok(Success::of(LocatedDevice::of(&found, service.env.now())))
}
