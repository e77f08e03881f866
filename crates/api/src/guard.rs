//! Authentication comes first, also where there is nothing.
//!
//! Operations ask for their caller in their signature, before anything else of a request. What no
//! operation takes, an unknown path or another method, asks the guard: without valid credentials a
//! path that does not exist answers as one that does.

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http::StatusCode;
use http::header::ALLOW;

use crate::around::{Inner, answer};
use crate::error::{ApiError, ErrorCode};

/// Knows who may come in. The state of the router implements it.
pub trait Guard: Clone + Send + Sync + 'static {
    /// Whether the request has credentials that some operation would take; else the error that it
    /// gets, which has the status 401.
    fn admit(&self, request: &mut Parts) -> impl Future<Output = Result<(), ApiError>> + Send;
}

/// Whether a path lies in the interface, where nothing is answered without credentials.
pub(crate) fn is_guarded(path: &str) -> bool {
    path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers where there is no such path.
pub(crate) async fn not_found<G: Guard>(state: State<G>, request: Request) -> Response {
    refuse(state, request, ErrorCode::NotFound).await
}

/// Answers where the path takes other methods.
pub(crate) async fn method_not_allowed<G: Guard>(state: State<G>, request: Request) -> Response {
    refuse(state, request, ErrorCode::MethodNotAllowed).await
}

async fn refuse<G: Guard>(State(guard): State<G>, request: Request, code: ErrorCode) -> Response {
    if is_guarded(request.uri().path()) {
        let (mut head, _) = request.into_parts();
        if let Err(error) = guard.admit(&mut head).await {
            return error.into_response();
        }
    }
    ApiError::of(code).into_response()
}

/// Takes back the `Allow` header that axum adds to whatever a known path answers to another method:
/// strangers are not to learn which paths there are.
pub(crate) fn keep_secret<S: Inner>(
    inner: &mut S,
    request: Request,
) -> impl Future<Output = Response> + use<S> {
    answer(inner, request).map(|mut response| {
        if response.status() == StatusCode::UNAUTHORIZED {
            response.headers_mut().remove(ALLOW);
        }
        response
    })
}

#[cfg(test)]
mod tests {
    use super::is_guarded;

    #[test]
    fn the_interface_has_a_clear_border() {
        for inside in ["/api/v1", "/api/v1/", "/api/v1/devices", "/api/v1//x", "/api/v1/%2e%2e"] {
            assert!(is_guarded(inside), "{inside}");
        }
        for outside in ["/", "/api", "/api/v10", "/api/v1x", "/ping", "/x/api/v1/devices"] {
            assert!(!is_guarded(outside), "{outside}");
        }
    }
}
