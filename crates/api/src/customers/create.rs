//! `POST /api/v1/customers`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use weir_app::customers::{self, NewCustomer};

use super::CustomerView;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{contact, json};
use crate::openapi::Errors;

/// A customer to create.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `NewCustomer` is read from")]
pub struct CreateCustomer {
    /// Its name; need not be unique.
    #[schema(min_length = 1, max_length = 255, example = "Riverside Community")]
    name: String,
    /// Where to write to.
    #[schema(max_length = 254, example = "office@riverside.example.org")]
    email: Option<String>,
    /// Where to call.
    #[schema(max_length = 64, example = "+31 20 555 0123")]
    phone: Option<String>,
    /// Where it is.
    #[schema(max_length = 500, example = "Quay 1, Amsterdam")]
    address: Option<String>,
    /// The IANA name of the time zone whose days are its days; without one, the reseller's are.
    #[schema(example = "Europe/Amsterdam")]
    timezone: Option<String>,
}

impl FromBody for NewCustomer {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let name = fields.required("name", json::name);
        let email = fields.patch("email", contact::email);
        let phone = fields.patch("phone", contact::phone);
        let address = fields.patch("address", contact::address);
        let timezone = fields.patch("timezone", contact::timezone);
        Some(Self {
            name: name?,
            email: email.value(),
            phone: phone.value(),
            address: address.value(),
            timezone: timezone.value(),
        })
    }
}

/// Create a customer
///
/// Only the name is required. An unknown time zone is refused.
#[utoipa::path(
    post,
    path = "/api/v1/customers",
    operation_id = "create_customer",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    request_body = CreateCustomer,
    responses(Errors<codes::ValidationError>),
    extensions(("x-example" = json!({
        "message": "Customer Riverside Community is created.",
        "data": { "device_count": 0, "end_user_count": 0 }
    }))),
)]
pub async fn create(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(new): Json<NewCustomer>,
) -> Result<Success<CustomerView>, ApiError> {
    let env = service.env.clone();
    let created = service.db.write(&caller.scope, move |tx| customers::create(tx, &env, &new));
    let created = created.await?;
    let message = format!("Customer {} is created.", created.customer.name);
    Ok(Success::of(CustomerView::of(created)).with_message(message))
}
