//! The OpenAPI document: the file in the repository, what is served, and its examples.

mod examples;

use std::path::Path;

use http::{HeaderMap, HeaderValue, Method, StatusCode};
use serde_json::Value;
use weir_testkit::app::{Answer, Store, TestApp, document};

#[test]
fn the_file_in_the_repository_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    let file = std::fs::read_to_string(path).unwrap_or_default();
    let made = weir_api::openapi::document().to_pretty_json().unwrap() + "\n";
    assert!(file == made, "openapi.json is out of date: write it anew with `make openapi`");
}

#[tokio::test]
async fn the_document_that_is_served_is_the_same() {
    let app = TestApp::start(Store::Sqlite).await;
    let answer = app.stranger().get("/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.json(), serde_json::to_value(weir_api::openapi::document()).unwrap());
}

/// An answer as the document shows it.
fn answer(status: &str, example: &Value) -> Answer {
    let json = HeaderValue::from_static("application/json");
    let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, json)]);
    let status = status.parse::<StatusCode>().unwrap();
    Answer { status, headers, body: example.to_string().into_bytes() }
}

#[test]
fn every_example_fits_its_schema() {
    let shown = serde_json::to_value(weir_api::openapi::document()).unwrap();
    let mut count = 0;
    for (path, item) in shown["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            for (status, response) in operation["responses"].as_object().unwrap() {
                let content = &response["content"]["application/json"];
                let named = content["examples"].as_object().into_iter().flatten();
                let examples = named.map(|(_, example)| &example["value"]);
                for example in examples.chain(content.get("example")) {
                    document::check(&method, path, &answer(status, example));
                    count += 1;
                }
            }
        }
    }
    assert!(count > 50, "{count}");
}
