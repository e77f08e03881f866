//! What browsers are told about every page: to run only scripts that are files of ours, to show it in
//! nobody's frame, and to keep no copy.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::Dashboard;
use crate::flash::Flash;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    // Without any, browsers would not tell from where our own forms are sent.
    (REFERRER_POLICY, "same-origin"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (CACHE_CONTROL, "no-store"),
];

/// Adds these to a page that does not say otherwise.
pub(crate) fn shield(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Adds these to a page, and has a message forgotten that it told.
pub(crate) async fn guard(
    State(dashboard): State<Arc<Dashboard>>,
    request: Request,
    next: Next,
) -> Response {
    let was_told = Flash::is_in(request.headers());
    let mut response = next.run(request).await;
    let is_page = response.status().is_success();
    let headers = response.headers_mut();
    shield(headers);
    if let Some(forget) = Flash::forget(dashboard.is_https()).filter(|_| was_told && is_page) {
        headers.append(SET_COOKIE, forget);
    }
    response
}
