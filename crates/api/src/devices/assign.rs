//! `PUT /api/v1/devices/{dev_eui}/assign`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::EndUserId;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::KeyCaller;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::json;
use crate::openapi::Errors;
use crate::path::EuiPath;

/// Whom to assign a device to.
#[derive(Debug, ToSchema)]
pub struct AssignDevice {
    /// The end user; null unassigns.
    #[schema(required = true, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    end_user_id: Option<Uuid>,
}

impl FromBody for AssignDevice {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let end_user_id = fields.required("end_user_id", json::nullable(json::uuid));
        Some(Self { end_user_id: end_user_id? })
    }
}

/// Assign a device to an end user
///
/// Every change is kept in the ownership history, with the final consumption report of a previous end
/// user. A device keeps its customer where the next end user belongs to none, and when it is
/// unassigned. Soft-deleted devices are not found.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{dev_eui}/assign",
    operation_id = "assign_device",
    tag = "devices",
    security(("api_key" = [])),
    params(("dev_eui" = String, Path, description = "EUI or UUID of the device", example = "70b3d57ed02a3654")),
    request_body = AssignDevice,
    responses(Errors<(codes::InvalidDeviceId, codes::DeviceNotFound, codes::UserNotFound)>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 is assigned."
    }))),
)]
pub async fn assign(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    device: Result<EuiPath, ApiError>,
    Json(AssignDevice { end_user_id }): Json<AssignDevice>,
) -> Result<Success<DeviceWithOwner>, ApiError> {
    let EuiPath(device) = device?;
    let to = end_user_id.map(EndUserId::from_uuid);
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let assigned = service
        .db
        .write(&caller.scope, move |tx| devices::assign(tx, &scope, &env, device, to))
        .await?;
    service.reports.prepare(&caller.scope, [assigned.id]);
    let message = match to {
        Some(_) => format!("Device {} is assigned.", assigned.dev_eui),
        None => format!("Device {} is assigned to nobody.", assigned.dev_eui),
    };
    let shown = DeviceWithOwner::of(&assigned, service.env.now());
    Ok(Success::of(shown).with_message(message))
}
