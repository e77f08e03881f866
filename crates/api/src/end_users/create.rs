//! `POST /api/v1/end-users`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::end_users::{self, NewEndUser};
use weir_domain::CustomerId;

use super::EndUserView;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{contact, json};
use crate::openapi::Errors;

/// An end user to create.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `NewEndUser` is read from")]
pub struct CreateEndUser {
    /// Its name; need not be unique.
    #[schema(min_length = 1, max_length = 255, example = "Ada Lovelace")]
    name: String,
    /// Where to write to; need not be unique.
    #[schema(max_length = 254, example = "ada@example.org")]
    email: Option<String>,
    /// The customer it belongs to.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Option<Uuid>,
}

impl FromBody for NewEndUser {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let name = fields.required("name", json::name);
        let email = fields.patch("email", contact::email);
        let customer = fields.patch("customer_id", json::uuid);
        Some(Self {
            name: name?,
            email: email.value(),
            customer: customer.value().map(CustomerId::from_uuid),
        })
    }
}

/// Create an end user
///
/// Only the name is required.
#[utoipa::path(
    post,
    path = "/api/v1/end-users",
    operation_id = "create_end_user",
    tag = "end users",
    security(("api_key" = []), ("bearer" = [])),
    request_body = CreateEndUser,
    responses(Errors<codes::CustomerNotFound>),
    extensions(("x-example" = json!({
        "message": "End user Ada Lovelace is created.",
        "data": { "device_count": 0 }
    }))),
)]
pub async fn create(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(new): Json<NewEndUser>,
) -> Result<Success<EndUserView>, ApiError> {
    let env = service.env.clone();
    let created = service.db.write(&caller.scope, move |tx| end_users::create(tx, &env, &new));
    let created = created.await?;
    let message = format!("End user {} is created.", created.end_user.name);
    Ok(Success::of(EndUserView::of(created)).with_message(message))
}
