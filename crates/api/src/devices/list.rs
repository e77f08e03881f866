//! `GET /api/v1/devices`

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use utoipa::IntoParams;
use weir_app::devices;

use super::DeviceInList;
use super::filter::{CustomerQuery, FleetQuery};
use crate::Service;
use crate::auth::AnyCaller;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
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

type Asked = ((FleetQuery, CustomerQuery), (ListDevices, PageQuery));

/// List the devices
///
/// The caller's live devices, newest first. All filters that are given have to hold. A customer that
/// does not exist has no devices.
#[utoipa::path(
    get,
    path = "/api/v1/devices",
    operation_id = "list_devices",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(FleetQuery, CustomerQuery, ListDevices, PageQuery),
    responses(Errors<codes::ValidationError>),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query(((fleet, customer), (shown, page))): Query<Asked>,
    uri: OriginalUri,
) -> Result<Paged<DeviceInList>, ApiError> {
    let (env, query) = (service.env.clone(), fleet.and(&customer));
    let listed = service.db.read(&caller.scope, move |tx| {
        devices::list(tx, &env, &query, page.into(), shown.include_consumption)
    });
    let listed = listed.await?;
    let now = service.env.now();
    let shown = listed.devices.iter().map(|device| DeviceInList::of(device, now));
    Ok(Paged::of(shown, listed.total, page, &uri))
}
