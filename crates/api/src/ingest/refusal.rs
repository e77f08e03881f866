//! What is answered to an uplink that was not taken.

use http::HeaderValue;
use http::header::RETRY_AFTER;
use serde_json::json;
use weir_domain::Timestamp;
use weir_domain::name::TenantNames;
use weir_ingest::NotTaken;
use weir_ingest::quota::Standing;
use weir_uplink::{FieldError, Format, Unreadable};

use crate::error::{ApiError, ErrorCode};

/// When a sender may try again for whom there is no room now.
const RETRY_AFTER_SECONDS: u32 = 5;

/// The error for it. Whoever goes by a wrong name is told which ones are theirs, and nobody else's.
pub fn error(reason: NotTaken, own: &TenantNames, now: Timestamp) -> ApiError {
    let message = reason.to_string();
    match reason {
        NotTaken::QuotaUsedUp(standing) => quota_used_up(standing, now),
        NotTaken::Unreadable(Unreadable::NotAnObject(error)) => fields(&[error]),
        NotTaken::Unreadable(Unreadable::UnknownFormat { provided_keys }) => {
            let error = ApiError::new(ErrorCode::InvalidPayloadFormat, message)
                .with_detail("provided_keys", provided_keys);
            Format::ALL.into_iter().fold(error, |error, format| {
                error.with_detail(format.name(), json!(format.expected_keys()))
            })
        }
        NotTaken::TenantMismatch => ApiError::new(ErrorCode::TenantMismatch, message)
            .with_detail("tenant_names", json!(own.all())),
        NotTaken::InvalidEui(error) => {
            let message = format!("The Device EUI {}.", error.message);
            ApiError::new(ErrorCode::InvalidDeviceId, message).with_detail("errors", json!([error]))
        }
        NotTaken::Fields(errors) => fields(&errors),
        NotTaken::UnknownDevice(_) => ApiError::new(ErrorCode::DeviceNotFound, message),
        NotTaken::Crowded => ApiError::unavailable_because(message, RETRY_AFTER_SECONDS),
        NotTaken::Spool(error) => {
            tracing::debug!(%error, "an uplink was refused");
            ApiError::unavailable(RETRY_AFTER_SECONDS)
        }
        NotTaken::Store(error) => error.into(),
    }
}

fn fields(errors: &[FieldError]) -> ApiError {
    let message = match errors {
        [only] => format!("The payload does not fit its format: {only}."),
        _ => format!("The payload does not fit its format in {} places.", errors.len()),
    };
    ApiError::new(ErrorCode::SchemaValidationError, message).with_detail("errors", json!(errors))
}

fn quota_used_up(standing: Standing, now: Timestamp) -> ApiError {
    let reset = standing.month.end();
    let wait = (reset.epoch_seconds() - now.epoch_seconds()).max(1);
    let message = format!(
        "The {} ingestion requests of this month are used up. The next month begins at {reset}.",
        standing.limit
    );
    ApiError::new(ErrorCode::RateLimitExceeded, message)
        .with_header(RETRY_AFTER, HeaderValue::from(wait))
}
