//! JSON taken apart only where something is looked for.
//!
//! One pass cuts a body into its members, and those few that hold what a format needs into theirs.
//! All else stays as it is written: a key that nobody asks for may hold anything that is JSON, numbers
//! that no double can hold, halves of surrogate pairs and any depth of nesting included (passing over
//! a value does not recurse). Strings are borrowed unless they hold escapes.

use std::borrow::Cow;
use std::fmt;

use serde::de::DeserializeSeed;
use serde_json::value::RawValue;

use crate::cut::Cut;

/// A JSON value.
#[derive(Debug, PartialEq)]
pub(crate) enum Json<'a> {
    /// As it is written, without space around it.
    Written(&'a str),
    /// An object, cut into its members.
    Object(Members<'a>),
    /// Something else where an object was to be cut.
    Other(Kind),
}

/// The members of an object in order.
pub(crate) type Members<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// What kind of value it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

impl<'a> Json<'a> {
    /// Reads a text that is one JSON value, cutting it as `cut` says.
    pub(crate) fn parse(text: &'a str, cut: Cut) -> serde_json::Result<Self> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let json = cut.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(json)
    }

    pub(crate) fn kind(&self) -> Kind {
        let written = match self {
            Self::Written(written) => written,
            Self::Object(_) => return Kind::Object,
            Self::Other(kind) => return *kind,
        };
        match written.as_bytes().first() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Its members, where it is an object that was cut.
    pub(crate) fn members(&self) -> Option<&Members<'a>> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Its characters, where it is a string. The error is half of a surrogate pair: JSON can write
    /// it, but it is no character.
    pub(crate) fn text(&self) -> Option<serde_json::Result<Cow<'a, str>>> {
        let written = self.written()?;
        let inside = written.strip_prefix('"')?.strip_suffix('"')?;
        Some(if inside.contains('\\') {
            serde_json::from_str(written).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(inside))
        })
    }

    /// The nearest double, where it is a number: infinite where it is too large for one.
    pub(crate) fn number(&self) -> Option<f64> {
        // Not serde_json's own reading, which may miss the nearest double and refuses large numbers.
        let written = self.written().filter(|_| self.kind() == Kind::Number)?;
        written.parse().ok()
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        self.written()?.parse().ok()
    }

    /// Its elements, each cut as `cut` says, where it is an array.
    pub(crate) fn elements(&self, cut: Cut) -> Option<serde_json::Result<Vec<Self>>> {
        let written = self.written().filter(|_| self.kind() == Kind::Array)?;
        Some(serde_json::from_str::<Vec<&RawValue>>(written).and_then(|elements| {
            let elements = elements.into_iter();
            elements.map(|raw| Self::parse(raw.get(), cut)).collect()
        }))
    }

    const fn written(&self) -> Option<&'a str> {
        match self {
            Self::Written(written) => Some(written),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Json<'_> {
        Json::parse(text, Cut::Not).unwrap()
    }

    #[test]
    fn every_kind_is_told_by_its_first_character() {
        for (text, kind) in [
            ("null", Kind::Null),
            (" true ", Kind::Boolean),
            ("false", Kind::Boolean),
            ("-1.5e3", Kind::Number),
            ("0", Kind::Number),
            ("\n\"a\"", Kind::String),
            ("[1, 2]", Kind::Array),
            ("\t{\"a\": 1}", Kind::Object),
        ] {
            assert_eq!(parse(text).kind(), kind, "{text:?}");
        }
    }

    #[test]
    fn numbers_are_the_nearest_double() {
        for text in ["123.457", "0.1", "9007199254740993", "-0.000001", "1E+2"] {
            let expected: f64 = text.parse().unwrap();
            assert_eq!(parse(text).number(), Some(expected));
        }
        assert_eq!(parse("1e999").number(), Some(f64::INFINITY));
        assert_eq!(parse("\"1\"").number(), None);
    }

    #[test]
    fn strings_are_borrowed_unless_they_hold_escapes() {
        let plain = parse("\"Büro\"").text();
        assert!(matches!(plain, Some(Ok(Cow::Borrowed("Büro")))));
        let escaped = parse(r#""B\u00fcro \ud83d\udca7""#).text();
        assert_eq!(escaped.unwrap().unwrap(), "Büro 💧");
        assert!(parse(r#""\ud83d""#).text().unwrap().is_err());
        assert!(parse("1").text().is_none());
    }
}
