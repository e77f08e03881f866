//! What is answered to those who are not signed in.

use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;
use weir_identity::provider::NotSignedIn;
use weir_identity::social::SocialError;

use crate::error::{ApiError, ErrorCode};

/// The error for a link or token that is not valid; it never says why.
pub fn refused(message: &str) -> ApiError {
    ApiError::new(ErrorCode::InvalidToken, message)
        .with_header(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

impl From<NotSignedIn> for ApiError {
    fn from(reason: NotSignedIn) -> Self {
        match reason {
            NotSignedIn::Refused => refused(&reason.to_string()),
            NotSignedIn::Store(error) => error.into(),
            NotSignedIn::Against(refusal) => refusal.into(),
            NotSignedIn::Broken(reason) => {
                tracing::error!(reason, "nobody can be signed in");
                Self::internal()
            }
        }
    }
}

/// When to try a provider again that did not answer.
const PROVIDER_RETRY_AFTER: u32 = 10;

impl From<SocialError> for ApiError {
    fn from(reason: SocialError) -> Self {
        match reason {
            SocialError::UnknownProvider => Self::new(ErrorCode::NotFound, reason.to_string()),
            SocialError::NotBegunHere | SocialError::Declined | SocialError::NotVouchedFor => {
                refused(&reason.to_string())
            }
            SocialError::Unreachable => {
                Self::unavailable_because(reason.to_string(), PROVIDER_RETRY_AFTER)
            }
            SocialError::NoChance => {
                tracing::error!(%reason, "nobody can be signed in");
                Self::internal()
            }
        }
    }
}
