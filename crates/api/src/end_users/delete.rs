//! `DELETE /api/v1/end-users/{id}`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::end_users;
use weir_domain::EndUserId;

use crate::Service;
use crate::auth::Editor;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::IdPath;

/// The end user that was deleted.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedEndUser {
    /// Its UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    id: Uuid,
}

/// Delete an end user
///
/// Ownership records that name it stay. Refused while devices (soft-deleted ones too) are assigned to
/// it; `details` says how many.
#[utoipa::path(
    delete,
    path = "/api/v1/end-users/{id}",
    operation_id = "delete_end_user",
    tag = "end users",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the end user", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")),
    responses(Errors<(codes::ValidationError, codes::UserNotFound)>),
    extensions(("x-example" = json!({
        "message": "The end user is deleted."
    }))),
)]
pub async fn delete(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
) -> Result<Success<DeletedEndUser>, ApiError> {
    let end_user = EndUserId::from_uuid(id);
    service.db.write(&caller.scope, move |tx| end_users::delete(tx, end_user)).await?;
    Ok(Success::of(DeletedEndUser { id }).with_message("The end user is deleted."))
}
