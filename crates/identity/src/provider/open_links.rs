//! Links that are good in any browser. They are kept in memory and nowhere else: only the process that made
//! one honours it, so that none outlives the program that printed it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use weir_domain::Timestamp;
use weir_domain::person::Email;
use weir_store::KeyHash;

/// Whom a link signs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenLink {
    pub(super) email: Email,
    /// From when on it is worth nothing.
    pub(super) expires_at: Timestamp,
}

/// The links that were made and not used, by the keyed hash of their secret.
#[derive(Default)]
pub(super) struct OpenLinks(Mutex<HashMap<KeyHash, OpenLink>>);

impl OpenLinks {
    /// Keeps a link, be it a new one or one that could not be used after all.
    pub(super) fn keep(&self, hash: KeyHash, link: OpenLink) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(hash, link);
    }

    /// Uses a link: it is returned once, while it is in time.
    pub(super) fn take(&self, hash: &KeyHash, now: Timestamp) -> Option<OpenLink> {
        let mut links = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        links.remove(hash).filter(|link| now < link.expires_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_used_once_and_in_time() {
        let links = OpenLinks::default();
        let at = Timestamp::from_micros;
        let link = OpenLink { email: Email::parse("a@example.org").unwrap(), expires_at: at(9) };
        let (one, other) = (KeyHash([1; 32]), KeyHash([2; 32]));
        links.keep(one, link.clone());
        links.keep(other, link.clone());
        assert_eq!(links.take(&KeyHash([3; 32]), at(1)), None);
        assert_eq!(links.take(&one, at(8)), Some(link));
        assert_eq!(links.take(&one, at(8)), None);
        assert_eq!(links.take(&other, at(9)), None);
    }
}
