//! `POST /api/v1/devices/bulk-assign-customer`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::{CustomerId, DeviceId};

use super::assign_customer::sensible_uuid;
use super::bulk::LENGTH;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::json;
use crate::openapi::Errors;

/// Devices to give to a customer.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Gift` is read from")]
pub struct BulkAssignCustomer {
    /// The devices; one that is repeated counts once.
    #[schema(min_items = 1, max_items = 1000, example = json!(["0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11"]))]
    device_ids: Vec<Uuid>,
    /// The customer.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Uuid,
}

/// What is read of it.
#[derive(Debug, Clone)]
pub struct Gift {
    ids: Vec<DeviceId>,
    customer: CustomerId,
}

impl FromBody for Gift {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let device_ids = json::list_or(ErrorCode::ValidationError, LENGTH, |id| {
            sensible_uuid(id).map(DeviceId::from_uuid)
        });
        let ids = fields.required("device_ids", device_ids);
        let customer = fields.required("customer_id", sensible_uuid);
        Some(Self { ids: ids?, customer: CustomerId::from_uuid(customer?) })
    }
}

/// How many devices were given to the customer.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkAssignCustomerOutcome {
    /// The number of different devices that were named.
    #[schema(example = 2)]
    assigned_count: usize,
}

/// Assign many devices to a customer
///
/// Each as assigning it alone would do, all or none: where a device is absent, soft-deleted or another
/// reseller's, nothing is changed and `details.device_ids` names it.
#[utoipa::path(
    post,
    path = "/api/v1/devices/bulk-assign-customer",
    operation_id = "bulk_assign_customer",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = BulkAssignCustomer,
    responses(Errors<(codes::ValidationError, codes::DevicesNotFound, codes::CustomerNotFound)>),
    extensions(("x-example" = json!({
        "message": "2 device(s) assigned to customer Riverside Community."
    }))),
)]
pub async fn bulk_assign_customer(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(Gift { ids, customer }): Json<Gift>,
) -> Result<Success<BulkAssignCustomerOutcome>, ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let touched = ids.clone();
    let given = service.db.write(&caller.scope, move |tx| {
        devices::bulk_assign_customer(tx, &scope, &env, &ids, customer)
    });
    let (assigned_count, customer) = given.await?;
    service.reports.prepare(&caller.scope, touched);
    let message = format!("{assigned_count} device(s) assigned to customer {}.", customer.name);
    Ok(Success::of(BulkAssignCustomerOutcome { assigned_count }).with_message(message))
}
