//! What holds for the document as a whole.

use serde_json::Value;

use super::document;

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

fn shown() -> Value {
    serde_json::to_value(document()).unwrap()
}

/// Every operation with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            assert!(METHODS.contains(&method.as_str()), "{method} {path}");
            operations.push((format!("{method} {path}"), operation));
        }
    }
    operations
}

/// Whether there is a text.
fn is_told(text: &Value) -> bool {
    !text.as_str().unwrap_or_default().is_empty()
}

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = shown();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn every_operation_says_what_it_is() {
    let document = shown();
    let tags = document["tags"].as_array().unwrap();
    assert!(tags.iter().all(|tag| is_told(&tag["description"])), "{tags:?}");
    let tags: Vec<&Value> = tags.iter().map(|tag| &tag["name"]).collect();
    let mut ids = Vec::new();
    for (name, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap();
        assert!(!ids.contains(&id), "{name}: {id} is taken");
        ids.push(id);
        assert!(is_told(&operation["summary"]), "{name} has no summary");
        assert!(is_told(&operation["description"]), "{name} has no description");
        let own = operation["tags"].as_array().unwrap_or_else(|| panic!("{name} has no tag"));
        assert!(own.len() == 1 && tags.contains(&&own[0]), "{name}: {own:?}");
    }
    assert!(!ids.is_empty());
}

#[test]
fn operations_of_the_interface_are_secured_and_others_public() {
    let document = shown();
    for (name, operation) in operations(&document) {
        let schemes = operation["security"].as_array().unwrap_or_else(|| panic!("{name}"));
        if name.contains(" /api/v1/") {
            assert!(schemes.iter().any(|scheme| scheme.get("api_key").is_some()), "{name}");
            assert!(operation["responses"]["401"].is_object(), "{name}");
            assert!(operation["responses"]["503"].is_object(), "{name}");
        } else {
            assert!(schemes.is_empty(), "{name}");
        }
    }
}

#[test]
fn every_response_is_described_with_an_example_and_the_request_id() {
    let document = shown();
    for (name, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        // Success is an answer, or the way to somewhere else.
        let succeeds = responses.contains_key("200") || responses.contains_key("303");
        assert!(succeeds && responses.contains_key("500"), "{name}");
        for (status, response) in responses {
            assert!(
                !response["description"].as_str().unwrap_or_default().is_empty(),
                "{name} {status}"
            );
            assert!(response["headers"]["X-Request-Id"].is_object(), "{name} {status}");
            assert!(response.get("x-schemas").is_none(), "{name} {status}");
            for content in response["content"].as_object().into_iter().flat_map(|map| map.values())
            {
                let has_example = !content["example"].is_null() || content["examples"].is_object();
                assert!(has_example, "{name} {status}");
            }
        }
    }
}

#[test]
fn every_parameter_and_body_is_described_and_every_body_has_an_example() {
    let document = shown();
    let mut bodies = 0;
    for (name, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let texts = [&parameter["description"], &parameter["schema"]["description"]];
            assert!(texts.into_iter().any(is_told), "{name}: {}", parameter["name"]);
            let is_path = parameter["in"] == "path";
            assert!(!is_path || is_told(&parameter["example"]), "{name}: {}", parameter["name"]);
        }
        let contents = operation["requestBody"]["content"].as_object().into_iter().flatten();
        for (_, content) in contents {
            assert!(content["example"].is_object(), "{name}: {content}");
            assert!(content["schema"]["$ref"].is_string(), "{name}: {content}");
            bodies += 1;
        }
        assert!(operation.get("x-example").is_none(), "{name}");
    }
    assert!(bodies > 14, "{bodies}");
}

#[test]
fn both_security_schemes_are_described() {
    let schemes = &shown()["components"]["securitySchemes"];
    assert_eq!(schemes["api_key"]["type"], "apiKey");
    assert_eq!(schemes["api_key"]["in"], "header");
    assert_eq!(schemes["api_key"]["name"], "X-API-Key");
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!(schemes["bearer"]["bearerFormat"], "JWT");
}
