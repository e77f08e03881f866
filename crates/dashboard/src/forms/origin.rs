//! From which site a form was sent.

use http::HeaderMap;
use http::header::{HOST, ORIGIN};

/// What browsers say about it that know the header. No page can make it up.
const SITE: &str = "sec-fetch-site";

/// Whether a page of ours sent a form, here or at our public URL. A browser that says nothing at all is
/// too old to be trusted.
pub(super) fn is_ours(headers: &HeaderMap, public_url: &str) -> bool {
    if let Some(site) = headers.get(SITE) {
        return site == "same-origin";
    }
    let Some(origin) = headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()) else {
        return false;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    // A proxy may have taken the TLS off, so the scheme tells nothing.
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    origin == public_url || host.is_some() && authority == host
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn ours(pairs: &[(&'static str, &'static str)]) -> bool {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        is_ours(&pairs.collect(), "https://weir.example.org")
    }

    #[test]
    fn our_pages_send_our_forms() {
        assert!(ours(&[("sec-fetch-site", "same-origin")]));
        assert!(ours(&[("origin", "https://weir.example.org")]));
        assert!(ours(&[("origin", "http://localhost:8080"), ("host", "localhost:8080")]));
    }

    #[test]
    fn others_and_those_who_do_not_say_are_refused() {
        for site in ["cross-site", "same-site", "none", ""] {
            let pairs = [("sec-fetch-site", site), ("origin", "https://weir.example.org")];
            assert!(!ours(&pairs), "{site}");
        }
        for origin in
            ["null", "", "http://weir.example.org", "https://weir.example.org.evil", "evil"]
        {
            assert!(!ours(&[("origin", origin), ("host", "weir.example.net")]), "{origin}");
        }
        assert!(!ours(&[]));
        assert!(!ours(&[("host", "weir.example.org")]));
    }
}
