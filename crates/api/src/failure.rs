//! The last word on errors: whatever fails, and wherever, leaves in the one form that all errors have.
//!
//! - A panic is an internal error.
//! - An internal error tells the id of its request, which finds it in the log.
//! - What a library answered in plain text is replaced by the error of its status.
//! - Outside the interface, where people look around with browsers, an error is a page for those who
//!   ask for one: it looks like the other pages, and is as well guarded.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::around::{Inner, answer};
use crate::error::{ApiError, ErrorCode};
use crate::guard::is_guarded;
use crate::request_id::RequestId;

/// Makes the page of an error: of its status, what is wrong, and the id of the request that finds it in the
/// log, where that tells something.
pub type ErrorPage = fn(StatusCode, &str, Option<&str>) -> Response;

/// Runs the rest and gives every failure its form.
pub(crate) fn contain<S: Inner>(
    inner: &mut S,
    request: Request,
    error_page: ErrorPage,
) -> impl Future<Output = Response> + use<S> {
    let id = request.extensions().get::<RequestId>().cloned();
    let wants_page = !is_guarded(request.uri().path()) && accepts_html(request.headers());
    // A handler that panicked is dropped with all it held; nothing of it is looked at again.
    let answered = AssertUnwindSafe(answer(inner, request)).catch_unwind();
    answered.map(move |answered| {
        let response = answered.unwrap_or_else(|panic| {
            tracing::error!(reason = reason(&*panic), "a handler panicked");
            ApiError::internal().into_response()
        });
        give_form(response, id.as_ref(), wants_page.then_some(error_page))
    })
}

/// Gives a response that is an error its form: that of a page where one is wanted.
fn give_form(response: Response, id: Option<&RequestId>, page: Option<ErrorPage>) -> Response {
    let ours = response.extensions().get::<ApiError>();
    let is_final = |error: &ApiError| error.code() != ErrorCode::InternalError && page.is_none();
    if ours.is_some_and(is_final) {
        return response;
    }
    let Some(mut error) = ours.cloned().or_else(|| stray(&response)) else { return response };
    if let (ErrorCode::InternalError, Some(id)) = (error.code(), id) {
        error = error.with_detail("request_id", id.as_str());
    }
    let (mut head, _) = response.into_parts();
    head.headers.remove(CONTENT_LENGTH);
    let body = match page {
        Some(error_page) => {
            let id = error.details().get("request_id").and_then(|id| id.as_str());
            let page = error_page(error.code().status(), error.message(), id);
            let (guarded, body) = page.into_parts();
            head.headers.extend(guarded.headers);
            head.headers.append(VARY, HeaderValue::from_static("accept"));
            body
        }
        None => {
            head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            Body::from(error.body())
        }
    };
    head.extensions.insert(error);
    Response::from_parts(head, body)
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}

/// The error that a library answered as plain text, if that is what a response is.
fn stray(response: &Response) -> Option<ApiError> {
    let content_type = response.headers().get(CONTENT_TYPE);
    let is_stray = content_type.is_none_or(|value| value.as_bytes().starts_with(b"text/plain"));
    let code = match response.status() {
        status if !is_stray || !(status.is_client_error() || status.is_server_error()) => {
            return None;
        }
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::PayloadTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::UnsupportedMediaType,
        StatusCode::UNPROCESSABLE_ENTITY => ErrorCode::SchemaValidationError,
        StatusCode::SERVICE_UNAVAILABLE => ErrorCode::ServiceUnavailable,
        status if status.is_server_error() => ErrorCode::InternalError,
        _ => ErrorCode::ValidationError,
    };
    Some(ApiError::of(code))
}

/// Whether a page is asked for by name; `*/*` asks for nothing in particular.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|range| {
        let mut parts = range.split(';').map(|part| part.trim().to_ascii_lowercase());
        let is_html = parts.next().is_some_and(|media_type| media_type == "text/html");
        let is_refused = |part: String| {
            let weight = part.strip_prefix("q=").and_then(|weight| weight.trim().parse().ok());
            weight.is_some_and(|weight: f32| weight <= 0.0)
        };
        is_html && !parts.any(is_refused)
    })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;

    use super::*;
    use crate::around::around;
    use crate::request_id;
    use crate::testing::{Answer, ask, error_page, request};

    async fn broken() -> Result<(), ApiError> {
        Err(ApiError::internal())
    }

    async fn panicking() {
        panic!("secret <reason>");
    }

    fn app() -> Router {
        let fine = async || (StatusCode::OK, "fine");
        let html = async || (StatusCode::NOT_FOUND, axum::response::Html("own page"));
        let routes = Router::new()
            .route("/broken", get(broken))
            .route("/api/v1/broken", get(broken))
            .route("/panicking", get(panicking))
            .route("/fine", get(fine))
            .route("/own", get(html));
        let contained = around(routes, |inner, request| contain(inner, request, error_page));
        Router::new().fallback_service(around(contained, request_id::assign))
    }

    async fn answered(line: &str, accept: &str) -> Answer {
        let asked = request(line).header("accept", accept).header("x-request-id", "<7>");
        ask(app(), asked.empty()).await
    }

    #[tokio::test]
    async fn internal_errors_and_panics_tell_their_request_and_nothing_else() {
        for line in ["GET /broken", "GET /panicking", "GET /api/v1/broken"] {
            let answer = answered(line, "*/*").await;
            assert_eq!((answer.status, answer.code()), (500, "INTERNAL_ERROR"), "{line}");
            assert_eq!(answer.json()["details"]["request_id"], "<7>");
            assert_eq!(answer.header("x-request-id"), "<7>");
            assert!(!answer.text().contains("secret"));
        }
    }

    #[tokio::test]
    async fn plain_text_of_libraries_is_replaced() {
        assert_eq!(answered("GET /nothing", "*/*").await.code(), "NOT_FOUND");
        let answer = answered("POST /fine", "*/*").await;
        assert_eq!(answer.code(), "METHOD_NOT_ALLOWED");
        assert_eq!(answer.header("allow"), "GET,HEAD");
    }

    #[tokio::test]
    async fn what_is_fine_or_has_a_page_of_its_own_stays() {
        assert_eq!(answered("GET /fine", "text/html").await.text(), "fine");
        assert_eq!(answered("GET /own", "text/html").await.text(), "own page");
    }

    #[tokio::test]
    async fn pages_are_for_those_who_ask_outside_the_interface() {
        for accept in ["text/html", "application/xml;q=0.9, TEXT/HTML;q=0.8"] {
            let answer = answered("GET /panicking", accept).await;
            assert_eq!(answer.status, 500);
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
            assert_eq!(answer.header("vary"), "accept");
            assert_eq!(answer.header("content-security-policy"), "default-src 'none'");
            assert!(answer.text().contains("<7>") && !answer.text().contains("secret"));
        }
        for accept in ["*/*", "application/json", "text/html;q=0", "text/*", ""] {
            assert_eq!(answered("GET /nothing", accept).await.code(), "NOT_FOUND", "{accept}");
        }
        assert_eq!(answered("GET /api/v1/broken", "text/html").await.code(), "INTERNAL_ERROR");
        assert_eq!(answered("GET /api/v1/nothing", "text/html").await.code(), "NOT_FOUND");
    }
}
