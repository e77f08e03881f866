//! Examples composed from schemas.

use serde_json::{Map, Value, json};

/// How deep a schema is followed; one that contains itself ends here.
const DEEPEST: usize = 8;

/// A value that fits a schema: its own example where it has one, else composed from its parts.
/// `schemas` are the components that references point to.
pub(super) fn compose(schema: &Value, schemas: &Map<String, Value>) -> Value {
    value(schema, schemas, 0)
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
    of_type(schema, schemas, depth)
}

fn of_type(schema: &Value, schemas: &Map<String, Value>, depth: usize) -> Value {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null").unwrap_or(&Value::Null),
        kind => kind,
    };
    match kind.as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let fields = properties
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
                "properties": {
                    "id": { "type": "string", "format": "uuid" },
                    "name": { "type": "string", "example": "Main" },
                    "status": { "type": "string", "enum": ["online", "offline"] },
                    "battery": { "type": ["number", "null"], "minimum": 3 },
                    "parent": { "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Owner" }] },
                },
            },
            "Owner": { "allOf": [
                { "type": "object", "properties": { "is_principal": { "type": "boolean" } } },
                { "type": "object", "properties": { "at": { "type": "string", "format": "date" } } },
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
                "parent": { "is_principal": true, "at": "2026-03-29" },
            }])
        );
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
