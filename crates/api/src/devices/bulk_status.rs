//! `POST /api/v1/devices/bulk-status`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::DeviceId;
use weir_domain::device::ManualStatus;

use super::DeviceWithOwner;
use super::bulk::{FailedDevice, device_ids, tally};
use super::set_status::manual_status;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;

/// A status to set for many devices.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `StatusOfMany` is read from")]
pub struct BulkStatus {
    /// The devices; one that is repeated counts once.
    #[schema(min_items = 1, max_items = 1000, example = json!(["0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a14"]))]
    device_ids: Vec<Uuid>,
    /// `maintenance`, or `auto` for what each device's readings say.
    #[schema(example = "maintenance")]
    status: String,
}

/// What is read of it.
#[derive(Debug, Clone)]
pub struct StatusOfMany {
    ids: Vec<DeviceId>,
    status: ManualStatus,
}

impl FromBody for StatusOfMany {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let ids = fields.required("device_ids", device_ids);
        let status = fields.required("status", manual_status);
        Some(Self { ids: ids?, status: status? })
    }
}

/// What became of the devices, in the order of the request.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkStatusOutcome {
    /// The devices whose status was set.
    succeeded: Vec<DeviceWithOwner>,
    /// The devices whose status was not.
    failed: Vec<FailedDevice>,
}

/// Set the status of many devices
///
/// Each as setting it alone would do. A device that is absent or soft-deleted fails alone.
#[utoipa::path(
    post,
    path = "/api/v1/devices/bulk-status",
    operation_id = "bulk_set_status",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = BulkStatus,
    responses(Errors<codes::InvalidStatus>),
    extensions(("x-example" = json!({
        "message": "1 device(s) set to maintenance, 1 failed.",
        "data": { "succeeded": [{ "status": "maintenance" }] }
    }))),
)]
pub async fn bulk_status(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(StatusOfMany { ids, status }): Json<StatusOfMany>,
) -> Result<Success<BulkStatusOutcome>, ApiError> {
    let env = service.env.clone();
    let changed =
        service.db.write(&caller.scope, move |tx| devices::bulk_set_status(tx, &env, &ids, status));
    let (changed, now) = (changed.await?, service.env.now());
    let done = format!("set to {}", status.as_str());
    let message = tally(&done, changed.succeeded.len(), changed.failed.len());
    let succeeded =
        changed.succeeded.iter().map(|device| DeviceWithOwner::of(device, now)).collect();
    let outcome = BulkStatusOutcome { succeeded, failed: FailedDevice::all(&changed.failed) };
    Ok(Success::of(outcome).with_message(message))
}
