//! What is answered in the place of a page.

use askama::Template;
use axum::response::{Html, IntoResponse, Redirect, Response};
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use weir_app::AppError;
use weir_domain::Refusal;
use weir_identity::provider::NotSignedIn;
use weir_store::StoreError;

use crate::text::problem as text;
use crate::{security, visitor};

/// Why there is no page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Nobody is signed in; afterwards they come back to this path.
    NotSignedIn(String),
    /// The visitor belongs to several resellers and has yet to choose.
    NotChosen,
    /// There is no such thing, or it is another reseller's.
    NotFound,
    /// The visitor may not do that.
    NotAllowed,
    /// The form was sent from elsewhere, or its page is from an older session.
    ForeignForm,
    /// Something makes no sense, for that reason.
    Refused(String),
    /// What was sent is too large.
    TooLarge,
    /// The service cannot do it now and changed nothing.
    Unavailable,
    /// The service failed.
    Internal,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    title: &'a str,
    message: &'a str,
    /// The request that finds it in the log.
    request: Option<&'a str>,
    /// Whether signing in may help.
    needs_sign_in: bool,
}

impl ProblemPage<'_> {
    fn answer(&self, status: StatusCode) -> Response {
        let page = self.render().unwrap_or_else(|_| status.to_string());
        let mut response = (status, Html(page)).into_response();
        security::shield(response.headers_mut());
        response
    }
}

/// The page of an error that comes from elsewhere than a page: of its status, what is wrong, and the request
/// that finds it in the log.
pub fn error_page(status: StatusCode, message: &str, request: Option<&str>) -> Response {
    let needs_sign_in = status == StatusCode::UNAUTHORIZED;
    let page = ProblemPage { title: &status.to_string(), message, request, needs_sign_in };
    page.answer(status)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title, message) = match &self {
            Self::NotSignedIn(page) => {
                return Redirect::to(&visitor::way_in(page)).into_response();
            }
            Self::NotChosen => return Redirect::to(visitor::CHOICE).into_response(),
            Self::NotFound => (StatusCode::NOT_FOUND, text::NOT_FOUND, text::NOT_FOUND_MESSAGE),
            Self::NotAllowed => (StatusCode::FORBIDDEN, text::NOT_ALLOWED, text::VIEWER_MESSAGE),
            Self::ForeignForm => (StatusCode::FORBIDDEN, text::NOT_ALLOWED, text::FORM_MESSAGE),
            Self::Refused(reason) => (StatusCode::BAD_REQUEST, text::REFUSED, reason.as_str()),
            Self::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, text::REFUSED, text::TOO_LARGE_MESSAGE)
            }
            Self::Unavailable => {
                (StatusCode::SERVICE_UNAVAILABLE, text::UNAVAILABLE, text::UNAVAILABLE_MESSAGE)
            }
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, text::INTERNAL, text::INTERNAL_MESSAGE)
            }
        };
        let page = ProblemPage { title, message, request: None, needs_sign_in: false };
        let mut response = page.answer(status);
        if self == Self::Unavailable {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal.code().ends_with("NOT_FOUND") {
            true => Self::NotFound,
            false => Self::Refused(refusal.to_string()),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        if error.is_passing() {
            tracing::warn!(%error, "the store could not serve a page");
            Self::Unavailable
        } else {
            tracing::error!(%error, "the store failed a page");
            Self::Internal
        }
    }
}

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => refusal.into(),
            AppError::Store(error) => error.into(),
        }
    }
}

impl From<NotSignedIn> for Problem {
    fn from(reason: NotSignedIn) -> Self {
        match reason {
            NotSignedIn::Refused => Self::NotSignedIn("/".to_owned()),
            NotSignedIn::Store(error) => error.into(),
            NotSignedIn::Against(refusal) => refusal.into(),
            NotSignedIn::Broken(reason) => {
                tracing::error!(reason, "nobody can be signed in");
                Self::Internal
            }
        }
    }
}

impl From<getrandom::Error> for Problem {
    fn from(error: getrandom::Error) -> Self {
        tracing::error!(%error, "the system has no randomness to give");
        Self::Internal
    }
}
