//! What somebody is answered who signed in: tokens, or in a browser the page that they wanted to see.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::response::{IntoResponse, Response};
use http::header::{LOCATION, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode};
use utoipa::openapi::{HeaderBuilder, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, PartialSchema};
use weir_identity::cookie::{self, AUTH, PAGE};
use weir_identity::provider::Tokens;
use weir_identity::social::Page;

use super::TokensView;
use crate::Service;
use crate::envelope::Success;
use crate::error::ApiError;
use crate::failure::accepts_html;

/// Somebody who signed in.
pub enum SignedIn {
    /// A program, which gets tokens.
    Program(Success<TokensView>),
    /// A browser, which keeps the session in a cookie and goes on to a page.
    Browser(Page, Vec<HeaderValue>),
}

impl SignedIn {
    /// With these tokens, asked for so. A browser goes on to that page, else to the first one.
    pub fn with(
        service: &Service,
        headers: &HeaderMap,
        tokens: Tokens,
        page: Option<Page>,
    ) -> Result<Self, ApiError> {
        if !accepts_html(headers) {
            let tokens = Success::of(tokens.into()).with_message("You are signed in.");
            return Ok(Self::Program(tokens));
        }
        let session = service.sign_in.session_cookie(tokens.session)?;
        let served =
            cookie::set((PAGE, AUTH), "", Duration::ZERO, service.sign_in.url().is_https());
        let page = page.or_else(|| Page::parse("/")).ok_or_else(ApiError::internal)?;
        Ok(Self::Browser(page, [session].into_iter().chain(served).collect()))
    }

    /// The same with one more cookie.
    #[must_use]
    pub fn with_cookie(self, cookie: HeaderValue) -> Self {
        match self {
            Self::Program(tokens) => Self::Program(tokens.with_header(SET_COOKIE, cookie)),
            Self::Browser(page, mut cookies) => {
                cookies.push(cookie);
                Self::Browser(page, cookies)
            }
        }
    }
}

impl IntoResponse for SignedIn {
    fn into_response(self) -> Response {
        match self {
            Self::Program(tokens) => tokens.into_response(),
            Self::Browser(page, cookies) => {
                let mut response = StatusCode::SEE_OTHER.into_response();
                // A page is plain ASCII.
                let page = HeaderValue::try_from(page.as_str());
                let location = page.unwrap_or_else(|_| HeaderValue::from_static("/"));
                response.headers_mut().insert(LOCATION, location);
                for cookie in cookies {
                    response.headers_mut().append(SET_COOKIE, cookie);
                }
                response
            }
        }
    }
}

impl IntoResponses for SignedIn {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let mut responses = Success::<TokensView>::responses();
        let location = HeaderBuilder::new()
            .schema(Some(String::schema()))
            .description(Some("The page that was wanted."));
        let response = ResponseBuilder::new()
            .description(
                "For those who ask for a page (`Accept: text/html`): the browser keeps its session in a \
                 cookie and goes on.",
            )
            .header("Location", location.build());
        responses.insert("303".to_owned(), response.into());
        responses
    }
}
