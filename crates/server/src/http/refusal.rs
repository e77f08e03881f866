//! The errors that the transport answers itself, before or instead of the router.

use std::fmt::Write as _;

use axum::body::Body;
use http::header::{CONNECTION, CONTENT_TYPE};
use http::{HeaderValue, Response, StatusCode};

use super::request_id::{RequestId, X_REQUEST_ID};

const JSON: &str = "application/json";

/// Why the router's answer was not waited for, or not asked for at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The bytes are no HTTP request.
    Malformed,
    /// The request's head is too large, or has too many fields.
    HeadersTooLarge,
    /// The same, and it is a bearer token that fills it.
    TokenTooLarge,
    /// The request's URI is too long.
    UriTooLong,
    /// The request did not arrive, or was not answered, in time.
    TimedOut,
    /// All connections are taken.
    Overloaded,
    /// The handler panicked, or gave an answer that cannot be sent.
    Broken,
}

impl Refusal {
    /// What hyper meant by an answer of its own.
    pub(super) fn from_status(status: &[u8]) -> Self {
        match status {
            b"414" => Self::UriTooLong,
            b"431" => Self::HeadersTooLarge,
            _ => Self::Malformed,
        }
    }

    /// The same, with a look at as much of the head as there was room for: a token that no room is
    /// large enough for is a token that is not valid, unless there is a key, which alone would decide.
    pub(super) fn of_head(self, head: &[u8]) -> Self {
        let mut fields = head.split(|byte| *byte == b'\n').skip(1);
        let begins = |field: &[u8], name: &[u8]| {
            field.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        };
        let is_of_interface = head.windows(9).take(16).any(|path| path == b" /api/v1/");
        let has_key = fields.clone().any(|field| begins(field, b"x-api-key:"));
        match self {
            Self::HeadersTooLarge
                if is_of_interface
                    && !has_key
                    && fields.any(|field| begins(field, b"authorization: bearer ")) =>
            {
                Self::TokenTooLarge
            }
            other => other,
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::Malformed => StatusCode::BAD_REQUEST,
            Self::HeadersTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::TokenTooLarge => StatusCode::UNAUTHORIZED,
            Self::UriTooLong => StatusCode::URI_TOO_LONG,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Self::Overloaded => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn code_and_message(self) -> (&'static str, &'static str) {
        match self {
            Self::Malformed => ("BAD_REQUEST", "This is not a well-formed HTTP/1.1 request."),
            Self::HeadersTooLarge => {
                ("HEADERS_TOO_LARGE", "The request's header fields are too large or too many.")
            }
            Self::TokenTooLarge => ("INVALID_TOKEN", "The bearer token is too large to be one."),
            Self::UriTooLong => ("URI_TOO_LONG", "The request's URI is too long."),
            Self::TimedOut => ("REQUEST_TIMEOUT", "The request took too long."),
            Self::Overloaded => {
                ("SERVICE_UNAVAILABLE", "Too many connections are open. Please try again shortly.")
            }
            Self::Broken => (
                "INTERNAL_ERROR",
                "Something went wrong on our side. The request id finds it in the log.",
            ),
        }
    }

    /// The error envelope. Nothing in it needs escaping: see [`RequestId`].
    fn envelope(self, id: &RequestId) -> String {
        let (code, message) = self.code_and_message();
        let details = match self {
            Self::Broken => format!(r#"{{"request_id":"{}"}}"#, id.as_str()),
            _ => "{}".to_owned(),
        };
        format!(
            r#"{{"status":"error","error_code":"{code}","message":"{message}","details":{details}}}"#
        )
    }

    /// As the answer to a request that hyper has read.
    pub(super) fn into_response(self, id: &RequestId) -> Response<Body> {
        let mut response = Response::new(Body::from(self.envelope(id)));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        if let Ok(id) = HeaderValue::from_str(id.as_str()) {
            headers.insert(X_REQUEST_ID, id);
        }
        if self == Self::TimedOut {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// As the last words on a connection.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let (id, status) = (RequestId::random(), self.status());
        let body = self.envelope(&id);
        let mut text = format!(
            "HTTP/1.1 {} {}\r\ncontent-type: {JSON}\r\n{X_REQUEST_ID}: {}\r\n",
            status.as_str(),
            status.canonical_reason().unwrap_or_default(),
            id.as_str(),
        );
        if self == Self::TokenTooLarge {
            text.push_str("www-authenticate: Bearer\r\n");
        }
        if self == Self::Overloaded {
            text.push_str("retry-after: 1\r\n");
        }
        let _ = write!(text, "content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
        text.into_bytes()
    }
}
