//! Who is asking. The signature of a handler is its authorization:
//!
//! | extractor | lets in |
//! |---|---|
//! | [`KeyCaller`] | whoever has an API key |
//! | [`AnyCaller`] | whoever has an API key or is a signed-in member |
//! | [`Editor`] | the same, but for members who may only look |
//!
//! Each comes first among a handler's arguments, so that without valid credentials nothing else about
//! the request is looked at.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use serde_json::json;
use uuid::Uuid;
use weir_app::credentials::{Caller, Unauthenticated};
use weir_domain::ResellerId;
use weir_identity::NotAdmitted;

use crate::Service;
use crate::error::{ApiError, ErrorCode};
use crate::guard::Guard;
use crate::headers::{API_KEY, RESELLER_ID};

/// A caller with an API key. A bearer token alone does not do.
pub struct KeyCaller(pub Arc<Caller>);

/// A caller with an API key or a bearer token.
pub struct AnyCaller(pub Arc<Caller>);

/// A caller with an API key or a bearer token who may change things.
pub struct Editor(pub Arc<Caller>);

impl FromRequestParts<Arc<Service>> for KeyCaller {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        match presented(&parts.headers) {
            Presented::ApiKey(key) => authenticate(service, key).await.map(Self),
            Presented::Bearer(_) | Presented::Nothing => {
                Err(ApiError::of(ErrorCode::InvalidApiKey))
            }
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
            Presented::Bearer(token) => admit(service, token, &parts.headers).await.map(Self),
            Presented::Nothing => Err(ApiError::of(ErrorCode::InvalidApiKey)),
        }
    }
}

impl FromRequestParts<Arc<Service>> for Editor {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        let AnyCaller(caller) = AnyCaller::from_request_parts(parts, service).await?;
        match caller.role().may_change() {
            true => Ok(Self(caller)),
            false => Err(ApiError::of(ErrorCode::Forbidden)),
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
    /// A bearer token; empty where the header is no text.
    Bearer(&'a str),
    /// Neither.
    Nothing,
}

/// An API key that is present alone decides, however bad it is; an `Authorization` that is no bearer
/// token counts as none.
fn presented(headers: &HeaderMap) -> Presented<'_> {
    if let Some(key) = headers.get(API_KEY) {
        return Presented::ApiKey(key.to_str().unwrap_or_default());
    }
    let Some(value) = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes) else {
        return Presented::Nothing;
    };
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(value.len());
    let (scheme, token) = value.split_at(end);
    match scheme.eq_ignore_ascii_case(b"bearer") {
        true => Presented::Bearer(str::from_utf8(token).unwrap_or_default().trim_start()),
        false => Presented::Nothing,
    }
}

async fn authenticate(service: &Service, key: &str) -> Result<Arc<Caller>, ApiError> {
    service.keyring.authenticate(key).await.map_err(|reason| match reason {
        Unauthenticated::UnknownKey => ApiError::of(ErrorCode::InvalidApiKey),
        Unauthenticated::Store(error) => error.into(),
    })
}

async fn admit(
    service: &Service,
    token: &str,
    headers: &HeaderMap,
) -> Result<Arc<Caller>, ApiError> {
    let chosen = chosen(headers);
    // A stranger does not learn what is wrong with the rest of the request.
    let admitted = service.people.admit(token, chosen.clone().unwrap_or_default()).await;
    match (admitted, chosen) {
        (Err(NotAdmitted::Several(_)), Err(malformed)) => Err(malformed),
        (admitted, chosen) => {
            let caller = admitted.map_err(refused)?;
            chosen.map(|_| caller)
        }
    }
}

/// The reseller for which a user asks, where they say so.
fn chosen(headers: &HeaderMap) -> Result<Option<ResellerId>, ApiError> {
    let Some(value) = headers.get(RESELLER_ID) else { return Ok(None) };
    let id = value.to_str().ok().and_then(|text| Uuid::try_parse(text.trim()).ok());
    let malformed = || {
        let errors = json!([{ "loc": ["header", "X-Reseller-Id"], "message": "must be a UUID" }]);
        ApiError::of(ErrorCode::SchemaValidationError).with_detail("errors", errors)
    };
    id.map(ResellerId::from_uuid).map(Some).ok_or_else(malformed)
}

fn refused(reason: NotAdmitted) -> ApiError {
    match reason {
        NotAdmitted::Invalid => invalid_token(),
        NotAdmitted::Several(resellers) => {
            let message = "You belong to several resellers: say which one by X-Reseller-Id.";
            let errors = json!([{ "loc": ["header", "X-Reseller-Id"], "message": "is needed" }]);
            let resellers: Vec<_> = resellers
                .into_iter()
                .map(|(id, name)| json!({ "reseller_id": id, "name": name }))
                .collect();
            ApiError::new(ErrorCode::ValidationError, message)
                .with_detail("errors", errors)
                .with_detail("resellers", resellers)
        }
        NotAdmitted::Elsewhere => {
            ApiError::new(ErrorCode::Forbidden, "You do not belong to this reseller.")
        }
        NotAdmitted::Unreachable => {
            ApiError::unavailable_because("The issuer of the token does not answer.", 10)
        }
        NotAdmitted::Store(error) => error.into(),
    }
}

/// The error for a token, link or session that is worth nothing. Why is nobody's business.
pub(crate) fn invalid_token() -> ApiError {
    ApiError::of(ErrorCode::InvalidToken)
        .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
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
        let bearer = headers(&[("authorization", "bEaReR t")]);
        assert!(matches!(presented(&bearer), Presented::Bearer("t")));
        for (value, token) in [("Bearer", ""), ("Bearer  t", "t"), ("Bearer\tt", "t")] {
            let bearer = headers(&[("authorization", value)]);
            assert!(matches!(presented(&bearer), Presented::Bearer(it) if it == token), "{value}");
        }
        let other = headers(&[("authorization", "Bearerish t")]);
        assert!(matches!(presented(&other), Presented::Nothing));
        assert!(matches!(
            presented(&headers(&[("authorization", "Basic dTpw")])),
            Presented::Nothing
        ));
        assert!(matches!(presented(&HeaderMap::new()), Presented::Nothing));
    }
}
