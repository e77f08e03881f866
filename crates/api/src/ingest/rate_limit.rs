//! The rate-limit headers of ingestion.

use http::{HeaderName, HeaderValue};
use weir_ingest::quota::Standing;

use crate::error::ApiError;
use crate::headers::{RATE_LIMIT, RATE_LIMIT_REMAINING, RATE_LIMIT_RESET};

/// The headers that say what is left of a month; none where nothing is known of it.
pub struct RateLimit(Vec<(HeaderName, HeaderValue)>);

impl RateLimit {
    /// The headers for what is left.
    pub fn of(standing: Option<Standing>) -> Self {
        let headers = |standing: Standing| {
            vec![
                (RATE_LIMIT, HeaderValue::from(standing.limit)),
                (RATE_LIMIT_REMAINING, HeaderValue::from(standing.remaining.max(0))),
                (RATE_LIMIT_RESET, HeaderValue::from(standing.month.end().epoch_seconds())),
            ]
        };
        Self(standing.map(headers).unwrap_or_default())
    }

    /// The same error with these headers.
    pub fn on(&self, error: ApiError) -> ApiError {
        self.iter().fold(error, |error, (name, value)| error.with_header(name, value))
    }

    /// Each header.
    pub fn iter(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        self.0.iter().cloned()
    }
}
