//! The id by which a client and the log speak of the same request.

use http::{HeaderName, HeaderValue};

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const LONGEST: usize = 128;

/// The id of an answer that the transport gives itself.
///
/// Its characters need no escaping, neither in a header nor in JSON.
pub(super) struct RequestId(String);

impl RequestId {
    /// The caller's id, if there is one and it is harmless; else a new one.
    pub(super) fn from_caller(header: Option<&HeaderValue>) -> Self {
        match header.and_then(|value| value.to_str().ok()).filter(|id| is_harmless(id)) {
            Some(id) => Self(id.to_owned()),
            None => Self::random(),
        }
    }

    /// Sixteen random hexadecimal characters.
    pub(super) fn random() -> Self {
        // Without a source of randomness the answer still has to go out: zeros then.
        Self(format!("{:016x}", getrandom::u64().unwrap_or_default()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_harmless(id: &str) -> bool {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_harmless_id_and_replaces_any_other() {
        let kept = |id: &'static str| {
            RequestId::from_caller(Some(&HeaderValue::from_static(id))).as_str() == id
        };
        assert!(kept("0190a1b2-c3d4:e5_f6.7"));
        assert!(!kept(""));
        assert!(!kept("a\"b"));
        assert!(!kept("two words"));
        let long = HeaderValue::from_str(&"a".repeat(LONGEST + 1)).unwrap();
        assert_eq!(RequestId::from_caller(Some(&long)).as_str().len(), 16);
    }

    #[test]
    fn random_ids_differ() {
        assert_ne!(RequestId::random().as_str(), RequestId::random().as_str());
    }
}
