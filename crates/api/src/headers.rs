//! The headers that are the service's own.

use http::HeaderName;

/// A reseller's API key.
pub const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// The reseller for which a user of several asks.
pub const RESELLER_ID: HeaderName = HeaderName::from_static("x-reseller-id");
/// The name of a request, both ways.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The number of all matches of a list.
pub const TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");
/// How many ingestion requests a month may have.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// How many of them are left.
pub const RATE_LIMIT_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// When the next month begins, in epoch seconds.
pub const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
