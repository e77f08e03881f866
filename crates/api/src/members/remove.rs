//! `DELETE /api/v1/members/{id}`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_app::members::{self, MemberRef};
use weir_domain::MemberId;

use crate::Service;
use crate::auth::Editor;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::path::IdPath;

/// The member that was removed.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemovedMember {
    /// Its UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16")]
    id: Uuid,
}

/// Remove a member
///
/// They may sign in for the reseller no more, and what they hold stops working within a minute. The last
/// admin cannot be removed by a member: 400 VALIDATION_ERROR. With an API key, which can add another, it can.
#[utoipa::path(
    delete,
    path = "/api/v1/members/{id}",
    operation_id = "remove_member",
    tag = "members",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the member", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16")),
    responses(Errors<(codes::ValidationError, codes::MemberNotFound)>),
    extensions(("x-example" = json!({
        "message": "ada@example.org is no member any more."
    }))),
)]
pub async fn remove(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
) -> Result<Success<RemovedMember>, ApiError> {
    let (reseller, member) = (caller.scope.reseller(), MemberRef::Id(MemberId::from_uuid(id)));
    let is_member = caller.member.is_some();
    let removed = service.db.write(&caller.scope, move |tx| match is_member {
        true => members::remove(tx, reseller, &member),
        false => members::remove_any(tx, reseller, &member),
    });
    let message = format!("{} is no member any more.", removed.await?.identity);
    Ok(Success::of(RemovedMember { id }).with_message(message))
}
