//! Addresses of issuers.

use std::net::IpAddr;

use url::{Host, Url};
use weir_domain::person::Subject;

/// The address of an issuer, to the letter, and how it may be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    text: String,
    url: Url,
    allow_http: bool,
}

/// Why a text is no such address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAddress {
    /// Not an address on the web.
    #[error("is no https:// address")]
    Malformed,
    /// An address that says more than where something is.
    #[error("must not hold a user, a query or a fragment")]
    Decorated,
    /// Whoever is on the way could change what is read there.
    #[error("must be https://, or on this machine, or allowed by allow_http")]
    Unencrypted,
    /// More than a token may call its issuer.
    #[error("is too long, or holds control characters")]
    TooLong,
}

impl Address {
    /// Reads an address. Without encryption it must be on this machine, unless that is allowed.
    pub fn parse(text: &str, allow_http: bool) -> Result<Self, NotAnAddress> {
        let url = safe(text, allow_http)?;
        if url.query().is_some() || url.fragment().is_some() || has_user(&url) {
            return Err(NotAnAddress::Decorated);
        }
        let text = Subject::part(text).map_err(|_| NotAnAddress::TooLong)?;
        Ok(Self { text, url, allow_http })
    }

    /// Its characters, as they were given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it is reached by TLS.
    pub fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// An address that begins with this one.
    pub fn beneath(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        url
    }

    /// Another address, which must be as safe as this one had to be.
    pub fn sibling(&self, text: &str) -> Result<Url, NotAnAddress> {
        let url = safe(text, self.allow_http)?;
        // TLS must not end behind the first document.
        if self.is_encrypted() && url.scheme() != "https" {
            return Err(NotAnAddress::Unencrypted);
        }
        if has_user(&url) { Err(NotAnAddress::Decorated) } else { Ok(url) }
    }
}

fn safe(text: &str, allow_http: bool) -> Result<Url, NotAnAddress> {
    // The parser would pass over spaces and tabs; nothing here is to be read in two ways.
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(NotAnAddress::Malformed);
    }
    let url = Url::parse(text).map_err(|_| NotAnAddress::Malformed)?;
    match url.scheme() {
        "https" => Ok(url),
        "http" if allow_http || is_loopback(&url) => Ok(url),
        "http" => Err(NotAnAddress::Unencrypted),
        _ => Err(NotAnAddress::Malformed),
    }
}

fn has_user(url: &Url) -> bool {
    !url.username().is_empty() || url.password().is_some()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::from(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_encryption_only_on_this_machine_or_by_leave() {
        for text in ["https://id.example", "https://id.example/realms/a", "http://127.0.0.1:1/"] {
            assert_eq!(Address::parse(text, false).unwrap().as_str(), text);
        }
        assert!(Address::parse("http://[::1]:80", false).is_ok());
        assert!(Address::parse("http://localhost:80", false).is_ok());
        let http = "http://id.example";
        assert_eq!(Address::parse(http, false), Err(NotAnAddress::Unencrypted));
        assert!(Address::parse(http, true).is_ok());
        for text in ["http://127.0.0.1.example", "http://localhost.example"] {
            assert_eq!(Address::parse(text, false), Err(NotAnAddress::Unencrypted), "{text}");
        }
    }

    #[test]
    fn an_address_says_where_something_is_and_no_more() {
        for text in ["https://a@id.example", "https://id.example/?a", "https://id.example/#a"] {
            assert_eq!(Address::parse(text, false), Err(NotAnAddress::Decorated), "{text}");
        }
        for text in ["", "id.example", "file:///etc/keys", " https://id.example", "https://i\td"] {
            assert_eq!(Address::parse(text, true), Err(NotAnAddress::Malformed), "{text}");
        }
        let long = format!("https://id.example/{}", "a".repeat(255));
        assert_eq!(Address::parse(&long, true), Err(NotAnAddress::TooLong));
    }

    #[test]
    fn documents_lie_beneath_with_or_without_a_slash() {
        for text in ["https://id.example/a", "https://id.example/a/"] {
            let address = Address::parse(text, false).unwrap();
            assert_eq!(address.beneath("/b").as_str(), "https://id.example/a/b");
        }
    }

    #[test]
    fn encryption_does_not_end_behind_the_first_document() {
        let address = Address::parse("https://id.example", true).unwrap();
        assert!(address.sibling("https://keys.example/?format=jwks").is_ok());
        assert_eq!(address.sibling("http://keys.example"), Err(NotAnAddress::Unencrypted));
        let plain = Address::parse("http://127.0.0.1:1", false).unwrap();
        assert_eq!(plain.sibling("http://keys.example"), Err(NotAnAddress::Unencrypted));
        assert_eq!(plain.sibling("ftp://127.0.0.1"), Err(NotAnAddress::Malformed));
    }
}
