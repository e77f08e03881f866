//! Readers of values that arrive as text.

use std::ops::RangeInclusive;

use uuid::Uuid;
use weir_domain::{Eui, Name};

use super::Problems;
use crate::error::ErrorCode;

/// A UUID in its hyphenated form.
pub fn uuid(text: &str) -> Result<Uuid, Problems> {
    // The length leaves out the other forms that the parser knows: bare, in braces, as a URN.
    let hyphenated = (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten();
    hyphenated.ok_or_else(|| "must be a UUID".into())
}

/// A Device EUI.
pub fn eui(text: &str) -> Result<Eui, Problems> {
    Eui::parse(text).map_err(|error| error.to_string().into())
}

/// A display name.
pub fn name(text: &str) -> Result<Name, Problems> {
    Name::parse(text).map_err(|error| error.to_string().into())
}

/// `true`, `false`, `1` or `0`, in any case.
pub fn boolean(text: &str) -> Result<bool, Problems> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("must be true or false".into()),
    }
}

/// A whole number within bounds: digits, and a minus where it is negative.
pub fn integer(range: RangeInclusive<i64>) -> impl Fn(&str) -> Result<i64, Problems> {
    move |text| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err("must be a whole number".into());
        }
        // What no longer fits into 64 bits is beyond any bound, on its side.
        let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        within(&range, text.parse().unwrap_or(beyond))
    }
}

/// A number within bounds.
pub(super) fn within(range: &RangeInclusive<i64>, number: i64) -> Result<i64, Problems> {
    match (range.start(), range.end()) {
        _ if range.contains(&number) => Ok(number),
        (least, &i64::MAX) => Err(format!("must be at least {least}").into()),
        (least, most) => Err(format!("must be from {least} to {most}").into()),
    }
}

/// One of several words.
pub fn one_of<T: Copy>(words: &[(&str, T)]) -> impl Fn(&str) -> Result<T, Problems> {
    move |text| {
        let found = words.iter().find(|(word, _)| *word == text);
        found.map(|&(_, meaning)| meaning).ok_or_else(|| {
            let words: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            match words.as_slice() {
                [others @ .., last] if !others.is_empty() => {
                    format!("must be {} or {last}", others.join(", ")).into()
                }
                _ => format!("must be {}", words.join("")).into(),
            }
        })
    }
}

/// Any text of at most that many characters. The one character that it may not have is NUL, which
/// not every store can hold.
pub fn any(most_characters: usize) -> impl Fn(&str) -> Result<String, Problems> {
    move |text| {
        if text.chars().count() > most_characters {
            return Err(format!("must have at most {most_characters} characters").into());
        }
        if text.contains('\0') {
            return Err("must not contain a NUL character".into());
        }
        Ok(text.to_owned())
    }
}

/// The same reader, for a value that fits its schema and is refused with a code of its own.
pub fn refused_as<T>(
    code: ErrorCode,
    read: impl Fn(&str) -> Result<T, Problems>,
) -> impl Fn(&str) -> Result<T, Problems> {
    move |text| read(text).map_err(|problems| problems.refused_as(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_read_in_one_form() {
        let text = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10";
        assert_eq!(uuid(text).unwrap().to_string(), text);
        assert_eq!(uuid(&text.to_uppercase()).unwrap().to_string(), text);
        for other in [
            "",
            "0198c5a47f7e7c3e9a540d6f3f1f5a10",
            "{0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10}",
            "urn:uuid:0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10",
            "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a1g",
            "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a1 ",
        ] {
            assert!(uuid(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn booleans_have_four_words() {
        for (text, meaning) in [("true", true), ("TRUE", true), ("1", true), ("False", false)] {
            assert_eq!(boolean(text), Ok(meaning), "{text}");
        }
        for other in ["", "yes", " true", "2", "t"] {
            assert!(boolean(other).is_err(), "{other:?}");
        }
    }

    #[test]
    fn integers_are_digits_alone() {
        let read = integer(-5..=365);
        for (text, number) in [("0", 0), ("365", 365), ("-5", -5), ("007", 7)] {
            assert_eq!(read(text), Ok(number), "{text}");
        }
        for other in ["", "+1", " 1", "1 ", "1.0", "1e2", "0x1", "-", "--1", "٣"] {
            assert_eq!(read(other), Err("must be a whole number".into()), "{other:?}");
        }
        for other in ["366", "-6", "99999999999999999999", "-99999999999999999999"] {
            assert_eq!(read(other), Err("must be from -5 to 365".into()), "{other:?}");
        }
        assert_eq!(integer(1..=i64::MAX)("99999999999999999999"), Ok(i64::MAX));
        assert_eq!(integer(1..=i64::MAX)("0"), Err("must be at least 1".into()));
    }

    #[test]
    fn words_are_listed_where_none_fits() {
        let read = one_of(&[("today", 1), ("week", 7), ("month", 30)]);
        assert_eq!(read("week"), Ok(7));
        assert_eq!(read("Week"), Err("must be today, week or month".into()));
        assert_eq!(one_of(&[("water_meter", ())])("gas"), Err("must be water_meter".into()));
    }

    #[test]
    fn text_has_a_length_and_no_nul() {
        assert_eq!(any(3)("äöü"), Ok("äöü".to_owned()));
        assert_eq!(any(3)(""), Ok(String::new()));
        assert!(any(3)("äöüß").is_err());
        assert!(any(3)("a\0").is_err());
    }

    #[test]
    fn a_refusal_has_its_own_code() {
        let read = refused_as(ErrorCode::InvalidStatus, one_of(&[("auto", ())]));
        assert_eq!(read("online"), Err(Problems::one(ErrorCode::InvalidStatus, "must be auto")));
    }
}
