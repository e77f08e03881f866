//! `GET /api/v1/unregistered-devices`

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use serde::Serialize;
use utoipa::ToSchema;
use weir_app::sightings;
use weir_domain::Timestamp;
use weir_store::Sighting;

use crate::Service;
use crate::auth::AnyCaller;
use crate::error::ApiError;
use crate::paging::{PageQuery, Paged};
use crate::query::Query;

/// An EUI that sent uplinks and is not registered.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnregisteredDevice {
    /// The EUI as its last uplink wrote it.
    #[schema(example = "70b3d57ed02a3654")]
    dev_eui: String,
    /// The device name in its uplinks.
    #[schema(example = "meter-b1-main")]
    device_name: Option<String>,
    /// When its first uplink came.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-03-28T09:00:00+00:00")]
    first_seen_at: Option<Timestamp>,
    /// When its last uplink came.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-03-29T01:00:00+00:00")]
    last_seen_at: Option<Timestamp>,
    /// How many uplinks came.
    #[schema(example = 17)]
    message_count: i64,
}

impl UnregisteredDevice {
    fn of(sighting: &Sighting) -> Self {
        let telemetry = &sighting.telemetry;
        Self {
            dev_eui: sighting.dev_eui.to_string(),
            device_name: telemetry.device_name.as_ref().map(ToString::to_string),
            first_seen_at: telemetry.first_seen_at,
            last_seen_at: telemetry.last_seen_at,
            message_count: telemetry.message_count,
        }
    }
}

/// List unregistered devices
///
/// EUIs whose uplinks came with the caller's tenant name and are remembered until they are
/// registered; last seen first.
#[utoipa::path(
    get,
    path = "/api/v1/unregistered-devices",
    operation_id = "list_unregistered_devices",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(PageQuery),
)]
pub async fn list(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query(page): Query<PageQuery>,
    uri: OriginalUri,
) -> Result<Paged<UnregisteredDevice>, ApiError> {
    let listed = service.db.read(&caller.scope, move |tx| sightings::list(tx, page.into())).await?;
    let (sightings, total) = listed;
    Ok(Paged::of(sightings.iter().map(UnregisteredDevice::of), total, page, &uri))
}
