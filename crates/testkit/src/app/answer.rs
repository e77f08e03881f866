//! What the service answered.

use axum::response::Response;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;

/// An answer, read to its end.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    pub(super) async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.expect("a whole body").to_bytes().to_vec();
        Self { status: parts.status, headers: parts.headers, body }
    }

    /// Its body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The data of a success; anything else fails the test.
    #[track_caller]
    pub fn ok(&self) -> Value {
        let body = self.json();
        assert_eq!(self.status, 200, "{body}");
        assert_eq!(body["status"], "success", "{body}");
        assert_eq!(self.headers["content-type"], "application/json");
        assert!(self.headers.contains_key("x-request-id"));
        body["data"].clone()
    }

    /// The body of an error with that status and code; anything else fails the test.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        assert_eq!(
            (self.status.as_u16(), body["error_code"].as_str()),
            (status, Some(code)),
            "{body}"
        );
        assert_eq!(body["status"], "error", "{body}");
        assert!(body["message"].is_string() && body["details"].is_object(), "{body}");
        assert_eq!(self.headers["content-type"], "application/json");
        assert!(self.headers.contains_key("x-request-id"));
        body
    }

    /// The locations of the fields that a 422 names, as dotted texts.
    #[track_caller]
    pub fn fields(&self) -> Vec<String> {
        let body = self.refused(422, "SCHEMA_VALIDATION_ERROR");
        let errors = body["details"]["errors"].as_array().expect("errors").clone();
        let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
        let dotted = |error: &Value| {
            assert!(error["message"].is_string(), "{error}");
            let loc = error["loc"].as_array().expect("loc");
            loc.iter().map(step).collect::<Vec<_>>().join(".")
        };
        errors.iter().map(dotted).collect()
    }

    /// Its body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Where it sends a browser on to; anything else fails the test.
    #[track_caller]
    pub fn sent_on(&self) -> &str {
        assert_eq!(self.status, 303, "{}", self.text());
        self.header("location")
    }

    /// The value of a cookie that it sets; empty where it sets none of that name.
    pub fn cookie(&self, name: &str) -> &str {
        let set = self.headers.get_all("set-cookie").iter().filter_map(|set| set.to_str().ok());
        let mut pairs = set.filter_map(|set| set.split(';').next()?.split_once('='));
        pairs.find(|pair| pair.0 == name).map_or("", |pair| pair.1)
    }

    /// A header as text; empty where it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }
}
