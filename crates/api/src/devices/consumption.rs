//! `GET /api/v1/devices/{device_id}/consumption`

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use futures_util::stream::{self, Stream};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use weir_app::credentials::Caller;
use weir_app::devices::{self, HISTORY_CHUNK};
use weir_domain::{Battery, Device, Reading, ReadingId, Timestamp};
use weir_store::From;

use crate::Service;
use crate::auth::AnyCaller;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::DevicePath;
use crate::query::{FromQuery, Query, QueryFields};
use crate::streamed::Streamed;

/// Which part of the history is asked for.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct History {
    /// How many days back, of 24 hours each.
    #[param(minimum = 1, maximum = 365, default = 30, required = false)]
    days: i64,
}

impl FromQuery for History {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let days = fields.optional("days", text::integer(1..=365));
        Some(Self { days: days.unwrap_or(30) })
    }
}

/// A reading.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsumptionReading {
    /// The reading's UUID.
    #[schema(example = "5c0f7c1e-4b11-5d4e-8f4a-6d0c9f6b3a21")]
    id: Uuid,
    /// The device's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    device_id: Uuid,
    /// When it was read.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T00:59:58.123456+00:00")]
    timestamp: Timestamp,
    /// The cumulative volume in cubic metres.
    #[schema(example = 123.457)]
    consumption_m3: f64,
    /// The battery in volts, where the reading brought it.
    #[schema(example = 3.6)]
    battery_level: Option<f64>,
}

impl ConsumptionReading {
    fn of(device: &Device, reading: &Reading) -> Self {
        Self {
            id: ReadingId::of(device.id, reading.time, reading.volume).uuid(),
            device_id: device.id.uuid(),
            timestamp: reading.time,
            consumption_m3: reading.volume.cubic_metres(),
            battery_level: reading.battery.map(Battery::volts),
        }
    }
}

/// Read the consumption history of a device
///
/// Its readings of the last `days` × 24 hours and whatever lies ahead of now, oldest first. Works for
/// soft-deleted devices too.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}/consumption",
    operation_id = "get_consumption",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"), History),
    responses(Errors<codes::DeviceNotFound>),
)]
pub async fn consumption(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Query(history): Query<History>,
) -> Result<Streamed<ConsumptionReading>, ApiError> {
    let days = Duration::from_secs(history.days.unsigned_abs() * 24 * 60 * 60);
    let from = From::Time(service.env.now().minus(days));
    let first = service.db.read(&caller.scope, move |tx| {
        let device = devices::find_even_deleted(tx, device)?;
        let readings = devices::history_page(tx, device.key, from)?;
        Ok::<_, weir_app::AppError>((device, readings))
    });
    let (device, readings) = first.await?;
    Ok(Streamed::of(chunks(service, caller, device, readings)))
}

/// The history in chunks, each read when the one before it was taken.
fn chunks(
    service: Arc<Service>,
    caller: Arc<Caller>,
    device: Device,
    first: Vec<Reading>,
) -> impl Stream<Item = Result<Vec<ConsumptionReading>, ApiError>> + Send + 'static {
    let start = Some(Ok::<_, ApiError>(first));
    stream::unfold(
        (start, service, caller, device),
        |(chunk, service, caller, device)| async move {
            let readings = match chunk? {
                Ok(readings) => readings,
                Err(error) => return Some((Err(error), (None, service, caller, device))),
            };
            let shown =
                readings.iter().map(|reading| ConsumptionReading::of(&device, reading)).collect();
            let next = match readings.last() {
                Some(last) if readings.len() == HISTORY_CHUNK as usize => {
                    let (key, from) = (device.key, From::After(last.time, last.volume));
                    let next = service
                        .db
                        .read(&caller.scope, move |tx| devices::history_page(tx, key, from));
                    Some(next.await.map_err(ApiError::from))
                }
                _ => None,
            };
            Some((Ok(shown), (next, service, caller, device)))
        },
    )
}
