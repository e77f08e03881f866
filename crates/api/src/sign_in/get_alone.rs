//! Requests that look and are none: a link that is followed is used up.

use axum::extract::FromRequestParts;
use http::header::ALLOW;
use http::request::Parts;
use http::{HeaderValue, Method};

use crate::error::{ApiError, ErrorCode};

/// Lets nothing but GET through. Elsewhere HEAD is answered as GET is, without the body; where GET uses
/// something up, whoever asks for the head alone would have lost it.
pub struct GetAlone;

impl<S: Sync> FromRequestParts<S> for GetAlone {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match parts.method {
            Method::GET => Ok(Self),
            _ => Err(ApiError::of(ErrorCode::MethodNotAllowed)
                .with_header(ALLOW, HeaderValue::from_static("GET"))),
        }
    }
}
