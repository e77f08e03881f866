//! Examples composed from schemas.

use serde_json::{Map, Value, json};

/// How deep a schema is followed; one that contains itself ends here.
const DEEPEST: usize = 16;

/// A value that fits a schema: its own example where it has one, else composed from its parts.
/// `schemas` are the components that references point to.
pub(super) fn compose(schema: &Value, schemas: &Map<String, Value>) -> Value {
    value(schema, schemas, 0)
}

/// Lays one value over another: objects field by field, lists element by element.
pub(super) fn refine(example: &mut Value, own: &Value) {
    match (example, own) {
        (Value::Object(fields), Value::Object(own)) => {
            for (name, own) in own {
                refine(fields.entry(name).or_insert(Value::Null), own);
            }
        }
        (Value::Array(elements), Value::Array(own)) if elements.len() == own.len() => {
            elements.iter_mut().zip(own).for_each(|(element, own)| refine(element, own));
        }
        (example, own) => *example = own.clone(),
    }
}

fn value(schema: &Value, schemas: &Map<String, Value>, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        let target = schemas.get(name).unwrap_or(&Value::Null);
        return value(target, schemas, depth + 1);
    }
    let given = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["const"]];
    if let Some(example) = given.into_iter().find(|example| !example.is_null()) {
        return example.clone();
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    for variants in ["oneOf", "anyOf"] {
        let is_something = |variant: &&Value| variant["type"] != "null";
        let variant = schema[variants].as_array().and_then(|all| all.iter().find(is_something));
        if let Some(variant) = variant {
            return value(variant, schemas, depth + 1);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|part| value(part, schemas, depth + 1));
        let fields = parts.filter_map(|part| part.as_object().cloned()).flatten();
        return Value::Object(fields.collect());
    }
    if is_nullable(schema) { Value::Null } else { of_type(schema, schemas, depth) }
}

/// Whether a schema lists `null` among its types: without an example, that is its value.
fn is_nullable(schema: &Value) -> bool {
    schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
}

/// Whether there is something to show of a field. What may be left out and has no example is.
fn is_shown(name: &str, property: &Value, object: &Value) -> bool {
    let is_required =
        object["required"].as_array().is_some_and(|required| required.iter().any(|it| it == name));
    let is_bare = property["type"].is_string()
        && ["example", "examples", "default", "enum", "items", "properties"]
            .iter()
            .all(|keyword| property[keyword].is_null());
    is_required || !is_bare
}

fn of_type(schema: &Value, schemas: &Map<String, Value>, depth: usize) -> Value {
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let fields = properties
                .filter(|(name, property)| is_shown(name, property, schema))
                .map(|(name, property)| (name.clone(), value(property, schemas, depth + 1)));
            Value::Object(fields.collect())
        }
        Some("array") => json!([value(&schema["items"], schemas, depth + 1)]),
        Some("boolean") => json!(true),
        Some("integer" | "number") => {
            let least = &schema["minimum"];
            if least.is_null() { json!(1) } else { least.clone() }
        }
        Some("string") => json!(match schema["format"].as_str() {
            Some("uuid") => "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10",
            Some("date-time") => "2026-03-29T00:59:58.123456+00:00",
            Some("date") => "2026-03-29",
            Some("email") => "ada@example.org",
            _ => "text",
        }),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_composed_from_its_parts() {
        let schemas = json!({
            "Meter": {
                "type": "object",
                "required": ["id", "battery"],
                "properties": {
                    "id": { "type": "string", "format": "uuid" },
                    "name": { "type": "string", "example": "Main" },
                    "status": { "type": "string", "enum": ["online", "offline"] },
                    "battery": { "type": "number", "minimum": 3 },
                    "deleted_at": { "type": ["string", "null"], "format": "date-time" },
                    "is_simulated": { "type": "boolean" },
                    "parent": { "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Owner" }] },
                },
            },
            "Owner": { "allOf": [
                { "type": "object", "required": ["is_principal"], "properties": {
                    "is_principal": { "type": "boolean" } } },
                { "type": "object", "required": ["at"], "properties": {
                    "at": { "type": "string", "format": "date" } } },
            ] },
        });
        let schema = json!({ "type": "array", "items": { "$ref": "#/components/schemas/Meter" } });
        assert_eq!(
            compose(&schema, schemas.as_object().unwrap()),
            json!([{
                "id": "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10",
                "name": "Main",
                "status": "online",
                "battery": 3,
                "deleted_at": null,
                "parent": { "is_principal": true, "at": "2026-03-29" },
            }])
        );
    }

    #[test]
    fn one_example_is_laid_over_another() {
        let mut example =
            json!({ "data": { "a": 1, "b": [{ "c": 2, "d": 3 }] }, "message": "Done." });
        refine(
            &mut example,
            &json!({ "data": { "a": null, "b": [{ "d": 4 }] }, "message": "Added." }),
        );
        let refined =
            json!({ "data": { "a": null, "b": [{ "c": 2, "d": 4 }] }, "message": "Added." });
        assert_eq!(example, refined);
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let schemas = json!({ "Node": {
            "type": "object",
            "properties": { "next": { "$ref": "#/components/schemas/Node" } },
        } });
        let node = json!({ "$ref": "#/components/schemas/Node" });
        assert!(compose(&node, schemas.as_object().unwrap())["next"]["next"].is_object());
    }
}
