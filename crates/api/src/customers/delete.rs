//! `DELETE /api/v1/customers/{id}`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::customers;
use weir_domain::CustomerId;

use crate::Service;
use crate::auth::Editor;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::IdPath;

/// The customer that was deleted.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedCustomer {
    /// Its UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    id: Uuid,
}

/// Delete a customer
///
/// Refused while devices (soft-deleted ones too) or end users refer to it; `details` says how many.
#[utoipa::path(
    delete,
    path = "/api/v1/customers/{id}",
    operation_id = "delete_customer",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the customer", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")),
    responses(Errors<(codes::ValidationError, codes::CustomerNotFound)>),
    extensions(("x-example" = json!({
        "message": "The customer is deleted."
    }))),
)]
pub async fn delete(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
) -> Result<Success<DeletedCustomer>, ApiError> {
    let customer = CustomerId::from_uuid(id);
    service.db.write(&caller.scope, move |tx| customers::delete(tx, customer)).await?;
    Ok(Success::of(DeletedCustomer { id }).with_message("The customer is deleted."))
}
