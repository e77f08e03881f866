//! Whether a value fits a schema of the document.
//!
//! As much of JSON Schema as the document uses. A keyword that is not known here is a problem, so that
//! none is passed over by mistake; patterns are read by people alone.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use weir_domain::Timestamp;

/// The named schemas of the document.
pub(super) struct Schemas(Map<String, Value>);

impl Schemas {
    pub(super) fn new(schemas: Map<String, Value>) -> Self {
        Self(schemas)
    }

    /// What is wrong with a value, field by field. Fields that its schema does not know are wrong too.
    pub(super) fn check(&self, schema: &Value, value: &Value) -> Vec<String> {
        let mut look = Look { schemas: &self.0, problems: Vec::new() };
        look.at("body", schema, value);
        look.problems
    }
}

/// One look at a value.
struct Look<'a> {
    schemas: &'a Map<String, Value>,
    problems: Vec<String>,
}

/// The fields that a schema knows; none where it says nothing of fields, so that all are welcome.
type Known = Option<BTreeSet<String>>;

impl<'a> Look<'a> {
    fn at(&mut self, place: &str, schema: &Value, value: &Value) {
        let known = self.part(place, schema, value);
        let (Some(known), Value::Object(fields)) = (known, value) else { return };
        for unknown in fields.keys().filter(|field| !known.contains(*field)) {
            self.refuse(place, &format!("{unknown} is not in the schema"));
        }
    }

    /// Looks at a schema that may be one part of a larger one.
    fn part(&mut self, place: &str, schema: &Value, value: &Value) -> Known {
        let mut known = Known::None;
        for (keyword, rule) in schema.as_object().into_iter().flatten() {
            if let Some(more) = self.keyword(place, keyword, rule, value) {
                known.get_or_insert_default().extend(more);
            }
        }
        known
    }

    fn keyword(&mut self, place: &str, keyword: &str, rule: &Value, value: &Value) -> Known {
        let fits = match keyword {
            "description" | "title" | "example" | "examples" | "default" | "pattern" => true,
            "$ref" => return self.part(place, self.target(rule), value),
            "allOf" => {
                let parts = rule.as_array().into_iter().flatten();
                let known = parts.filter_map(|part| self.part(place, part, value));
                return known.reduce(|known, more| &known | &more);
            }
            "oneOf" | "anyOf" => return self.variant(place, rule, value),
            "properties" => return Some(self.properties(place, rule, value)),
            "required" => {
                let names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
                names.into_iter().all(|name| value.get(name).is_some())
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    self.at(&format!("{place}.{index}"), rule, item);
                }
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|kind| is_of_type(kind, value)),
                kind => is_of_type(kind, value),
            },
            "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
            "minimum" => value.as_f64().is_none_or(|number| Some(number) >= rule.as_f64()),
            "maximum" => value.as_f64().is_none_or(|number| Some(number) <= rule.as_f64()),
            "minLength" => length(value).is_none_or(|length| Some(length) >= rule.as_u64()),
            "maxLength" => length(value).is_none_or(|length| Some(length) <= rule.as_u64()),
            "format" => value.as_str().is_none_or(|text| is_of_format(rule, text)),
            _ => false,
        };
        if !fits {
            self.refuse(place, &format!("{keyword} {rule}"));
        }
        None
    }

    fn target(&self, reference: &Value) -> &'a Value {
        let name = reference.as_str().and_then(|text| text.rsplit('/').next()).unwrap_or_default();
        self.schemas.get(name).unwrap_or_else(|| panic!("{reference} leads nowhere"))
    }

    fn properties(&mut self, place: &str, rule: &Value, value: &Value) -> BTreeSet<String> {
        let properties = rule.as_object().into_iter().flatten();
        for (name, schema) in properties.clone() {
            if let Some(field) = value.get(name) {
                self.at(&format!("{place}.{name}"), schema, field);
            }
        }
        properties.map(|(name, _)| name.clone()).collect()
    }

    /// A value has to fit one of several schemas, and what fits it as a whole knows all its fields.
    fn variant(&mut self, place: &str, variants: &Value, value: &Value) -> Known {
        let mut problems = Vec::new();
        for variant in variants.as_array().into_iter().flatten() {
            let mut look = Look { schemas: self.schemas, problems: Vec::new() };
            look.at(place, variant, value);
            if look.problems.is_empty() {
                return value.as_object().map(|fields| fields.keys().cloned().collect());
            }
            problems.extend(look.problems);
        }
        self.refuse(place, &format!("fits none of its schemas: {problems:?}"));
        None
    }

    fn refuse(&mut self, place: &str, problem: &str) {
        self.problems.push(format!("{place}: {problem}"));
    }
}

fn is_of_type(kind: &Value, value: &Value) -> bool {
    match kind.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("number") => value.is_number(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    }
}

fn is_of_format(format: &Value, text: &str) -> bool {
    let is_uuid = |text: &str| {
        text.len() == 36
            && text.char_indices().all(|(index, c)| match index {
                8 | 13 | 18 | 23 => c == '-',
                _ => c.is_ascii_hexdigit(),
            })
    };
    match format.as_str() {
        Some("uuid") => is_uuid(text),
        // Timestamps go out in UTC, written in one way.
        Some("date-time") => Timestamp::parse(text).is_ok_and(|time| time.to_string() == text),
        _ => true,
    }
}

/// How many characters a text has.
fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(schema: &Value, value: &Value) -> usize {
        let schemas = json!({
            "Named": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "string", "format": "uuid" },
                "at": { "type": ["string", "null"], "format": "date-time" },
            } },
            "Counted": { "allOf": [
                { "$ref": "#/components/schemas/Named" },
                { "type": "object", "properties": { "count": { "type": "integer", "minimum": 0, "maximum": 9 } } },
            ] },
        });
        Schemas::new(schemas.as_object().expect("schemas").clone()).check(schema, value).len()
    }

    const ID: &str = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10";

    #[test]
    fn parts_know_one_anothers_fields() {
        let counted = json!({ "$ref": "#/components/schemas/Counted" });
        let at = "2026-03-29T12:00:00+00:00";
        assert_eq!(problems(&counted, &json!({ "id": ID, "at": at, "count": 9 })), 0);
        assert_eq!(problems(&counted, &json!({ "id": ID, "at": null })), 0);
        assert_eq!(problems(&counted, &json!({ "id": ID, "more": 1 })), 1);
        assert_eq!(
            problems(&counted, &json!({ "id": "x", "at": "2026-03-29T12:00:00Z", "count": 10 })),
            3
        );
        assert_eq!(problems(&counted, &json!({ "count": 0.5 })), 2);
        assert_eq!(problems(&counted, &json!([])), 3, "of two types, and without an id");
    }

    #[test]
    fn a_variant_has_to_fit_as_a_whole() {
        let either = json!({ "oneOf": [
            { "type": "null" },
            { "$ref": "#/components/schemas/Named" },
            { "type": "object", "properties": { "ignored": { "type": "boolean" } } },
        ] });
        for good in [json!(null), json!({ "id": ID }), json!({ "ignored": true }), json!({})] {
            assert_eq!(problems(&either, &good), 0, "{good}");
        }
        for bad in [json!(1), json!({ "id": ID, "ignored": true }), json!({ "ignored": 1 })] {
            assert_eq!(problems(&either, &bad), 1, "{bad}");
        }
    }

    #[test]
    fn lists_lengths_and_values() {
        let words = json!({ "type": "array", "items": { "type": "string", "enum": ["a", "bc"], "maxLength": 2 } });
        assert_eq!(problems(&words, &json!(["a", "bc"])), 0);
        assert_eq!(problems(&words, &json!(["b", 1, "abc"])), 5);
        assert_eq!(problems(&json!({ "type": "object" }), &json!({ "any": "thing" })), 0);
        assert_eq!(problems(&json!({ "minProperties": 1 }), &json!({})), 1, "not known here");
    }
}
