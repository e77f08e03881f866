//! `GET /api/v1/customers/{id}`

use std::sync::Arc;

use axum::extract::State;
use weir_app::customers;
use weir_domain::CustomerId;

use super::CustomerView;
use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::IdPath;

/// Look a customer up
///
/// With the numbers of its live devices and its end users.
#[utoipa::path(
    get,
    path = "/api/v1/customers/{id}",
    operation_id = "get_customer",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the customer", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")),
    responses(Errors<codes::CustomerNotFound>),
)]
pub async fn lookup(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
) -> Result<Success<CustomerView>, ApiError> {
    let id = CustomerId::from_uuid(id);
    let found = service.db.read(&caller.scope, move |tx| customers::find(tx, id)).await?;
    Ok(Success::of(CustomerView::of(found)))
}
