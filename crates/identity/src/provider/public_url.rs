//! Where people and other services find the provider.

use std::fmt;

use url::Url;

/// An address such as `https://weir.example.org`: a scheme and an authority, nothing after them. Links
/// and cookies lead there, and it is the issuer of the tokens, to the letter.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

/// The text is no such address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address such as https://weir.example.org, without a path")]
pub struct NotAPublicUrl;

impl PublicUrl {
    /// Reads an address. A slash at the end is dropped.
    pub fn parse(text: &str) -> Result<Self, NotAPublicUrl> {
        let url = Url::parse(text).map_err(|_| NotAPublicUrl)?;
        let is_bare = matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url.username().is_empty()
            && url.password().is_none()
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none();
        if !is_bare {
            return Err(NotAPublicUrl);
        }
        Ok(Self(url.origin().ascii_serialization()))
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether browsers reach it over TLS, so that cookies can insist on it.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }

    /// The address of a path there.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_one_form() {
        for (text, kept) in [
            ("https://weir.example.org", "https://weir.example.org"),
            ("https://Weir.Example.org/", "https://weir.example.org"),
            ("https://weir.example.org:443", "https://weir.example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(PublicUrl::parse(text).map(|url| url.to_string()), Ok(kept.to_owned()));
        }
        assert!(PublicUrl::parse("https://a").unwrap().is_https());
        assert!(!PublicUrl::parse("http://a").unwrap().is_https());
    }

    #[test]
    fn what_is_more_or_less_than_an_address_is_refused() {
        for text in [
            "",
            "weir.example.org",
            "ftp://weir.example.org",
            "https://",
            "https://user@weir.example.org",
            "https://:secret@weir.example.org",
            "https://weir.example.org/weir",
            "https://weir.example.org?x",
            "https://weir.example.org#x",
            "mailto:ada@example.org",
        ] {
            assert_eq!(PublicUrl::parse(text), Err(NotAPublicUrl), "{text:?}");
        }
    }
}
