//! `GET /api/v1/devices/stats`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use weir_app::devices;

use super::filter::CustomerQuery;
use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::query::Query;

/// Counts of live devices.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeviceStats {
    /// All of them.
    #[schema(example = 128)]
    total: u64,
    /// Those first seen within the last 7 days.
    #[schema(example = 3)]
    new_7_days: u64,
    /// Those without a customer, their own or their end user's.
    #[schema(example = 12)]
    unassociated: u64,
    /// Those without an end user.
    #[schema(example = 20)]
    unassigned_users: u64,
}

/// Count the devices
///
/// Of the whole fleet, or of the devices of a customer. Where both parameters are given, both have to
/// hold.
#[utoipa::path(
    get,
    path = "/api/v1/devices/stats",
    operation_id = "get_device_stats",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(CustomerQuery),
    responses(Errors<codes::ValidationError>),
)]
pub async fn stats(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    Query(query): Query<CustomerQuery>,
) -> Result<Success<DeviceStats>, ApiError> {
    let (env, customers) = (service.env.clone(), query.filters());
    let counted = service.db.read(&caller.scope, move |tx| devices::stats(tx, &env, &customers));
    let counted = counted.await?;
    Ok(Success::of(DeviceStats {
        total: counted.total,
        new_7_days: counted.new,
        unassociated: counted.unassociated,
        unassigned_users: counted.unassigned,
    }))
}
