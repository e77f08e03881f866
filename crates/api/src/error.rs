//! Errors, and the one body that they all have.

mod code;
mod conversion;

use std::fmt;

use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use code::{ErrorCode, codes};

/// A request that did not succeed: what leaves the service for it.
///
/// It is a value until the very end. The response keeps a copy among its extensions, so that the
/// layers above can still show it in another form.
#[derive(Clone)]
pub struct ApiError(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    code: ErrorCode,
    message: String,
    details: Map<String, Value>,
    headers: HeaderMap,
}

/// The body of every error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody<'a> {
    /// Always `error`.
    #[schema(example = "error")]
    status: &'static str,
    error_code: ErrorCode,
    /// What went wrong, in a sentence for people.
    #[schema(example = "No such device.")]
    message: &'a str,
    /// More about it; may be empty. Where fields are at fault, `errors` holds one object for each:
    /// `loc` is the way to it from `body`, `query` or `path`, `message` what is wrong with it.
    #[schema(value_type = Object, example = json!({}))]
    details: &'a Map<String, Value>,
}

impl ApiError {
    /// An error with a sentence of its own.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let (details, headers) = (Map::new(), HeaderMap::new());
        Self(Box::new(Inner { code, message: message.into(), details, headers }))
    }

    /// An error for which the description of its code says enough.
    pub fn of(code: ErrorCode) -> Self {
        Self::new(code, code.description())
    }

    /// A bug. The caller learns nothing but the request id; whoever makes it writes the reason to the
    /// log.
    pub fn internal() -> Self {
        Self::new(ErrorCode::InternalError, "Something went wrong inside the service.")
    }

    /// The service cannot do it now and changed nothing.
    pub fn unavailable(retry_after_seconds: u32) -> Self {
        let message =
            "The service cannot do this right now. Nothing was changed; please try again.";
        Self::unavailable_because(message, retry_after_seconds)
    }

    /// The same with a reason that the caller may know.
    pub fn unavailable_because(reason: impl Into<String>, retry_after_seconds: u32) -> Self {
        Self::new(ErrorCode::ServiceUnavailable, reason)
            .with_header(RETRY_AFTER, HeaderValue::from(retry_after_seconds))
    }

    /// The same with one more of the details.
    #[must_use]
    pub fn with_detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.details.insert(key.to_owned(), value.into());
        self
    }

    /// The same with one more response header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// Its code.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// Its sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Its details.
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// Its body.
    pub(crate) fn body(&self) -> Vec<u8> {
        let Inner { code, message, details, .. } = &*self.0;
        let body = ErrorBody { status: "error", error_code: *code, message, details };
        // Strings and maps with string keys cannot fail to serialize.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.0.code.status(), self.body()).into_response();
        let headers = response.headers_mut();
        headers.extend(self.0.headers.clone());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response.extensions_mut().insert(self);
        response
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code, self.0.message)
    }
}

impl std::error::Error for ApiError {}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn an_error_leaves_with_its_status_headers_and_body() {
        let error = ApiError::unavailable(1).with_detail("queue", "full");
        let response = error.into_response();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()["retry-after"], "1");
        assert_eq!(response.headers()["content-type"], "application/json");
        assert_eq!(
            response.extensions().get::<ApiError>().map(ApiError::code),
            Some(ErrorCode::ServiceUnavailable)
        );
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["status"], "error");
        assert_eq!(body["error_code"], "SERVICE_UNAVAILABLE");
        assert_eq!(body["details"], json!({ "queue": "full" }));
        assert!(body["message"].as_str().unwrap().ends_with('.'));
        assert_eq!(body.as_object().unwrap().len(), 4);
    }
}
