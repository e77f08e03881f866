//! The router as a whole, with a guard that knows one key and a few routes.

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::routing::{get, post};

use super::*;
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode};
use crate::headers::API_KEY;
use crate::testing::{Answer, Asked, ask, error_page, request};

#[derive(Clone)]
struct OneKey;

impl Guard for OneKey {
    async fn admit(&self, request: &mut Parts) -> Result<(), ApiError> {
        match request.headers.get(API_KEY) {
            Some(key) if key == "sesame" => Ok(()),
            _ => Err(ApiError::of(ErrorCode::InvalidApiKey)),
        }
    }
}

/// What an operation has first in its signature.
struct Caller;

impl FromRequestParts<OneKey> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(request: &mut Parts, guard: &OneKey) -> Result<Self, ApiError> {
        guard.admit(request).await.map(|()| Self)
    }
}

fn app(origins: &[&str]) -> Router {
    let page = async || Success::of("water ".repeat(1_000));
    let long = async |_: Caller| Success::of("water ".repeat(1_000));
    let echo = async |_: Caller, request: Request| {
        crate::body::receive_json(request, 10).await.map(|_| Success::of(true))
    };
    let routes = Router::new()
        .route("/page", get(page))
        .route("/api/v1/devices", get(long))
        .route("/api/v1/devices/register", post(echo))
        .route("/api/v1/devices/{device_id}", get(long).put(echo));
    let origins = Origins::parse(origins.iter().copied()).unwrap();
    assemble(routes, OneKey, &origins, error_page)
}

async fn as_stranger(line: &str) -> Answer {
    ask(app(&[]), request(line).empty()).await
}

fn with_key(line: &str) -> Asked {
    request(line).header("x-api-key", "sesame")
}

#[tokio::test]
async fn strangers_learn_nothing_about_the_interface() {
    for line in [
        "GET /api/v1/devices",
        "PATCH /api/v1/devices",
        "GET /api/v1/devices/register",
        "GET /api/v1/nothing",
        "GET /api/v1/devices/%ff",
        "OPTIONS /api/v1/devices",
        "GET /api/v1",
        "GET /api/v1/",
    ] {
        let answer = as_stranger(line).await;
        assert_eq!((answer.status, answer.code()), (401, "INVALID_API_KEY"), "{line}");
        let mut names: Vec<&str> = answer.headers.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        names.retain(|name| *name != "vary");
        assert_eq!(names, ["content-length", "content-type", "x-request-id"], "{line}");
    }
}

#[tokio::test]
async fn unknown_paths_and_methods_are_told_to_callers() {
    let answer = ask(app(&[]), with_key("GET /api/v1/nothing").empty()).await;
    assert_eq!((answer.status, answer.code()), (404, "NOT_FOUND"));
    for (line, allowed) in [
        ("GET /api/v1/devices/register", "POST"),
        ("DELETE /api/v1/devices/70B3D57ED02A3654", "GET,HEAD,PUT"),
        ("OPTIONS /api/v1/devices", "GET,HEAD"),
    ] {
        let answer = ask(app(&[]), with_key(line).empty()).await;
        assert_eq!((answer.status, answer.code()), (405, "METHOD_NOT_ALLOWED"), "{line}");
        assert_eq!(answer.header("allow"), allowed, "{line}");
    }
}

#[tokio::test]
async fn outside_the_interface_people_get_pages() {
    let asked = |line: &str| request(line).header("accept", "text/html,*/*;q=0.8").empty();
    let missing = ask(app(&[]), asked("GET /nothing")).await;
    assert_eq!(missing.status, 404);
    assert!(missing.text().contains("<h1>404 Not Found</h1>"));
    let wrong = ask(app(&[]), asked("DELETE /page")).await;
    assert_eq!((wrong.status, wrong.header("allow")), (405, "GET,HEAD"));
    assert!(wrong.text().contains("<h1>405"));
    assert_eq!(as_stranger("GET /nothing").await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn every_answer_has_a_name() {
    for line in ["GET /page", "GET /nothing", "PUT /page", "GET /api/v1/devices"] {
        let answer = as_stranger(line).await;
        assert_eq!(answer.header("x-request-id").len(), 32, "{line}");
    }
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_ask() {
    for encoding in ["gzip", "br"] {
        let asked = request("GET /page").header("accept-encoding", encoding).empty();
        let answer = ask(app(&[]), asked).await;
        assert_eq!(answer.header("content-encoding"), encoding);
        assert!(answer.body.len() < 500);
    }
    let plain = as_stranger("GET /page").await;
    assert_eq!(plain.header("content-encoding"), "");
    assert!(plain.body.len() > 6_000);
}

#[tokio::test]
async fn a_refused_body_has_the_form_of_all_errors() {
    let asked = with_key("POST /api/v1/devices/register").body("12345678901");
    assert_eq!(ask(app(&[]), asked).await.code(), "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn listed_origins_may_call_from_a_browser() {
    let origins = ["https://app.example.org"];
    let preflight = request("OPTIONS /api/v1/devices")
        .header("origin", origins[0])
        .header("access-control-request-method", "PUT")
        .header("access-control-request-headers", "x-api-key");
    let answer = ask(app(&origins), preflight.empty()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), origins[0]);
    assert!(answer.header("access-control-allow-headers").contains("x-api-key"));
    assert!(answer.header("access-control-allow-headers").contains("x-reseller-id"));
    assert_eq!(answer.header("x-request-id").len(), 32);

    let call = with_key("GET /api/v1/devices").header("origin", origins[0]).empty();
    let answer = ask(app(&origins), call).await;
    let seen = answer.header("access-control-expose-headers");
    for name in ["x-request-id", "x-total-count", "link", "x-ratelimit-reset", "retry-after"] {
        assert!(seen.contains(name), "{name}");
    }

    let refused = request("GET /api/v1/devices").header("origin", origins[0]).empty();
    let answer = ask(app(&origins), refused).await;
    assert_eq!(answer.status, 401);
    assert_eq!(answer.header("access-control-allow-origin"), origins[0]);
}

#[tokio::test]
async fn other_origins_may_not() {
    for origins in [&[][..], &["https://app.example.org"]] {
        let call = request("GET /page").header("origin", "https://evil.example.org").empty();
        let answer = ask(app(origins), call).await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
    let answer = as_stranger("GET /page").await;
    assert!(!answer.headers.keys().any(|name| name.as_str().starts_with("access-control")));
}

#[test]
fn no_route_stands_in_the_way_of_another() {
    let (operations, document) = parts();
    assert!(operations.merge(pages::documentation(&document)).has_routes());
}
