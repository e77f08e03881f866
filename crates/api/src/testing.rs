//! Asking a router, in tests.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;
use http::header::CONTENT_SECURITY_POLICY;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// A page for errors, as it is made elsewhere.
pub fn error_page(status: StatusCode, message: &str, request: Option<&str>) -> Response {
    let headers = [(CONTENT_SECURITY_POLICY, "default-src 'none'")];
    let page = format!("<h1>{status}</h1>{message} {}", request.unwrap_or_default());
    (status, headers, Html(page)).into_response()
}

/// A request in the making.
pub struct Asked(http::request::Builder);

/// A request line, `GET /path`.
pub fn request(line: &str) -> Asked {
    let (method, uri) = line.split_once(' ').unwrap();
    Asked(Request::builder().method(method).uri(uri))
}

impl Asked {
    pub fn header(self, name: &str, value: &str) -> Self {
        Self(self.0.header(name, value))
    }

    pub fn typed(self, content_type: &str) -> Self {
        self.header("content-type", content_type)
    }

    pub fn maybe_typed(self, content_type: Option<&str>) -> Self {
        match content_type {
            Some(content_type) => self.typed(content_type),
            None => self,
        }
    }

    pub fn body(self, body: impl Into<Body>) -> Request {
        self.0.body(body.into()).unwrap()
    }

    pub fn empty(self) -> Request {
        self.body(Body::empty())
    }
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
    json: Value,
}

/// Asks a router.
pub async fn ask(app: Router, request: Request) -> Answer {
    let response = app.oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let json = serde_json::from_slice(&body).unwrap_or_default();
    Answer { status: head.status.as_u16(), headers: head.headers, body, json }
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }

    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The code of an error, once its body is seen to have the form of all errors.
    pub fn code(&self) -> &str {
        let keys: Vec<&str> = self.json.as_object().unwrap().keys().map(String::as_str).collect();
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, ["details", "error_code", "message", "status"]);
        assert_eq!(self.headers["content-type"], "application/json");
        assert_eq!(self.json["status"], "error");
        assert!(self.json["details"].is_object());
        self.json["error_code"].as_str().unwrap()
    }

    pub fn errors(&self) -> &[Value] {
        self.json["details"]["errors"].as_array().unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
