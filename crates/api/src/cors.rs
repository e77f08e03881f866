//! Which web pages may call the interface from a browser.

use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, LINK, RETRY_AFTER};
use http::{HeaderValue, Method, Uri};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::headers::{
    API_KEY, RATE_LIMIT, RATE_LIMIT_REMAINING, RATE_LIMIT_RESET, REQUEST_ID, RESELLER_ID,
    TOTAL_COUNT,
};

/// The origins whose pages may. None is the default, and then no CORS header is ever sent.
#[derive(Debug, Clone, Default)]
pub struct Origins(Vec<HeaderValue>);

/// The text is not an origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAnOrigin(String);

impl std::fmt::Display for NotAnOrigin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:?} is not an origin: write it as https://app.example.org, or * for all",
            self.0
        )
    }
}

impl std::error::Error for NotAnOrigin {}

impl Origins {
    /// Reads origins (`https://app.example.org`), or `*` for all.
    pub fn parse<'a>(texts: impl IntoIterator<Item = &'a str>) -> Result<Self, NotAnOrigin> {
        let read = |text: &str| {
            let value = HeaderValue::from_str(text).ok().filter(|_| is_origin(text));
            value.ok_or_else(|| NotAnOrigin(text.to_owned()))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// The layer that lets them, where there are any.
    pub(crate) fn layer(&self) -> Option<CorsLayer> {
        let allowed = match self.0.as_slice() {
            [] => return None,
            origins if origins.iter().any(|origin| origin == "*") => AllowOrigin::any(),
            origins => AllowOrigin::list(origins.to_vec()),
        };
        let sent = [AUTHORIZATION, CONTENT_TYPE, API_KEY, RESELLER_ID, REQUEST_ID];
        let limits = [RATE_LIMIT, RATE_LIMIT_REMAINING, RATE_LIMIT_RESET, RETRY_AFTER];
        let seen = [REQUEST_ID, TOTAL_COUNT, LINK].into_iter().chain(limits);
        Some(
            CorsLayer::new()
                .allow_origin(allowed)
                .allow_methods([
                    Method::GET,
                    Method::POST,
                    Method::PUT,
                    Method::PATCH,
                    Method::DELETE,
                ])
                .allow_headers(sent)
                .expose_headers(seen.collect::<Vec<_>>())
                .max_age(Duration::from_secs(3600)),
        )
    }
}

/// A scheme and an authority, and nothing after them; browsers send no more, so more would never match.
fn is_origin(text: &str) -> bool {
    let is_bare = |uri: Uri| {
        uri.scheme().is_some()
            && uri.authority().is_some_and(|authority| text.ends_with(authority.as_str()))
    };
    text == "*" || text.parse().is_ok_and(is_bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_schemes_and_hosts() {
        assert!(Origins::parse(["https://app.example.org", "http://localhost:5173", "*"]).is_ok());
        for text in ["", "app.example.org", "https://app.example.org/", "https://a/b", "null", "/x"]
        {
            assert_eq!(Origins::parse([text]).unwrap_err(), NotAnOrigin(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn without_origins_there_is_no_layer() {
        assert!(Origins::default().layer().is_none());
        assert!(Origins::parse(["*"]).unwrap().layer().is_some());
    }
}
