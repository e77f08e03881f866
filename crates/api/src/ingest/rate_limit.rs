//! The rate-limit headers of ingestion.

use std::iter::Flatten;
use std::option;

use http::{HeaderName, HeaderValue};
use weir_ingest::quota::Standing;

use crate::error::ApiError;
use crate::headers::{RATE_LIMIT, RATE_LIMIT_REMAINING, RATE_LIMIT_RESET};

/// The headers that say what is left of a month; none where nothing is known of it.
pub struct RateLimit(Option<[(HeaderName, HeaderValue); 3]>);

impl RateLimit {
    /// The headers for what is left.
    pub fn of(standing: Option<Standing>) -> Self {
        let headers = |standing: Standing| {
            [
                (RATE_LIMIT, HeaderValue::from(standing.limit)),
                (RATE_LIMIT_REMAINING, HeaderValue::from(standing.remaining.max(0))),
                (RATE_LIMIT_RESET, HeaderValue::from(standing.month.end().epoch_seconds())),
            ]
        };
        Self(standing.map(headers))
    }

    /// The same error with these headers.
    pub fn on(self, error: ApiError) -> ApiError {
        self.into_iter().fold(error, |error, (name, value)| error.with_header(name, value))
    }
}

impl IntoIterator for RateLimit {
    type Item = (HeaderName, HeaderValue);
    type IntoIter = Flatten<option::IntoIter<[Self::Item; 3]>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}
