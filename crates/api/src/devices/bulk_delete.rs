//! `POST /api/v1/devices/bulk-delete`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::DeviceId;

use super::DeletedDevice;
use super::bulk::{FailedDevice, device_ids, tally};
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::ApiError;

/// Devices to delete.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Doomed` is read from")]
pub struct BulkDelete {
    /// The devices; one that is repeated counts once.
    #[schema(min_items = 1, max_items = 1000, example = json!(["0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a14"]))]
    device_ids: Vec<Uuid>,
}

/// What is read of it.
#[derive(Debug, Clone)]
pub struct Doomed(Vec<DeviceId>);

impl FromBody for Doomed {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        fields.required("device_ids", device_ids).map(Self)
    }
}

/// What became of the devices, in the order of the request.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkDeleteOutcome {
    /// The devices that were deleted.
    succeeded: Vec<DeletedDevice>,
    /// The devices that were not.
    failed: Vec<FailedDevice>,
}

/// Delete many devices
///
/// Softly, each as deleting it alone would do. A device that is absent or deleted already fails alone.
#[utoipa::path(
    post,
    path = "/api/v1/devices/bulk-delete",
    operation_id = "bulk_delete",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = BulkDelete,
    extensions(("x-example" = json!({
        "message": "1 device(s) deleted, 1 failed. Their historical data is preserved."
    }))),
)]
pub async fn bulk_delete(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(Doomed(ids)): Json<Doomed>,
) -> Result<Success<BulkDeleteOutcome>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let deleted =
        service.db.write(&caller.scope, move |tx| devices::bulk_delete(tx, &scope, &env, &ids));
    let deleted = deleted.await?;
    let tally = tally("deleted", deleted.succeeded.len(), deleted.failed.len());
    let succeeded = deleted.succeeded.iter().map(DeletedDevice::of).collect();
    let outcome = BulkDeleteOutcome { succeeded, failed: FailedDevice::all(&deleted.failed) };
    Ok(Success::of(outcome).with_message(format!("{tally} Their historical data is preserved.")))
}
