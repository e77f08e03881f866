//! `GET /api/v1/members`

use std::sync::Arc;

use axum::extract::State;
use weir_app::members;

use super::MemberView;
use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::{List, Success};
use crate::error::ApiError;

/// List the members
///
/// Everyone who may sign in for the caller's reseller, oldest first. They are few: there are no pages.
#[utoipa::path(
    get,
    path = "/api/v1/members",
    operation_id = "list_members",
    tag = "members",
    security(("api_key" = []), ("bearer" = [])),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
) -> Result<Success<List<MemberView>>, ApiError> {
    let listed = service.db.read(&caller.scope, |tx| members::list(tx)).await?;
    Ok(Success::of(listed.into_iter().map(MemberView::of).collect()))
}
