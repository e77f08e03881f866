//! `PATCH /api/v1/devices/hierarchy-batch`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::DeviceId;
use weir_domain::hierarchy::batch::Assignment;

use super::{DeviceWithOwner, bulk};
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{Problems, json};
use crate::openapi::Errors;

/// Devices and their places.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Batch` is read from")]
pub struct HierarchyBatch {
    /// What is to be done, each device named once.
    #[schema(min_items = 1, max_items = 1000)]
    assignments: Vec<HierarchyAssignment>,
}

/// A device and its place.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Assignment` is read from")]
pub struct HierarchyAssignment {
    /// The device.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    device_id: Uuid,
    /// 0 makes it a principal meter without a parent; 1 to 10 puts it below a parent. What is stored
    /// is computed from the parent.
    #[schema(example = 1)]
    hierarchy_level: i64,
    /// The device above it; required where the level is not 0, and not looked at where it is. It has
    /// to be at level 0 once all assignments are applied.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11")]
    parent_device_id: Option<Uuid>,
}

/// What is read of it.
#[derive(Debug, Clone)]
pub struct Batch(Vec<Assignment>);

impl FromBody for Batch {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        fields.required("assignments", json::list(bulk::LENGTH, assignment)).map(Self)
    }
}

fn assignment(value: &Value) -> Result<Assignment, Problems> {
    json::object(|fields| {
        let device = fields.required("device_id", json::uuid);
        // A level out of its range fits the schema and makes no sense, which the rules say.
        let level = fields.required("hierarchy_level", json::integer(i64::MIN..=i64::MAX));
        let parent = fields.optional("parent_device_id", json::nullable(json::uuid)).flatten();
        Some(Assignment {
            device: DeviceId::from_uuid(device?),
            level: level?,
            parent: parent.map(DeviceId::from_uuid),
        })
    })(value)
}

/// What was changed.
#[derive(Debug, Serialize, ToSchema)]
pub struct HierarchyBatchOutcome {
    /// How many devices.
    #[schema(example = 1)]
    updated_count: usize,
    /// The devices, in the order of the request.
    devices: Vec<DeviceWithOwner>,
}

/// Arrange many devices in the hierarchy
///
/// All at once or not at all. Level 0 makes a device a principal meter without a parent; 1 to 10 puts
/// it below a device that is at level 0 once the whole batch is applied. Devices below those that move
/// go along. Where items make no sense, `details.errors` names all of them and nothing is changed.
#[utoipa::path(
    patch,
    path = "/api/v1/devices/hierarchy-batch",
    operation_id = "arrange_hierarchy",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = HierarchyBatch,
    responses(Errors<(codes::ValidationError, codes::HierarchyTooDeep)>),
    extensions(("x-example" = json!({
        "message": "1 device(s) arranged."
    }))),
)]
pub async fn hierarchy_batch(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(Batch(assignments)): Json<Batch>,
) -> Result<Success<HierarchyBatchOutcome>, ApiError> {
    let env = service.env.clone();
    let arranged =
        service.db.write(&caller.scope, move |tx| devices::arrange(tx, &env, &assignments));
    let (arranged, now) = (arranged.await?, service.env.now());
    let devices: Vec<_> = arranged.iter().map(|device| DeviceWithOwner::of(device, now)).collect();
    let message = format!("{} device(s) arranged.", devices.len());
    let outcome = HierarchyBatchOutcome { updated_count: devices.len(), devices };
    Ok(Success::of(outcome).with_message(message))
}
