//! How JSON is cut into members.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::json::{Json, Kind};

/// Which objects are cut, level by level: the outermost, in it those with the names of the first
/// level, in these those with the names of the second, and so on.
///
/// The levels bound the recursion, whatever a body holds.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cut {
    /// None: the value is left as it is written.
    Not,
    Levels(&'static [&'static [&'static str]]),
}

impl Cut {
    fn inside(self, key: &str) -> Self {
        match self {
            Self::Levels([names, deeper @ ..]) if names.contains(&key) => Self::Levels(deeper),
            _ => Self::Not,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Cut {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        match self {
            Self::Not => <&RawValue>::deserialize(deserializer).map(written),
            Self::Levels(_) => deserializer.deserialize_any(self),
        }
    }
}

/// Any JSON value will do, since reading goes on after one of the wrong kind. Only here, where an object
/// should be, a number that no double can hold or half of a surrogate pair makes the body unreadable.
impl<'de> Visitor<'de> for Cut {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        // Real objects have about a dozen members.
        let mut members = Vec::with_capacity(16);
        while let Some(Key(key)) = map.next_key()? {
            let value = map.next_value_seed(self.inside(&key))?;
            members.push((key, value));
        }
        Ok(Json::Object(members))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Json<'de>, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Other(Kind::Array))
    }

    fn visit_str<E>(self, _: &str) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::String))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::Number))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::Number))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::Number))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::Boolean))
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Other(Kind::Null))
    }
}

fn written(raw: &RawValue) -> Json<'_> {
    Json::Written(raw.get())
}

/// A key. It is read as a raw value because any other way would refuse half of a surrogate pair,
/// which is given as it is written.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Ok(Self(match written(raw).text() {
            Some(Ok(key)) => key,
            _ => Cow::Borrowed(raw.get().trim_matches('"')),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_objects_are_cut_and_only_so_deep() {
        let text =
            r#"{"a": {"b": {"a": {}}, "a": {}}, "\u0061": [{}], "b": {"b": 1}, "\ud800": 1}"#;
        let json = Json::parse(text, Cut::Levels(&[&["a"], &["b"]])).unwrap();
        let inner = Json::Object(vec![("a".into(), Json::Written("{}"))]);
        let a = Json::Object(vec![("b".into(), inner), ("a".into(), Json::Written("{}"))]);
        let expected = Json::Object(vec![
            ("a".into(), a),
            ("a".into(), Json::Other(Kind::Array)),
            ("b".into(), Json::Written(r#"{"b": 1}"#)),
            ("\\ud800".into(), Json::Written("1")),
        ]);
        assert_eq!(json, expected);
    }

    #[test]
    fn any_value_may_stand_where_an_object_should() {
        for (text, kind) in [
            ("null", Kind::Null),
            ("true", Kind::Boolean),
            ("1", Kind::Number),
            ("-1", Kind::Number),
            ("1.5", Kind::Number),
            (r#""a""#, Kind::String),
            (r#""\n""#, Kind::String),
            ("[[1], {}]", Kind::Array),
        ] {
            let json = Json::parse(text, Cut::Levels(&[])).unwrap();
            assert_eq!(json, Json::Other(kind), "{text}");
        }
    }
}
