//! The pages to begin with.

use crate::text;

/// The paths of these pages and what they are called, in the order in which they are shown. A page counts
/// as shown on all paths beneath its own.
const PAGES: [(&str, &str); 7] = [
    ("/", text::frame::OVERVIEW),
    ("/devices", text::fleet::TITLE),
    ("/hierarchy", text::hierarchy::TITLE),
    (crate::customers::PATH, text::customers::TITLE),
    (crate::end_users::PATH, text::end_users::TITLE),
    (crate::unregistered::PATH, text::unregistered::TITLE),
    (crate::settings::PATH, text::settings::TITLE),
];

/// A page to begin with, as it is shown on another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Item {
    /// Its path.
    pub path: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Whether this is where the visitor is.
    pub is_here: bool,
}

/// All of them, for somebody who is at a path.
pub fn items(here: &str) -> Vec<Item> {
    let item = |(path, label): (&'static str, &'static str)| {
        let beneath = here.strip_prefix(path);
        let is_here = beneath.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        Item { path, label, is_here }
    };
    PAGES.into_iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here(path: &str) -> Vec<&'static str> {
        items(path).into_iter().filter(|item| item.is_here).map(|item| item.path).collect()
    }

    #[test]
    fn one_is_at_one_page_at_most() {
        assert_eq!(here("/"), ["/"]);
        assert!(here("/devices/7").len() <= 1);
        assert!(!here("/devices/7").contains(&"/"));
    }
}
