//! `GET /api/v1/customers`

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use utoipa::IntoParams;
use weir_app::customers;

use super::CustomerView;
use crate::Service;
use crate::auth::AnyCaller;
use crate::error::ApiError;
use crate::fields::text;
use crate::paging::{PageQuery, Paged};
use crate::query::{FromQuery, Query, QueryFields};

/// Which customers are asked for.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListCustomers {
    /// A part of the name or e-mail, ignoring case.
    #[param(max_length = 255, example = "river", nullable = false)]
    search: Option<String>,
}

impl FromQuery for ListCustomers {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        Some(Self { search: fields.optional("search", text::any(255)) })
    }
}

/// List the customers
///
/// The caller's customers, by name ignoring case.
#[utoipa::path(
    get,
    path = "/api/v1/customers",
    operation_id = "list_customers",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    params(PageQuery, ListCustomers),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query((page, ListCustomers { search })): Query<(PageQuery, ListCustomers)>,
    uri: OriginalUri,
) -> Result<Paged<CustomerView>, ApiError> {
    let listed = service
        .db
        .read(&caller.scope, move |tx| customers::list(tx, search.as_deref(), page.into()));
    let (listed, total) = listed.await?;
    Ok(Paged::of(listed.into_iter().map(CustomerView::of), total, page, &uri))
}
