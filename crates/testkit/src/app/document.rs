//! Every answer that an actor gets is held against the OpenAPI document: its status is among those of
//! the operation, its error code is listed there, and its body fits the schema and has no field that
//! the schema does not know.

mod schema;

use std::sync::LazyLock;

use http::Method;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use serde_json::{Map, Value};

use super::Answer;
use schema::Schemas;

static DOCUMENT: LazyLock<Document> = LazyLock::new(Document::new);

/// Fails the test where the document does not describe this answer. What is no operation of the
/// document is passed over.
#[track_caller]
pub fn check(method: &Method, path: &str, answer: &Answer) {
    let path = path.split('?').next().unwrap_or_default();
    let Some(operation) = DOCUMENT.operation(method, path) else { return };
    let asked = format!("{method} {path}");
    let status = answer.status.as_str();
    let response = &operation["responses"][status];
    assert!(response.is_object(), "{asked}: {status} is not documented");
    let is_json = answer.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if !is_json || answer.headers.contains_key(CONTENT_ENCODING) {
        return;
    }
    let body = answer.json();
    let content = &response["content"]["application/json"];
    if let Some(code) = body["error_code"].as_str() {
        assert!(content["examples"][code].is_object(), "{asked}: {code} is not documented");
    }
    let problems = DOCUMENT.schemas.check(&content["schema"], &body);
    assert!(
        problems.is_empty(),
        "{asked}: {status} does not fit its schema: {problems:#?}\n{body:#}"
    );
}

struct Document {
    paths: Map<String, Value>,
    schemas: Schemas,
}

impl Document {
    fn new() -> Self {
        let document = serde_json::to_value(weir_api::openapi::document()).expect("a document");
        let object = |pointer| document.pointer(pointer).and_then(Value::as_object).cloned();
        Self {
            paths: object("/paths").expect("paths"),
            schemas: Schemas::new(object("/components/schemas").expect("schemas")),
        }
    }

    /// The operation that a request is for. As in the router, a path that is written out comes before
    /// one with parameters.
    fn operation(&self, method: &Method, path: &str) -> Option<&Value> {
        let fits = |template: &&String| {
            let (given, wanted) = (path.split('/'), template.split('/'));
            given.clone().count() == wanted.clone().count()
                && given.zip(wanted).all(|(given, wanted)| {
                    given == wanted || wanted.starts_with('{') && !given.is_empty()
                })
        };
        let parameters = |template: &&String| template.matches('{').count();
        let template = self.paths.keys().filter(fits).min_by_key(parameters)?;
        self.paths[template].get(method.as_str().to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderValue, StatusCode};
    use serde_json::json;

    use super::*;

    fn answer(status: u16, body: &Value) -> Answer {
        let headers =
            HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
        let status = StatusCode::from_u16(status).expect("a status");
        Answer { status, headers, body: body.to_string().into_bytes() }
    }

    fn pong(data: &Value) -> Answer {
        answer(200, &json!({ "data": data, "status": "success" }))
    }

    fn error(status: u16, code: &str) -> Answer {
        let body = json!({ "status": "error", "error_code": code, "message": "No.", "details": { "a": 1 } });
        answer(status, &body)
    }

    #[test]
    fn what_the_document_describes_passes() {
        check(&Method::GET, "/ping?x=1", &pong(&json!({ "pong": true })));
        check(&Method::GET, "/api/v1/devices/7", &error(404, "DEVICE_NOT_FOUND"));
        check(&Method::GET, "/nothing", &error(404, "NOT_FOUND"));
        check(&Method::GET, "/api/v1/devices/register", &error(405, "METHOD_NOT_ALLOWED"));
    }

    #[test]
    #[should_panic(expected = "does not fit its schema")]
    fn a_missing_field_does_not() {
        check(&Method::GET, "/ping", &pong(&json!({})));
    }

    #[test]
    #[should_panic(expected = "does not fit its schema")]
    fn a_field_of_another_type_does_not() {
        check(&Method::GET, "/ping", &pong(&json!({ "pong": "true" })));
    }

    #[test]
    #[should_panic(expected = "does not fit its schema")]
    fn a_field_that_is_not_in_the_schema_does_not() {
        check(&Method::GET, "/ping", &pong(&json!({ "pong": true, "ping": true })));
    }

    #[test]
    #[should_panic(expected = "418 is not documented")]
    fn another_status_does_not() {
        check(&Method::GET, "/ping", &error(418, "TEAPOT"));
    }

    #[test]
    #[should_panic(expected = "USER_NOT_FOUND is not documented")]
    fn another_code_does_not() {
        check(&Method::GET, "/api/v1/devices/7", &error(404, "USER_NOT_FOUND"));
    }
}
