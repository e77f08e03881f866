//! What is answered to an uplink that was taken.

use std::collections::BTreeMap;

use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::openapi::{Header, HeaderBuilder, RefOr};
use utoipa::{IntoResponses, PartialSchema, ToSchema};
use uuid::Uuid;
use weir_domain::{Battery, Eui, Timestamp};
use weir_ingest::{Accepted, Taken};

use super::rate_limit::RateLimit;
use crate::envelope::Success;

/// A stored reading.
#[derive(Debug, Serialize, ToSchema)]
pub struct IngestionResult {
    /// The UUID of the stored reading; the same for every repeat of it.
    #[schema(example = "5c0f7c1e-4b11-5d4e-8f4a-6d0c9f6b3a21")]
    id: Uuid,
    /// The device's EUI as it was registered.
    #[schema(value_type = String, example = "70b3d57ed02a3654")]
    dev_eui: Eui,
    /// The reading time from the payload, of the newest reading where there are several.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T00:59:58.123456+00:00")]
    timestamp: Timestamp,
    /// The cumulative flow in litres.
    #[schema(example = 123457.0)]
    consumption_liters: f64,
    /// The battery in volts, where the payload has it.
    #[schema(example = 3.6)]
    battery_voltage: Option<f64>,
    /// The format that was detected.
    #[schema(pattern = "^(chirpstack|the_things_stack)$", example = "chirpstack")]
    format: &'static str,
    /// How many readings the message carried.
    #[schema(example = 1)]
    readings: usize,
    /// All of its readings were known already.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    duplicate: bool,
    /// The reading time was before 2010 or more than 24 hours ahead and was replaced by the time of
    /// receipt.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    time_replaced: bool,
    /// The network server only simulated the uplink.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    simulated: bool,
    /// The device is soft-deleted.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    device_deleted: bool,
}

/// A message that is no uplink.
#[derive(Debug, Serialize, ToSchema)]
pub struct IgnoredMessage {
    /// Always true.
    #[schema(example = true)]
    ignored: bool,
    /// Why.
    #[schema(example = "The event is \"join\", not \"up\".")]
    reason: String,
}

/// A stored reading, or a message that is no uplink.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Ingestion {
    /// A reading was stored.
    Stored(IngestionResult),
    /// Nothing was stored or counted.
    Ignored(IgnoredMessage),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The answer to a message that was taken.
pub struct IngestionAnswer(Success<Ingestion>);

impl IngestionAnswer {
    /// The answer, with the rate-limit headers.
    pub fn of(taken: Taken, headers: RateLimit) -> Self {
        let success = match taken {
            Taken::Accepted(accepted) => {
                let message = match accepted.duplicate {
                    true => "The reading was known already.",
                    false => "The reading is stored.",
                };
                Success::of(Ingestion::Stored(IngestionResult::of(&accepted))).with_message(message)
            }
            Taken::Ignored { reason } => {
                let ignored = IgnoredMessage { ignored: true, reason };
                Success::of(Ingestion::Ignored(ignored)).with_message("The message was ignored.")
            }
        };
        let with = |success: Success<_>, (name, value)| success.with_header(name, value);
        Self(headers.into_iter().fold(success, with))
    }
}

impl IngestionResult {
    fn of(accepted: &Accepted) -> Self {
        Self {
            id: accepted.id.uuid(),
            dev_eui: accepted.dev_eui,
            timestamp: accepted.reading.time,
            consumption_liters: accepted.reading.volume.litres(),
            battery_voltage: accepted.reading.battery.map(Battery::volts),
            format: accepted.format.name(),
            readings: accepted.readings,
            duplicate: accepted.duplicate,
            time_replaced: accepted.time_replaced,
            simulated: accepted.simulated,
            device_deleted: accepted.device_deleted,
        }
    }
}

impl IntoResponse for IngestionAnswer {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl IntoResponses for IngestionAnswer {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let header = |description: &str| -> Header {
            HeaderBuilder::new().schema(Some(i64::schema())).description(Some(description)).build()
        };
        let response = Success::<Ingestion>::response()
            .description("The reading is on disk, or the message was ignored.")
            .header("X-RateLimit-Limit", header("How many requests a month may hold."))
            .header("X-RateLimit-Remaining", header("How many are left."))
            .header("X-RateLimit-Reset", header("When the next month begins, in epoch seconds."));
        BTreeMap::from([("200".to_owned(), response.into())])
    }
}
