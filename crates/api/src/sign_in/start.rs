//! `GET /auth/{provider}/start`

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{LOCATION, SET_COOKIE};
use http::{HeaderValue, StatusCode};
use utoipa::openapi::{HeaderBuilder, RefOr, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses, PartialSchema};
use weir_identity::cookie::{self, AUTH, FLOW};
use weir_identity::social::{FLOW_LIFETIME, Page};

use crate::Service;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::ProviderPath;
use crate::query::{FromQuery, Query, QueryFields};

/// The longest path that is looked at, in characters.
const LONGEST_PAGE: usize = 1_000;

/// What somebody wants to see once they are signed in.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// The path of a page of this service, for browsers. What could lead elsewhere is passed over.
    #[param(value_type = Option<String>, example = "/devices")]
    page: Option<Page>,
}

impl FromQuery for Wanted {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let page = fields.optional("page", text::any(LONGEST_PAGE));
        Some(Self { page: page.and_then(|page: String| Page::parse(&page)) })
    }
}

/// The way to a provider.
pub struct ToProvider {
    location: HeaderValue,
    cookie: HeaderValue,
}

impl IntoResponse for ToProvider {
    fn into_response(self) -> Response {
        let headers = [(LOCATION, self.location), (SET_COOKIE, self.cookie)];
        (StatusCode::SEE_OTHER, headers).into_response()
    }
}

impl IntoResponses for ToProvider {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let location = HeaderBuilder::new()
            .schema(Some(String::schema()))
            .description(Some("The provider's page, with what it has to know."));
        let response = ResponseBuilder::new()
            .description(
                "The browser goes on to the provider, and keeps the cookie until it is back.",
            )
            .header("Location", location.build());
        BTreeMap::from([("303".to_owned(), response.into())])
    }
}

/// Sign in at a provider
///
/// Sends a browser to one of the providers that the service is a client of. From there it comes back to
/// `/auth/{provider}/callback`, within 10 minutes; the cookie `weir_flow` tells that it is the same one.
#[utoipa::path(
    get,
    path = "/auth/{provider}/start",
    operation_id = "start_sign_in",
    tag = "sign-in",
    security(()),
    params(
        ("provider" = String, Path, description = "What the operator calls the provider", example = "google"),
        Wanted,
    ),
    responses(Errors<(codes::NotFound, codes::ServiceUnavailable)>),
)]
pub async fn start(
    State(service): State<Arc<Service>>,
    ProviderPath(provider): ProviderPath,
    Query(wanted): Query<Wanted>,
) -> Result<ToProvider, ApiError> {
    let started = service.social.start(&provider, wanted.page).await?;
    let location = HeaderValue::try_from(started.location.as_str());
    let is_https = service.sign_in.url().is_https();
    let cookie = cookie::set((FLOW, AUTH), &started.flow, FLOW_LIFETIME, is_https);
    // Neither an address nor a sealed flow holds what a header cannot.
    let (location, cookie) = location.ok().zip(cookie).ok_or_else(ApiError::internal)?;
    Ok(ToProvider { location, cookie })
}
