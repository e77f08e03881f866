//! Where someone wanted to go before they were asked to sign in.

use serde::{Deserialize, Serialize};

/// A page of this service: a path, so that nobody is led elsewhere by a link that begins here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Page(String);

/// How many bytes it may have, since it lies in a cookie.
const MOST_BYTES: usize = 1_000;

impl Page {
    /// Reads a path with its query; none where it could lead elsewhere. Browsers take `//` and `/\` for
    /// the beginning of another host, and leave out tabs and line breaks while they look.
    pub fn parse(path: &str) -> Option<Self> {
        let is_path = path.starts_with('/') && !path.starts_with("//");
        let is_plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        (is_path && is_plain && path.len() <= MOST_BYTES).then(|| Self(path.to_owned()))
    }

    /// Its path and query.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_one_of_this_service() {
        for path in ["/", "/devices?customer=7#last", "/a//b"] {
            assert_eq!(Page::parse(path).as_ref().map(Page::as_str), Some(path));
        }
        let long = format!("/{}", "x".repeat(MOST_BYTES));
        for path in
            ["", "devices", "//evil.example", "/\\evil.example", "/\t/evil.example", "/ü", &long]
        {
            assert_eq!(Page::parse(path), None, "{path}");
        }
        assert_eq!(Page::parse("https://evil.example/"), None);
    }
}
