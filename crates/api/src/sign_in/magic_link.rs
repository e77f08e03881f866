//! `POST /auth/magic-link`

use std::sync::Arc;

use axum::extract::State;
use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderMap, HeaderValue};
use serde::Serialize;
use utoipa::ToSchema;
use weir_app::sign_in::RandomToken;
use weir_domain::person::Email;
use weir_domain::sign_in::LINK_LIFETIME;
use weir_identity::cookie::{self, AUTH, BROWSER};

use crate::Service;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::json;
use crate::openapi::Errors;
use crate::source::Source;

/// When to ask again while too many do.
const RETRY_AFTER_SECONDS: u32 = 5;

/// Somebody who wants to sign in.
#[derive(Debug, ToSchema)]
pub struct MagicLinkRequest {
    /// Where to send the link to.
    #[schema(value_type = String, max_length = 254, example = "ada@example.org")]
    email: Email,
}

impl FromBody for MagicLinkRequest {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let read = |text: &str| Email::parse(text).map_err(|error| error.to_string().into());
        Some(Self { email: fields.required("email", json::string(read))? })
    }
}

/// What is told of a link that was asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct MagicLinkRequested {
    /// For how many seconds a link is good.
    #[schema(example = 900)]
    expires_in: u64,
}

/// Ask for a link to sign in
///
/// If the address is a member's, a link is sent there. The answer is the same whether it is or not. The
/// link is good for 15 minutes, once, and in the browser that asked for it alone: the cookie that comes
/// with this answer tells. An address gets at most 5 links within 15 minutes; a source may ask 20 times.
#[utoipa::path(
    post,
    path = "/auth/magic-link",
    operation_id = "request_magic_link",
    tag = "sign-in",
    security(()),
    request_body = MagicLinkRequest,
    responses(Errors<(codes::RateLimitExceeded, codes::ServiceUnavailable)>),
    extensions(("x-example" = json!({
        "message": "If the address is a member's, a link to sign in is on its way. It works once, within 15 minutes, in this browser."
    }))),
)]
pub async fn magic_link(
    Source(source): Source,
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Json(request): Json<MagicLinkRequest>,
) -> Result<Success<MagicLinkRequested>, ApiError> {
    service.sign_in.sources.take(source).map_err(|refused| {
        let seconds = refused.retry_after.as_millis().div_ceil(1_000) as u64;
        let message = "Too many links were asked for from here. Please try again later.";
        ApiError::new(ErrorCode::RateLimitExceeded, message)
            .with_header(RETRY_AFTER, HeaderValue::from(seconds))
    })?;
    let known = cookie::find(&headers, BROWSER).and_then(RandomToken::parse);
    let browser = known.map_or_else(RandomToken::random, Ok).map_err(|error| {
        tracing::error!(%error, "the system has no randomness to give");
        ApiError::internal()
    })?;
    let is_https = service.sign_in.url().is_https();
    let cookie = cookie::set((BROWSER, AUTH), &browser.reveal(), LINK_LIFETIME, is_https);
    let cookie = cookie.ok_or_else(ApiError::internal)?;
    service
        .sign_in
        .request_link(request.email, browser)
        .map_err(|_| ApiError::unavailable(RETRY_AFTER_SECONDS))?;
    let told = MagicLinkRequested { expires_in: LINK_LIFETIME.as_secs() };
    let message = "If the address is a member's, a link to sign in is on its way. It works once, \
                   within 15 minutes, in this browser.";
    Ok(Success::of(told).with_message(message).with_header(SET_COOKIE, cookie))
}
