//! Readers of the values of a body.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};
use uuid::Uuid;
use weir_domain::{Eui, Name};

use super::{Fields, Problems, Source, text};
use crate::error::ErrorCode;

/// A field that may be left out or emptied, which are two different wishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patch<T> {
    /// It was left out: keep what there is.
    Absent,
    /// It was `null`: empty it.
    Null,
    /// It has a value.
    Value(T),
}

impl<T> Patch<T> {
    /// The value, where absent and `null` mean the same.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Whether there is anything to change.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl Source for Map<String, Value> {
    type Item = Value;

    fn item(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }
}

impl Fields<'_, Map<String, Value>> {
    /// A field that may be absent or `null`. [`Patch::Absent`] may also mean that a problem was noted.
    pub fn patch<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&Value) -> Result<T, Problems>,
    ) -> Patch<T> {
        match self.optional(name, nullable(read)) {
            None => Patch::Absent,
            Some(None) => Patch::Null,
            Some(Some(value)) => Patch::Value(value),
        }
    }
}

/// A string, read further as text.
pub fn string<T>(
    read: impl FnOnce(&str) -> Result<T, Problems>,
) -> impl FnOnce(&Value) -> Result<T, Problems> {
    move |value| match value {
        Value::String(text) => read(text),
        _ => Err("must be a string".into()),
    }
}

/// A UUID in its hyphenated form.
pub fn uuid(value: &Value) -> Result<Uuid, Problems> {
    string(text::uuid)(value)
}

/// A Device EUI.
pub fn eui(value: &Value) -> Result<Eui, Problems> {
    string(text::eui)(value)
}

/// A display name.
pub fn name(value: &Value) -> Result<Name, Problems> {
    string(text::name)(value)
}

/// `true` or `false`.
pub fn boolean(value: &Value) -> Result<bool, Problems> {
    value.as_bool().ok_or_else(|| "must be a boolean".into())
}

/// A whole number within bounds. `5.0` is one: JSON does not tell it from `5`.
pub fn integer(range: RangeInclusive<i64>) -> impl Fn(&Value) -> Result<i64, Problems> {
    move |value| {
        let beyond = |number: f64| if number < 0.0 { i64::MIN } else { i64::MAX };
        let number = match value {
            Value::Number(number) => number.as_i64().or_else(|| {
                // Whole doubles inside ±2⁵³ are exact; what is larger is beyond any bound.
                let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
                let is_exact = number.abs() <= 9_007_199_254_740_992.0;
                Some(if is_exact { number as i64 } else { beyond(number) })
            }),
            _ => None,
        };
        text::within(&range, number.ok_or("must be a whole number")?)
    }
}

/// A value or `null`.
pub fn nullable<T>(
    read: impl FnOnce(&Value) -> Result<T, Problems>,
) -> impl FnOnce(&Value) -> Result<Option<T>, Problems> {
    move |value| match value {
        Value::Null => Ok(None),
        value => read(value).map(Some),
    }
}

/// A list of that many elements; every element that does not fit is named.
pub fn list<T>(
    length: RangeInclusive<usize>,
    read: impl Fn(&Value) -> Result<T, Problems>,
) -> impl FnOnce(&Value) -> Result<Vec<T>, Problems> {
    list_or(ErrorCode::SchemaValidationError, length, read)
}

/// The same list, where a wrong length is refused with another code. Elements that do not fit their
/// schema are told before that.
pub fn list_or<T>(
    code: ErrorCode,
    length: RangeInclusive<usize>,
    read: impl Fn(&Value) -> Result<T, Problems>,
) -> impl FnOnce(&Value) -> Result<Vec<T>, Problems> {
    move |value| {
        let Value::Array(elements) = value else { return Err("must be a list".into()) };
        let mut problems = Problems::default();
        if !length.contains(&elements.len()) {
            let (least, most) = (length.start(), length.end());
            let message = format!("must have {least} to {most} elements");
            problems.extend(Problems::one(code, message));
            if code == ErrorCode::SchemaValidationError {
                return Err(problems);
            }
        }
        let mut values = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            match read(element) {
                Ok(value) => values.push(value),
                Err(found) => problems.extend(found.at(index)),
            }
        }
        if problems.is_empty() { Ok(values) } else { Err(problems) }
    }
}

/// An object with fields of its own.
pub fn object<T>(
    read: impl Fn(&mut Fields<'_, Map<String, Value>>) -> Option<T>,
) -> impl Fn(&Value) -> Result<T, Problems> {
    move |value| match value {
        Value::Object(object) => Fields::read(object, &read),
        _ => Err("must be an object".into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fields::Place;

    fn locs(problems: Problems) -> Value {
        let error = problems.into_error(Place::Body);
        error.details()["errors"].as_array().unwrap().iter().map(|e| e["loc"].clone()).collect()
    }

    #[test]
    fn a_wrong_type_is_never_taken_for_another() {
        assert_eq!(boolean(&json!("true")), Err("must be a boolean".into()));
        assert_eq!(boolean(&json!(1)), Err("must be a boolean".into()));
        assert_eq!(uuid(&json!(7)), Err("must be a string".into()));
        assert_eq!(name(&json!(["a"])), Err("must be a string".into()));
        assert_eq!(integer(0..=9)(&json!("5")), Err("must be a whole number".into()));
        assert_eq!(integer(0..=9)(&json!(5.5)), Err("must be a whole number".into()));
        assert_eq!(integer(0..=9)(&json!(null)), Err("must be a whole number".into()));
    }

    #[test]
    fn whole_numbers_have_bounds() {
        assert_eq!(integer(0..=9)(&json!(9)), Ok(9));
        assert_eq!(integer(0..=9)(&json!(9.0)), Ok(9));
        for beyond in [json!(10), json!(-1), json!(1e300), json!(u64::MAX), json!(-1e300)] {
            assert_eq!(integer(0..=9)(&beyond), Err("must be from 0 to 9".into()), "{beyond}");
        }
    }

    #[test]
    fn every_bad_element_is_named() {
        let value = json!([Uuid::nil(), 1, "x", Uuid::nil()]);
        assert_eq!(locs(list(1..=4, uuid)(&value).unwrap_err()), json!([["body", 1], ["body", 2]]));
        assert_eq!(list(0..=4, uuid)(&json!([])), Ok(vec![]));
        assert_eq!(list(1..=4, uuid)(&json!([])), Err("must have 1 to 4 elements".into()));
        assert_eq!(list(1..=4, uuid)(&json!({})), Err("must be a list".into()));
    }

    #[test]
    fn a_length_can_be_refused_with_another_code_than_a_type() {
        let code = ErrorCode::ValidationError;
        let read = |value: &Value| {
            let problems = list_or(code, 1..=2, |element| {
                string(text::refused_as(code, text::uuid))(element)
            })(value);
            problems.unwrap_err().into_error(Place::Body).code()
        };
        assert_eq!(read(&json!([])), ErrorCode::ValidationError);
        assert_eq!(read(&json!(["x"])), ErrorCode::ValidationError);
        assert_eq!(read(&json!(["x", 1])), ErrorCode::SchemaValidationError);
        assert_eq!(read(&json!("x")), ErrorCode::SchemaValidationError);
    }

    #[test]
    fn objects_are_read_like_the_body() {
        let assignment = object(|fields| {
            let device = fields.required("device_id", uuid);
            let level = fields.required("hierarchy_level", integer(0..=10));
            Some((device?, level?))
        });
        let value = json!([{ "device_id": Uuid::nil(), "hierarchy_level": 1 }, {}, 3]);
        assert_eq!(assignment(&value[0]), Ok((Uuid::nil(), 1)));
        assert_eq!(
            locs(list(1..=9, assignment)(&value).unwrap_err()),
            json!([["body", 1, "device_id"], ["body", 1, "hierarchy_level"], ["body", 2]])
        );
    }

    #[test]
    fn absent_null_and_a_value_are_three_wishes() {
        let read = |value: Value| {
            let object = value.as_object().unwrap().clone();
            Fields::read(&object, |fields| Some(fields.patch("parent_device_id", uuid)))
        };
        assert_eq!(read(json!({})), Ok(Patch::Absent));
        assert_eq!(read(json!({ "parent_device_id": null })), Ok(Patch::Null));
        assert_eq!(read(json!({ "parent_device_id": Uuid::nil() })), Ok(Patch::Value(Uuid::nil())));
        assert!(read(json!({ "parent_device_id": 7 })).is_err());
    }
}
