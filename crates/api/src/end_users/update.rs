//! `PUT /api/v1/end-users/{id}`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::end_users::{self, EndUserChange};
use weir_domain::{CustomerId, EndUserId};

use super::EndUserView;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::contact;
use crate::fields::json::{self, nullable};
use crate::openapi::Errors;
use crate::path::IdPath;

/// What to change of an end user; at least one of the fields.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `EndUserChange` is read from")]
pub struct UpdateEndUser {
    /// Its name.
    #[schema(min_length = 1, max_length = 255, required = false, example = "Ada Lovelace")]
    name: String,
    /// Where to write to; null empties it.
    #[schema(max_length = 254, example = "ada@example.org")]
    email: Option<String>,
    /// The customer it belongs to; null takes it out of its customer.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Option<Uuid>,
}

impl FromBody for EndUserChange {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        fields.require_any(&["name", "email", "customer_id"]);
        let customer = fields.optional("customer_id", nullable(json::uuid));
        Some(Self {
            name: fields.optional("name", contact::new_name),
            email: fields.optional("email", nullable(contact::email)),
            customer: customer.map(|customer| customer.map(CustomerId::from_uuid)),
        })
    }
}

/// Update an end user
///
/// Fields that are left out stay as they are. Devices that are assigned to the end user follow it to
/// another customer. A body without any known field and a blank name are refused.
#[utoipa::path(
    put,
    path = "/api/v1/end-users/{id}",
    operation_id = "update_end_user",
    tag = "end users",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the end user", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")),
    request_body = UpdateEndUser,
    responses(Errors<(codes::ValidationError, codes::UserNotFound, codes::CustomerNotFound)>),
    extensions(("x-example" = json!({
        "message": "End user Ada Lovelace is updated."
    }))),
)]
pub async fn update(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
    Json(change): Json<EndUserChange>,
) -> Result<Success<EndUserView>, ApiError> {
    let id = EndUserId::from_uuid(id);
    let updated = service.db.write(&caller.scope, move |tx| end_users::update(tx, id, &change));
    let updated = updated.await?;
    let message = format!("End user {} is updated.", updated.end_user.name);
    Ok(Success::of(EndUserView::of(updated)).with_message(message))
}
