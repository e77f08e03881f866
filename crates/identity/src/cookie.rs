//! Cookies of signing in. No script of a page sees them.

use std::time::Duration;

use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};

/// Tells the browser that asked for a link.
pub const BROWSER: &str = "weir_browser";

/// Keeps what a sign-in at a provider needs when it comes back.
pub const FLOW: &str = "weir_flow";

/// Tells which page somebody wanted to see before they signed in.
pub const PAGE: &str = "weir_page";

/// Tells who is signed in.
pub const SESSION: &str = "weir_session";

/// Where the cookies go that are of use only while somebody signs in.
pub const AUTH: &str = "/auth";

/// Where the others go.
pub const EVERYWHERE: &str = "/";

/// The value of a cookie; of several with that name the first.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let sent = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = sent.flat_map(|value| value.split(';')).filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| (name.trim(), value.trim()))
        .find(|pair| pair.0 == name)
        .map(|pair| pair.1)
}

/// The header that sets a cookie. It comes back when a link in a mail is followed (`Lax`), but not with
/// what another site's pages ask for. None where the value cannot stand in a cookie.
pub fn set(
    (name, path): (&str, &str),
    value: &str,
    lifetime: Duration,
    is_https: bool,
) -> Option<HeaderValue> {
    if value.contains(|c: char| matches!(c, ';' | ',' | '"' | '\\') || c.is_whitespace()) {
        return None;
    }
    let secure = if is_https { "; Secure" } else { "" };
    let seconds = lifetime.as_secs();
    let text =
        format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut header = HeaderValue::try_from(text).ok()?;
    header.set_sensitive(true);
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (COOKIE, HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        for sent in [
            &["weir_browser=abc"][..],
            &["a=1; weir_browser=abc;b=2"],
            &["a=1", "weir_browser=abc"],
        ] {
            assert_eq!(find(&headers(sent), BROWSER), Some("abc"), "{sent:?}");
        }
        assert_eq!(find(&headers(&["weir_browser=a=b"]), BROWSER), Some("a=b"));
        for sent in
            [&[][..], &["weir_browser"], &["xweir_browser=abc"], &["Weir_Browser=abc"], &[";;="]]
        {
            assert_eq!(find(&headers(sent), BROWSER), None, "{sent:?}");
        }
    }

    #[test]
    fn a_cookie_insists_on_tls_where_there_is_any() {
        let plain = set(("a", AUTH), "b", Duration::from_mins(15), false).unwrap();
        assert_eq!(plain, "a=b; Path=/auth; Max-Age=900; HttpOnly; SameSite=Lax");
        let secure = set(("a", AUTH), "b", Duration::from_mins(15), true).unwrap();
        assert_eq!(secure, "a=b; Path=/auth; Max-Age=900; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(set(("a", AUTH), "\n", Duration::ZERO, true), None);
    }
}
