//! `GET /api/v1/devices`

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use utoipa::IntoParams;
use weir_app::devices;

use super::DeviceInList;
use crate::Service;
use crate::auth::AnyCaller;
use crate::error::ApiError;
use crate::fields::text;
use crate::paging::{PageQuery, Paged};
use crate::query::{FromQuery, Query, QueryFields};

/// What the list shows of each device.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListDevices {
    /// False omits `last_consumption_m3` and `consumption_trend`, for speed.
    #[param(default = true, required = false)]
    include_consumption: bool,
}

impl FromQuery for ListDevices {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let include_consumption = fields.optional("include_consumption", text::boolean);
        Some(Self { include_consumption: include_consumption.unwrap_or(true) })
    }
}

/// List the devices
///
/// The caller's live devices, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/devices",
    operation_id = "list_devices",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(PageQuery, ListDevices),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query((page, query)): Query<(PageQuery, ListDevices)>,
    uri: OriginalUri,
) -> Result<Paged<DeviceInList>, ApiError> {
    let listed = service
        .db
        .read(&caller.scope, move |tx| devices::list(tx, page.into(), query.include_consumption));
    let listed = listed.await?;
    let now = service.env.now();
    let shown = listed.devices.iter().map(|device| DeviceInList::of(device, now));
    Ok(Paged::of(shown, listed.total, page, &uri))
}
