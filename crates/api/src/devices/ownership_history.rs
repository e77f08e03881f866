//! `GET /api/v1/devices/{device_id}/ownership-history`

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use weir_app::{ownership, reports};
use weir_domain::{EndUser, EndUserId, OwnershipRecord, ResellerId, Timestamp};

use crate::Service;
use crate::auth::KeyCaller;
use crate::envelope::{List, Success};
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::DevicePath;
use crate::query::{FromQuery, Query, QueryFields};

/// What the history shows of each change.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OwnershipHistory {
    /// True adds `previous_end_user` and `new_end_user`.
    #[param(default = false, required = false)]
    include_details: bool,
}

impl FromQuery for OwnershipHistory {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let include_details = fields.optional("include_details", text::boolean);
        Some(Self { include_details: include_details.unwrap_or(false) })
    }
}

/// An end user of a record. Of one who was deleted, the id is all that is left.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RecordedEndUser {
    /// The end user's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    id: Uuid,
    /// Its name.
    #[schema(example = "Ada Lovelace")]
    name: Option<String>,
    /// Where to write to.
    #[schema(example = "ada@example.org")]
    email: Option<String>,
}

/// One change of a device's end user.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = OwnershipRecord)]
pub struct OwnershipRecordView {
    /// The record's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a15")]
    id: Uuid,
    /// The device's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    device_id: Uuid,
    /// The reseller's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a01")]
    reseller_id: Uuid,
    /// Who had it before.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    previous_end_user_id: Option<Uuid>,
    /// Who has it since.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16")]
    new_end_user_id: Option<Uuid>,
    /// When it changed.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T10:00:00+00:00")]
    changed_at: Timestamp,
    /// The name of the API key, or the e-mail of the signed-in user, that changed it.
    #[schema(example = "default")]
    changed_by: String,
    /// Whether there is a final consumption report of the previous end user.
    #[schema(example = true)]
    report_generated: bool,
    /// The storage path of that report as a PDF; the CSV lies beside it.
    #[schema(
        example = "reports/0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a01/0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a15.pdf"
    )]
    report_url: Option<String>,
    /// Remarks.
    notes: Option<String>,
    /// When the record was made.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T10:00:00+00:00")]
    created_at: Timestamp,
    /// Who had it before; null where nobody had. Only with `include_details`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RecordedEndUser>, required = false)]
    previous_end_user: Option<Option<RecordedEndUser>>,
    /// Who has it since; null where nobody has. Only with `include_details`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<RecordedEndUser>, required = false)]
    new_end_user: Option<Option<RecordedEndUser>>,
}

impl OwnershipRecordView {
    fn of(
        record: OwnershipRecord,
        reseller: ResellerId,
        end_users: Option<&HashMap<EndUserId, EndUser>>,
    ) -> Self {
        let shown = |id: Option<EndUserId>| {
            end_users.map(|end_users| id.map(|id| RecordedEndUser::of(id, end_users.get(&id))))
        };
        Self {
            id: record.id.uuid(),
            device_id: record.device.uuid(),
            reseller_id: reseller.uuid(),
            previous_end_user_id: record.previous.map(EndUserId::uuid),
            new_end_user_id: record.new.map(EndUserId::uuid),
            changed_at: record.changed_at,
            changed_by: record.changed_by,
            report_generated: record.has_report,
            report_url: record.has_report.then(|| reports::path(reseller, record.id) + ".pdf"),
            notes: record.notes,
            created_at: record.changed_at,
            previous_end_user: shown(record.previous),
            new_end_user: shown(record.new),
        }
    }
}

impl RecordedEndUser {
    fn of(id: EndUserId, found: Option<&EndUser>) -> Self {
        Self {
            id: id.uuid(),
            name: found.map(|end_user| end_user.name.to_string()),
            email: found.and_then(|end_user| end_user.email.clone()),
        }
    }
}

/// Read the ownership history of a device
///
/// Every change of its end user, newest first; empty where it was never assigned. Works for
/// soft-deleted devices too.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}/ownership-history",
    operation_id = "get_ownership_history",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"), OwnershipHistory),
    responses(Errors<codes::DeviceNotFound>),
    extensions(("x-example" = json!({
        "data": [{
            "new_end_user": {
                "id": "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16",
                "name": "Grace Hopper",
                "email": "grace@example.org"
            }
        }]
    }))),
)]
pub async fn ownership_history(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Query(OwnershipHistory { include_details }): Query<OwnershipHistory>,
) -> Result<Success<List<OwnershipRecordView>>, ApiError> {
    let history = service
        .db
        .read(&caller.scope, move |tx| ownership::history(tx, device, include_details))
        .await?;
    let (reseller, end_users) = (caller.scope.reseller(), history.end_users);
    let shown = |record| OwnershipRecordView::of(record, reseller, end_users.as_ref());
    Ok(Success::of(history.records.into_iter().map(shown).collect()))
}
