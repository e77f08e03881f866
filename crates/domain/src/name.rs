//! Names that people give, and names that tenants go by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A display name: 1 to 255 characters after trimming, without control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Name(String);

/// Why a text is no name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    /// Nothing is left after trimming.
    #[error("must not be blank")]
    Blank,
    /// More than 255 characters.
    #[error("must have at most 255 characters")]
    TooLong,
    /// A control character inside.
    #[error("must not contain control characters")]
    ControlCharacter,
}

impl Name {
    /// How many characters a name may have.
    pub const MAX_CHARACTERS: usize = 255;

    /// Reads a name that a caller gives.
    pub fn parse(text: &str) -> Result<Self, NotAName> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(NotAName::Blank);
        }
        if trimmed.chars().any(char::is_control) {
            return Err(NotAName::ControlCharacter);
        }
        if trimmed.chars().count() > Self::MAX_CHARACTERS {
            return Err(NotAName::TooLong);
        }
        Ok(Self(trimmed.to_owned()))
    }

    /// What can be kept of a name that a network server sends: a reading is not refused for the sake
    /// of its device's name, so control characters are dropped and what is too long is cut.
    pub fn salvage(text: &str) -> Option<Self> {
        let printable: String = text.chars().filter(|c| !c.is_control()).collect();
        let cut: String = printable.trim().chars().take(Self::MAX_CHARACTERS).collect();
        let kept = cut.trim_end();
        (!kept.is_empty()).then(|| Self(kept.to_owned()))
    }

    /// A name from the store, where only names were written.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

/// The form in which tenant names are compared: without surrounding space, ignoring case.
pub fn tenant_key(text: &str) -> String {
    text.trim().to_lowercase()
}

/// The names that payloads may call one reseller by.
#[derive(Debug, Clone, Default)]
pub struct TenantNames(Vec<String>);

impl TenantNames {
    /// From names in the form in which they are compared.
    pub fn of(keys: Vec<String>) -> Self {
        Self(keys)
    }

    /// Whether a payload that gives this tenant name is the reseller's.
    pub fn include(&self, given: &str) -> bool {
        let key = tenant_key(given);
        self.0.contains(&key)
    }

    /// All of them, in the form in which they are compared.
    pub fn all(&self) -> &[String] {
        &self.0
    }
}

/// The slug of a reseller's name: its letters and digits in lower case, everything between them one
/// hyphen. Empty where the name has neither.
pub fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// A text as searches and orders see it: without regard to case. Letter by letter, since the part that
/// is looked for may end in the middle of a word; so the two small sigmas are one.
pub fn fold(text: &str) -> String {
    let lowercase = text.chars().flat_map(char::to_lowercase);
    lowercase.map(|letter| if letter == 'ς' { 'σ' } else { letter }).collect()
}

/// Whether a text contains a part that is folded already.
pub fn contains_folded(text: &str, part: &str) -> bool {
    if !text.is_ascii() {
        return fold(text).contains(part);
    }
    // Most texts are plain, and a search looks at very many of them.
    let (text, part) = (text.as_bytes(), part.as_bytes());
    part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_limits_are_exact() {
        assert_eq!(Name::parse(&"ü".repeat(255)).unwrap().as_str().chars().count(), 255);
        assert_eq!(Name::parse(&"ü".repeat(256)), Err(NotAName::TooLong));
        assert_eq!(Name::parse(" \t\n "), Err(NotAName::Blank));
        assert_eq!(Name::parse("a\u{0}b"), Err(NotAName::ControlCharacter));
        assert_eq!(Name::parse("  Main meter ").unwrap().as_str(), "Main meter");
    }

    #[test]
    fn slugs_and_tenant_keys() {
        assert_eq!(slug("Reseller One"), "reseller-one");
        assert_eq!(slug("  Büro & Söhne, Ltd. "), "büro-söhne-ltd");
        assert_eq!(slug("***"), "");
        assert_eq!(tenant_key("  Reseller ONE\n"), "reseller one");
    }

    #[test]
    fn a_tenant_name_matches_ignoring_case_and_space_around_it() {
        let names = TenantNames::of(vec![tenant_key("Reseller One"), "reseller-one".into()]);
        assert!(names.include(" reseller ONE\t"));
        assert!(names.include("Reseller-One"));
        assert!(!names.include("Reseller  One"));
        assert!(!names.include(""));
    }

    proptest! {
        #[test]
        fn what_is_salvaged_is_a_name(text in any::<String>()) {
            if let Some(name) = Name::salvage(&text) {
                prop_assert_eq!(Name::parse(name.as_str()), Ok(name.clone()));
            }
        }

        #[test]
        fn a_good_name_is_salvaged_whole(text in any::<String>()) {
            if let Ok(name) = Name::parse(&text) {
                prop_assert_eq!(Name::salvage(&text), Some(name));
            }
        }
    }

    #[test]
    fn texts_are_folded_letter_by_letter() {
        for (text, part) in
            [("ΟΔΥΣΣΕΥΣ", "ΟΔΥΣ"), ("Οδυσσεύς", "σσεύσ"), ("Straße 5B", "STRAß"), ("İzmir", "İ")]
        {
            assert!(fold(text).contains(&fold(part)), "{part} in {text}");
        }
    }

    proptest! {
        #[test]
        fn plain_texts_are_searched_as_all_are(text in "[a-cA-CéÉς_]{0,8}", part in "[a-cA-CéÉ_]{0,3}") {
            let part = fold(&part);
            prop_assert_eq!(contains_folded(&text, &part), fold(&text).contains(&part));
        }
    }
}
