//! `GET /api/v1/devices/{device_id}/consumption-per-day`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use weir_app::devices::{self, LastDays};
use weir_domain::consumption::{Day, Summary};
use weir_domain::{Calendar, Volume};

use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::{Problems, text};
use crate::openapi::Errors;
use crate::path::DevicePath;
use crate::query::{FromQuery, Query, QueryFields};

/// Which days are asked for.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Days {
    /// How many calendar days, today the last of them.
    #[param(minimum = 1, maximum = 365, default = 7, required = false, value_type = i64)]
    days: u16,
    /// The IANA name of the time zone whose days are meant; else the customer's, else the reseller's.
    #[param(required = false, value_type = String, example = "Europe/Lisbon")]
    timezone: Option<Calendar>,
}

impl FromQuery for Days {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let days = fields.optional("days", text::integer(1..=365));
        let timezone =
            fields.optional("timezone", text::refused_as(ErrorCode::ValidationError, calendar));
        // The reader lets nothing else than 1 to 365 pass.
        let days = days.and_then(|days| u16::try_from(days).ok()).unwrap_or(7);
        Some(Self { days, timezone })
    }
}

fn calendar(text: &str) -> Result<Calendar, Problems> {
    Calendar::named(text)
        .ok_or_else(|| "must be the IANA name of a time zone such as Europe/Lisbon".into())
}

/// What a device consumed, by calendar days.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsumptionPerDay {
    /// The device's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    device_id: Uuid,
    /// The IANA name of the time zone whose days these are.
    #[schema(example = "Europe/Lisbon")]
    timezone: String,
    /// One entry for each calendar day, oldest first, today last.
    days: Vec<DailyConsumption>,
    summary: ConsumptionSummary,
}

/// What was consumed on a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DailyConsumption {
    /// The day.
    #[schema(value_type = String, format = Date, example = "2026-03-29")]
    date: String,
    /// The day's last cumulative value less the last one before it, in cubic metres; null where
    /// nothing was read.
    #[schema(example = 0.412)]
    consumption_m3: Option<f64>,
    /// Whether nothing was read.
    #[schema(example = false)]
    is_offline: bool,
    /// The last cumulative value known at the end of the day, in cubic metres; null before the first
    /// reading.
    #[schema(example = 123.457)]
    last_reading_m3: Option<f64>,
    /// Whether the value fell by more than 100 litres: the meter was replaced.
    #[schema(example = false)]
    is_reset: bool,
}

/// What the days come to. Average, maximum and minimum are over days with data, and null where there
/// are none.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConsumptionSummary {
    /// All that was consumed, in cubic metres.
    #[schema(example = 0.412)]
    total_m3: f64,
    /// The mean of a day.
    #[schema(example = 0.412)]
    average_m3: Option<f64>,
    /// The most on a day.
    #[schema(example = 0.412)]
    max_m3: Option<f64>,
    /// The least on a day.
    #[schema(example = 0.412)]
    min_m3: Option<f64>,
    /// How many days have readings.
    #[schema(example = 1)]
    days_with_data: usize,
    /// How many have none.
    #[schema(example = 0)]
    offline_days: usize,
}

impl From<devices::ConsumptionPerDay> for ConsumptionPerDay {
    fn from(consumed: devices::ConsumptionPerDay) -> Self {
        Self {
            device_id: consumed.device.uuid(),
            timezone: consumed.calendar.name().to_owned(),
            days: consumed.days.iter().map(DailyConsumption::of).collect(),
            summary: ConsumptionSummary::of(&consumed.summary),
        }
    }
}

impl DailyConsumption {
    fn of(day: &Day) -> Self {
        Self {
            date: day.date.to_string(),
            consumption_m3: day.consumption.map(Volume::cubic_metres),
            is_offline: day.is_offline(),
            last_reading_m3: day.last_reading.map(Volume::cubic_metres),
            is_reset: day.is_reset,
        }
    }
}

impl ConsumptionSummary {
    fn of(summary: &Summary) -> Self {
        Self {
            total_m3: summary.total.cubic_metres(),
            average_m3: summary.average.map(Volume::cubic_metres),
            max_m3: summary.max.map(Volume::cubic_metres),
            min_m3: summary.min.map(Volume::cubic_metres),
            days_with_data: summary.days_with_data,
            offline_days: summary.offline_days,
        }
    }
}

/// Read what a device consumed per day
///
/// One entry for each of the last `days` calendar days, today included, in the time zone that is asked
/// for, else that of the device's customer, else the reseller's. What flowed while the meter was silent
/// falls on the day it came back; a meter that was replaced is told by `is_reset`, and its fall counts
/// nothing. Works for soft-deleted devices too.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}/consumption-per-day",
    operation_id = "get_consumption_per_day",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"), Days),
    responses(Errors<(codes::ValidationError, codes::DeviceNotFound)>),
)]
pub async fn consumption_per_day(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Query(Days { days, timezone }): Query<Days>,
) -> Result<Success<ConsumptionPerDay>, ApiError> {
    let (asked, now) = (LastDays { count: days, calendar: timezone }, service.env.now());
    let consumed = service
        .db
        .read(&caller.scope, move |tx| devices::consumption_per_day(tx, device, &asked, now));
    Ok(Success::of(consumed.await?.into()))
}
