//! Who is asking. The signature of a handler is its authorization: [`KeyCaller`] for operations that
//! take an API key alone, [`AnyCaller`] for those that take either credential.
//!
//! Both come first among a handler's arguments, so that without valid credentials nothing else about
//! the request is looked at.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use weir_app::credentials::{Caller, Unauthenticated};

use crate::Service;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Guard;
use crate::headers::API_KEY;

/// A caller with an API key. A bearer token alone does not do.
pub struct KeyCaller(pub Arc<Caller>);

/// A caller with an API key or a bearer token.
pub struct AnyCaller(pub Arc<Caller>);

impl FromRequestParts<Arc<Service>> for KeyCaller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        match presented(&parts.headers) {
            Presented::ApiKey(key) => authenticate(service, key).await.map(Self),
            Presented::Bearer | Presented::Nothing => Err(ApiError::of(ErrorCode::InvalidApiKey)),
        }
    }
}

impl FromRequestParts<Arc<Service>> for AnyCaller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        match presented(&parts.headers) {
            Presented::ApiKey(key) => authenticate(service, key).await.map(Self),
            // No issuer of tokens is trusted yet, so every token is of an unknown one.
            Presented::Bearer => Err(ApiError::of(ErrorCode::InvalidToken)
                .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            Presented::Nothing => Err(ApiError::of(ErrorCode::InvalidApiKey)),
        }
    }
}

/// Where no operation asks for a caller, whoever some operation would take is let in.
impl Guard for Arc<Service> {
    async fn admit(&self, request: &mut Parts) -> Result<(), ApiError> {
        AnyCaller::from_request_parts(request, self).await.map(|_| ())
    }
}

/// What a request presents.
enum Presented<'a> {
    /// An API key; empty where the header is no text.
    ApiKey(&'a str),
    /// A bearer token.
    Bearer,
    /// Neither.
    Nothing,
}

/// An API key that is present alone decides, however bad it is; an `Authorization` that is no bearer
/// token counts as none.
fn presented(headers: &HeaderMap) -> Presented<'_> {
    if let Some(key) = headers.get(API_KEY) {
        return Presented::ApiKey(key.to_str().unwrap_or_default());
    }
    let scheme = headers.get(AUTHORIZATION).and_then(|value| value.as_bytes().get(..7));
    match scheme {
        Some(scheme) if scheme.eq_ignore_ascii_case(b"bearer ") => Presented::Bearer,
        _ => Presented::Nothing,
    }
}

async fn authenticate(service: &Service, key: &str) -> Result<Arc<Caller>, ApiError> {
    service.keyring.authenticate(key).await.map_err(|reason| match reason {
        Unauthenticated::UnknownKey => ApiError::of(ErrorCode::InvalidApiKey),
        Unauthenticated::Store(error) => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderName;

    use super::*;

    #[test]
    fn an_api_key_comes_first_and_other_schemes_count_as_none() {
        let headers = |pairs: &[(&'static str, &'static str)]| -> HeaderMap {
            let pair = |&(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            pairs.iter().map(pair).collect()
        };
        let both = headers(&[("x-api-key", "k"), ("authorization", "Bearer t")]);
        assert!(matches!(presented(&both), Presented::ApiKey("k")));
        assert!(matches!(presented(&headers(&[("x-api-key", "")])), Presented::ApiKey("")));
        assert!(matches!(presented(&headers(&[("authorization", "bEaReR t")])), Presented::Bearer));
        assert!(matches!(
            presented(&headers(&[("authorization", "Basic dTpw")])),
            Presented::Nothing
        ));
        assert!(matches!(presented(&HeaderMap::new()), Presented::Nothing));
    }
}
