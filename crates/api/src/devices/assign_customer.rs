//! `PUT /api/v1/devices/{device_id}/assign-customer`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::devices;
use weir_domain::CustomerId;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::{Problems, json, text};
use crate::openapi::Errors;
use crate::path::DevicePath;

/// Which customer to give a device to.
#[derive(Debug, ToSchema)]
pub struct AssignCustomer {
    /// The customer.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Uuid,
}

impl FromBody for AssignCustomer {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        Some(Self { customer_id: fields.required("customer_id", sensible_uuid)? })
    }
}

/// A UUID; another string fits the schema here and makes no sense.
pub(super) fn sensible_uuid(value: &Value) -> Result<Uuid, Problems> {
    json::string(text::refused_as(ErrorCode::ValidationError, text::uuid))(value)
}

/// A device with its end user and its customer.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeviceWithCustomer {
    #[serde(flatten)]
    device: DeviceWithOwner,
    /// The name of its customer.
    #[schema(example = "Riverside Community")]
    customer_name: Option<String>,
}

/// Assign a device to a customer
///
/// An end user who belongs to another customer loses the device, with a record in the ownership
/// history and a final consumption report; one who belongs to no customer keeps it. Soft-deleted
/// devices are not found.
#[utoipa::path(
    put,
    path = "/api/v1/devices/{device_id}/assign-customer",
    operation_id = "assign_device_to_customer",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")),
    request_body = AssignCustomer,
    responses(Errors<(codes::ValidationError, codes::DeviceNotFound, codes::CustomerNotFound)>),
    extensions(("x-example" = json!({
        "message": "Device 70b3d57ed02a3654 is assigned to customer Riverside Community."
    }))),
)]
pub async fn assign_customer(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Json(AssignCustomer { customer_id }): Json<AssignCustomer>,
) -> Result<Success<DeviceWithCustomer>, ApiError> {
    let customer = CustomerId::from_uuid(customer_id);
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let given = service
        .db
        .write(&caller.scope, move |tx| {
            devices::assign_customer(tx, &scope, &env, device, customer)
        })
        .await?;
    service.reports.prepare(&caller.scope, [given.id]);
    let customer_name = given.customer_name.as_ref().map(ToString::to_string);
    let message = format!(
        "Device {} is assigned to customer {}.",
        given.dev_eui,
        customer_name.as_deref().unwrap_or_default()
    );
    let device = DeviceWithOwner::of(&given, service.env.now());
    Ok(Success::of(DeviceWithCustomer { device, customer_name }).with_message(message))
}
