//! `GET /auth/{provider}/callback`

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use http::HeaderMap;
use utoipa::IntoParams;
use weir_identity::cookie::{self, AUTH, FLOW};
use weir_identity::provider::NotSignedIn;
use weir_identity::social::ProviderAnswer;

use super::get_alone::GetAlone;
use super::{SignedIn, refused};
use crate::Service;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::ProviderPath;
use crate::query::{FromQuery, Query, QueryFields};

/// The longest parameter that is looked at, in characters. Codes of some providers are long.
const LONGEST: usize = 4_096;

/// What the provider gives the browser to bring along.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BroughtAlong {
    /// What the service gave the browser to bring to the provider.
    #[param(example = "q1Xo7cZ0mV9r3tYwBnKd5gLsHfEaJiUxPzCvRbQeTkM")]
    state: Option<String>,
    /// What the service exchanges for the provider's word.
    #[param(example = "SplxlOBeZQQYbYS6WxSbIA")]
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// Who the provider is.
    iss: Option<String>,
}

impl FromQuery for BroughtAlong {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let mut read = |name| fields.optional(name, text::any(LONGEST));
        let (state, code) = (read("state"), read("code"));
        Some(Self { state, code, error: read("error"), iss: read("iss") })
    }
}

impl From<BroughtAlong> for ProviderAnswer {
    fn from(brought: BroughtAlong) -> Self {
        let BroughtAlong { state, code, error, iss } = brought;
        Self { state: state.unwrap_or_default(), code, error, issuer: iss }
    }
}

/// Come back from a provider and be signed in
///
/// Works once, in the browser that was sent there (its cookie `weir_flow`). Whoever the provider vouches
/// for must be a member of a reseller, by an address that the provider has verified or by what it calls
/// them.
#[utoipa::path(
    get,
    path = "/auth/{provider}/callback",
    operation_id = "finish_sign_in",
    tag = "sign-in",
    security(()),
    params(
        ("provider" = String, Path, description = "What the operator calls the provider", example = "google"),
        BroughtAlong,
    ),
    responses(Errors<(codes::InvalidToken, codes::NotFound, codes::ServiceUnavailable)>),
)]
pub async fn callback(
    _: GetAlone,
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    ProviderPath(provider): ProviderPath,
    Query(brought): Query<BroughtAlong>,
) -> Result<SignedIn, ApiError> {
    let flow = cookie::find(&headers, FLOW);
    let finished = service.social.finish(&provider, flow, &brought.into()).await?;
    let tokens = service.sign_in.begin_session(finished.person).await;
    let tokens = tokens.map_err(|reason| match reason {
        NotSignedIn::Refused => refused("You are not a member of any reseller of this service."),
        other => other.into(),
    })?;
    // The flow has served. One that failed stays: whoever made it fail may not have been its owner.
    let served = cookie::set((FLOW, AUTH), "", Duration::ZERO, service.sign_in.url().is_https());
    let served = served.ok_or_else(ApiError::internal)?;
    let signed_in = SignedIn::with(&service, &headers, tokens, finished.page)?;
    Ok(signed_in.with_cookie(served))
}
