//! `PUT /api/v1/customers/{id}`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use weir_app::customers::{self, CustomerChange};
use weir_domain::CustomerId;

use super::CustomerView;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::contact;
use crate::fields::json::nullable;
use crate::openapi::Errors;
use crate::path::IdPath;

/// What to change of a customer; at least one of the fields.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `CustomerChange` is read from")]
pub struct UpdateCustomer {
    /// Its name.
    #[schema(min_length = 1, max_length = 255, required = false, example = "Riverside Community")]
    name: String,
    /// Where to write to; null empties it.
    #[schema(max_length = 254, example = "office@riverside.example.org")]
    email: Option<String>,
    /// Where to call; null empties it.
    #[schema(max_length = 64, example = "+31 20 555 0123")]
    phone: Option<String>,
    /// Where it is; null empties it.
    #[schema(max_length = 500, example = "Quay 1, Amsterdam")]
    address: Option<String>,
    /// The IANA name of the time zone whose days are its days; null makes them the reseller's.
    #[schema(example = "Europe/Amsterdam")]
    timezone: Option<String>,
}

impl FromBody for CustomerChange {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        fields.require_any(&["name", "email", "phone", "address", "timezone"]);
        Some(Self {
            name: fields.optional("name", contact::new_name),
            email: fields.optional("email", nullable(contact::email)),
            phone: fields.optional("phone", nullable(contact::phone)),
            address: fields.optional("address", nullable(contact::address)),
            timezone: fields.optional("timezone", nullable(contact::timezone)),
        })
    }
}

/// Update a customer
///
/// Fields that are left out stay as they are. A body without any known field, a blank name and an
/// unknown time zone are refused.
#[utoipa::path(
    put,
    path = "/api/v1/customers/{id}",
    operation_id = "update_customer",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the customer", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")),
    request_body = UpdateCustomer,
    responses(Errors<(codes::ValidationError, codes::CustomerNotFound)>),
    extensions(("x-example" = json!({
        "message": "Customer Riverside Community is updated."
    }))),
)]
pub async fn update(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
    Json(change): Json<CustomerChange>,
) -> Result<Success<CustomerView>, ApiError> {
    let id = CustomerId::from_uuid(id);
    let updated = service.db.write(&caller.scope, move |tx| customers::update(tx, id, &change));
    let updated = updated.await?;
    let message = format!("Customer {} is updated.", updated.customer.name);
    Ok(Success::of(CustomerView::of(updated)).with_message(message))
}
