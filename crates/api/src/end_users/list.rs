//! `GET /api/v1/end-users`

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use utoipa::IntoParams;
use weir_app::end_users;
use weir_store::EndUserFilter;

use super::EndUserView;
use crate::Service;
use crate::auth::AnyCaller;
use crate::customers::customer_filter;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::paging::{PageQuery, Paged};
use crate::query::{FromQuery, Query, QueryFields};

/// Which end users are asked for; all that is given has to hold.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the parameters that `EndUserFilter` is read from")]
pub struct ListEndUsers {
    /// A customer's UUID, or `unassociated` for those who belong to none.
    #[param(example = "unassociated", nullable = false)]
    customer: Option<String>,
    /// A part of the name or e-mail, ignoring case.
    #[param(max_length = 255, example = "ada", nullable = false)]
    search: Option<String>,
}

impl FromQuery for EndUserFilter {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        Some(Self {
            customer: fields.optional("customer", customer_filter),
            search: fields.optional("search", text::any(255)),
        })
    }
}

/// List the end users
///
/// The caller's end users, by name ignoring case.
#[utoipa::path(
    get,
    path = "/api/v1/end-users",
    operation_id = "list_end_users",
    tag = "end users",
    security(("api_key" = []), ("bearer" = [])),
    params(PageQuery, ListEndUsers),
    responses(Errors<codes::ValidationError>),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query((page, filter)): Query<(PageQuery, EndUserFilter)>,
    uri: OriginalUri,
) -> Result<Paged<EndUserView>, ApiError> {
    let listed =
        service.db.read(&caller.scope, move |tx| end_users::list(tx, &filter, page.into()));
    let (listed, total) = listed.await?;
    Ok(Paged::of(listed.into_iter().map(EndUserView::of), total, page, &uri))
}
