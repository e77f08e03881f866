//! `GET /auth/magic-link/follow`

use std::sync::Arc;

use axum::extract::State;
use http::HeaderMap;
use utoipa::IntoParams;
use weir_identity::cookie::{self, BROWSER, PAGE};
use weir_identity::provider::NotSignedIn;
use weir_identity::social::Page;

use super::get_alone::GetAlone;
use super::{LONGEST_TOKEN, SignedIn, refused};
use crate::Service;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::query::{FromQuery, Query, QueryFields};

/// The link.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Followed {
    /// What the link carries.
    #[param(example = "q1Xo7cZ0mV9r3tYwBnKd5gLsHfEaJiUxPzCvRbQeTkM")]
    token: String,
}

impl FromQuery for Followed {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        Some(Self { token: fields.required("token", text::any(LONGEST_TOKEN))? })
    }
}

/// Follow a link and sign in
///
/// Works once, within 15 minutes, in the browser that asked for the link (its cookie `weir_browser`). In
/// another one it is refused, and the link stays good: mail scanners follow links too.
#[utoipa::path(
    get,
    path = "/auth/magic-link/follow",
    operation_id = "follow_magic_link",
    tag = "sign-in",
    security(()),
    params(Followed),
    responses(Errors<(codes::InvalidToken, codes::ServiceUnavailable)>),
)]
pub async fn follow(
    _: GetAlone,
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    Query(link): Query<Followed>,
) -> Result<SignedIn, ApiError> {
    let browser = cookie::find(&headers, BROWSER);
    let tokens = service.sign_in.follow_link(&link.token, browser).await;
    let tokens = tokens.map_err(|reason| match reason {
        NotSignedIn::Refused => refused(
            "The link is not valid. It works once, within 15 minutes, and only in the browser in which \
             it was asked for.",
        ),
        other => other.into(),
    })?;
    let page = cookie::find(&headers, PAGE).and_then(Page::parse);
    SignedIn::with(&service, &headers, tokens, page)
}
