//! JSON objects that can be read in one way only.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Reason;

/// A JSON object in which no name stands twice: of two readers, one might take the first and the other the
/// last.
#[derive(Debug)]
pub(super) struct Object(BTreeMap<String, Value>);

impl Object {
    /// Reads bytes that are such an object and nothing else.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Reason> {
        serde_json::from_slice(bytes).map_err(|_| Reason::NotAnObject)
    }

    /// What stands under a name.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The text under a name; none where nothing stands there.
    pub(super) fn optional_text(&self, name: &'static str) -> Result<Option<&str>, Reason> {
        match self.value(name) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or(Reason::Field(name)),
        }
    }

    /// The text under a name.
    pub(super) fn text(&self, name: &'static str) -> Result<&str, Reason> {
        self.optional_text(name)?.ok_or(Reason::Field(name))
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if members.insert(name, value).is_some() {
                        return Err(A::Error::custom("a name stands twice"));
                    }
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}
