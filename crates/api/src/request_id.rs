//! A name for every request.

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt;
use http::HeaderValue;
use tracing::Instrument;

use crate::around::{Inner, answer};
use crate::encoding::allow_plain;
use crate::error::ApiError;
use crate::headers::REQUEST_ID;

/// The longest id that is taken from a caller.
const LONGEST: usize = 128;

/// The name of a request: the caller's, if it is sane, else a new one. It stands among the extensions
/// of the request.
#[derive(Debug, Clone)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Its text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// The id that a caller gave, if it is 1 to 128 visible ASCII characters.
    fn given(value: &HeaderValue) -> Option<Self> {
        let is_sane = (1..=LONGEST).contains(&value.len())
            && value.as_bytes().iter().all(u8::is_ascii_graphic);
        is_sane.then(|| Self(value.clone()))
    }

    /// A new id.
    fn random() -> Self {
        let mut bytes = [0; 16];
        // Without randomness requests share a name, which is no reason to refuse them.
        if let Err(error) = getrandom::fill(&mut bytes) {
            tracing::warn!(%error, "no randomness for a request id");
        }
        let text = format!("{:032x}", u128::from_be_bytes(bytes));
        Self(HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("none")))
    }
}

/// Names the request, opens its span, and sends its name back. It is the first to see the request, so what it
/// may not ask for is taken out here.
pub(crate) fn assign<S: Inner>(
    inner: &mut S,
    mut request: Request,
) -> impl Future<Output = Response> + use<S> {
    allow_plain(request.headers_mut());
    let given = request.headers().get(REQUEST_ID).and_then(RequestId::given);
    let id = given.unwrap_or_else(RequestId::random);
    let span = tracing::info_span!(
        "request",
        id = id.as_str(),
        method = %request.method(),
        path = request.uri().path(),
    );
    request.extensions_mut().insert(id.clone());
    let answered = answer(inner, request).inspect(|response| {
        let error = response.extensions().get::<ApiError>().map(ApiError::code);
        tracing::debug!(
            status = response.status().as_u16(),
            error_code = error.map(|code| code.as_str()),
            "answered"
        );
    });
    answered.instrument(span).map(|mut response| {
        response.headers_mut().insert(REQUEST_ID, id.0);
        response
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use axum::routing::get;
    use axum::{Extension, Router};

    use super::*;
    use crate::around::around;
    use crate::testing::{ask, request};

    fn app() -> Router {
        let show = async |Extension(id): Extension<RequestId>| id.as_str().to_owned();
        let routes = Router::new().route("/", get(show));
        Router::new().fallback_service(around(routes, assign))
    }

    #[tokio::test]
    async fn a_sane_id_of_the_caller_is_kept() {
        for id in ["a", "trace:7/8", &"x".repeat(128)] {
            let answer = ask(app(), request("GET /").header("x-request-id", id).empty()).await;
            assert_eq!(answer.header("x-request-id"), id);
            assert_eq!(answer.text(), id);
        }
    }

    #[tokio::test]
    async fn any_other_is_replaced() {
        for id in ["", "two words", "tab\tbed", &"x".repeat(129)] {
            let answer = ask(app(), request("GET /").header("x-request-id", id).empty()).await;
            let made = answer.header("x-request-id");
            assert!(made.len() == 32 && made.bytes().all(|b| b.is_ascii_hexdigit()), "{made}");
            assert_eq!(answer.text(), made);
        }
    }

    #[tokio::test]
    async fn no_two_are_the_same() {
        let mut seen = HashSet::new();
        for _ in 0..100 {
            assert!(seen.insert(ask(app(), request("GET /").empty()).await.text()));
        }
    }

    #[tokio::test]
    async fn what_is_not_found_has_a_name_too() {
        assert_ne!(ask(app(), request("GET /nothing").empty()).await.header("x-request-id"), "");
    }
}
