//! `GET /api/v1/end-users/{id}`

use std::sync::Arc;

use axum::extract::State;
use weir_app::end_users;
use weir_domain::EndUserId;

use super::EndUserView;
use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::IdPath;

/// Look an end user up
///
/// With the number of live devices that are assigned to it.
#[utoipa::path(
    get,
    path = "/api/v1/end-users/{id}",
    operation_id = "get_end_user",
    tag = "end users",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the end user", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")),
    responses(Errors<codes::UserNotFound>),
)]
pub async fn lookup(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
) -> Result<Success<EndUserView>, ApiError> {
    let id = EndUserId::from_uuid(id);
    let found = service.db.read(&caller.scope, move |tx| end_users::find(tx, id)).await?;
    Ok(Success::of(EndUserView::of(found)))
}
