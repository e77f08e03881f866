//! The examples of the document are real: what is sent as they show is answered as they show.

use axum::body::Body;
use serde_json::Value;
use weir_testkit::app::{Store, TestApp};

use crate::support::*;

/// What the ids in examples stand for.
const IDS: &[(&str, &str)] = &[
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", "{device_id}"),
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11", "{spare_device_id}"),
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12", "{customer_id}"),
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13", "{end_user_id}"),
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a15", "{record_id}"),
    ("0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a16", "{member_id}"),
];

/// Operations that need a thing in another state than most.
const OTHERS: &[(&str, &str, &str)] = &[
    ("PUT /api/v1/devices/{device_id}/restore", "{device_id}", "{deleted_device_id}"),
    ("DELETE /api/v1/customers/{id}", "{customer_id}", "{spare_customer_id}"),
    ("DELETE /api/v1/end-users/{id}", "{end_user_id}", "{spare_end_user_id}"),
];

/// The path of an operation with the examples of its parameters in it.
fn path(operation: &Operation) -> String {
    let parameters = operation.described["parameters"].as_array().into_iter().flatten();
    let in_path = parameters.filter(|parameter| parameter["in"] == "path");
    in_path.fold(operation.path.clone(), |path, parameter| {
        let (name, example) = (&parameter["name"], parameter["example"].as_str().unwrap());
        path.replace(&format!("{{{}}}", name.as_str().unwrap()), example)
    })
}

/// A text of the document with an owner's things in the place of those that it speaks of.
fn fill(text: &str, operation: &Operation, own: &Belongings) -> String {
    let named = IDS.iter().fold(text.to_owned(), |text, (id, name)| text.replace(id, name));
    let other = OTHERS.iter().filter(|(name, ..)| *name == operation.name);
    let named = other.fold(named, |text, (_, usual, other)| text.replace(usual, other));
    own.fill(&named)
}

/// Fails the test where two values have not the same fields of the same types.
fn compare(place: &str, example: &Value, real: &Value) {
    match (example, real) {
        (Value::Object(_), Value::Object(_)) => {
            assert_eq!(keys(example), keys(real), "{place}");
            for (name, example) in example.as_object().unwrap() {
                compare(&format!("{place}.{name}"), example, &real[name]);
            }
        }
        (Value::Array(examples), Value::Array(reals)) => {
            if let (Some(example), Some(real)) = (examples.first(), reals.first()) {
                compare(&format!("{place}.0"), example, real);
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        _ => assert_eq!(
            std::mem::discriminant(example),
            std::mem::discriminant(real),
            "{place}: {example} {real}"
        ),
    }
}

#[tokio::test]
async fn what_is_sent_as_examples_show_is_answered_as_examples_show() {
    let app = TestApp::start(Store::Sqlite).await;
    // The tenant of the uplinks in the document, and its device.
    let reseller = app.reseller("Reseller One").await;
    for operation in operations() {
        let own = Belongings::of(&app, &reseller).await;
        if operation.path == INGEST {
            reseller.get(&at(EUI)).await.ok();
        }
        let content = |of: &Value| of["content"]["application/json"]["example"].clone();
        let body = content(&operation.described["requestBody"]);
        let (body, content_type) = match body {
            Value::Null => (String::new(), None),
            body => (fill(&body.to_string(), &operation, &own), Some("application/json")),
        };
        let mut path = fill(&path(&operation), &operation, &own);
        if path.ends_with("/ownership-history") {
            path.push_str("?include_details=true");
        }
        let method = operation.method.clone();
        let answer = reseller.send(method, &path, content_type, Body::from(body.clone())).await;
        let shown = String::from_utf8_lossy(&answer.body);
        assert_eq!(answer.status, 200, "{}: {body}\n{shown}", operation.name);
        let example = content(&operation.described["responses"]["200"]);
        if !example.is_null() {
            compare(&operation.name, &example, &answer.json());
        }
    }
}
