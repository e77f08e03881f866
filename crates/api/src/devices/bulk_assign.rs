//! `POST /api/v1/devices/bulk-assign`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::{DeviceId, EndUserId};

use super::DeviceWithOwner;
use super::bulk::{FailedDevice, device_ids, tally};
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::ApiError;
use crate::fields::json;

/// Devices to assign, and whom to.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Assignment` is read from")]
pub struct BulkAssign {
    /// The devices; one that is repeated counts once.
    #[schema(min_items = 1, max_items = 1000, example = json!(["0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a14"]))]
    device_ids: Vec<Uuid>,
    /// The end user; null unassigns.
    #[schema(required = true, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    end_user_id: Option<Uuid>,
}

/// What is read of it.
#[derive(Debug, Clone)]
pub struct Assignment {
    ids: Vec<DeviceId>,
    to: Option<EndUserId>,
}

impl FromBody for Assignment {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let ids = fields.required("device_ids", device_ids);
        let to = fields.required("end_user_id", json::nullable(json::uuid));
        Some(Self { ids: ids?, to: to?.map(EndUserId::from_uuid) })
    }
}

/// What became of the devices, in the order of the request.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkAssignOutcome {
    /// The devices that are assigned now.
    succeeded: Vec<DeviceWithOwner>,
    /// The devices that are as they were.
    failed: Vec<FailedDevice>,
}

/// Assign many devices to an end user
///
/// Each as assigning it alone would do. A device that is absent or soft-deleted fails alone with
/// `DEVICE_NOT_FOUND`; where there is no such end user, every device fails with `USER_NOT_FOUND`. The
/// status is 200 in any case.
#[utoipa::path(
    post,
    path = "/api/v1/devices/bulk-assign",
    operation_id = "bulk_assign",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = BulkAssign,
    extensions(("x-example" = json!({
        "message": "1 device(s) assigned, 1 failed."
    }))),
)]
pub async fn bulk_assign(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(Assignment { ids, to }): Json<Assignment>,
) -> Result<Success<BulkAssignOutcome>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let assigned = service
        .db
        .write(&caller.scope, move |tx| devices::bulk_assign(tx, &scope, &env, &ids, to))
        .await?;
    service.reports.prepare(&caller.scope, assigned.succeeded.iter().map(|device| device.id));
    let done = if to.is_some() { "assigned" } else { "unassigned" };
    let message = tally(done, assigned.succeeded.len(), assigned.failed.len());
    let now = service.env.now();
    let succeeded = assigned.succeeded.iter().map(|device| DeviceWithOwner::of(device, now));
    let outcome = BulkAssignOutcome {
        succeeded: succeeded.collect(),
        failed: FailedDevice::all(&assigned.failed),
    };
    Ok(Success::of(outcome).with_message(message))
}
