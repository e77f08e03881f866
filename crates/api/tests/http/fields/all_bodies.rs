//! What every operation with a body says to what is no JSON object.

use axum::body::Body;
use weir_testkit::app::{Actor, Answer, Store, TestApp};

use crate::support::*;

const JSON: Option<&str> = Some("application/json");
const NO_OBJECTS: &[&[u8]] = &[
    b" ",
    b"{",
    b"nonsense",
    b"[]",
    b"[{}]",
    b"null",
    b"\"text\"",
    b"17",
    b"true",
    b"NaN",
    b"{} {}",
    b"{\"name\": \"Main\",}",
    b"{'name': 1}",
    b"{\"name\": \"\xff\"}",
    b"\xef\xbb\xbf{}",
];

/// Every operation that takes a body.
fn with_bodies() -> Vec<Operation> {
    let takes = |operation: &Operation| operation.described["requestBody"].is_object();
    let operations: Vec<_> = operations().into_iter().filter(takes).collect();
    assert!(operations.len() > 14);
    operations
}

/// Somebody, and what is theirs.
struct Owner {
    actor: Actor,
    own: Belongings,
}

impl Owner {
    async fn new() -> Self {
        let app = TestApp::start(Store::Sqlite).await;
        let actor = app.reseller("Acme").await;
        let own = Belongings::of(&app, &actor).await;
        Self { actor, own }
    }

    async fn send(
        &self,
        operation: &Operation,
        content_type: Option<&str>,
        body: impl Into<Body>,
    ) -> Answer {
        let path = self.own.fill(&operation.path_of_belongings());
        self.actor.send(operation.method.clone(), &path, content_type, body.into()).await
    }
}

#[tokio::test]
async fn what_is_no_object_is_refused_as_a_whole() {
    let owner = Owner::new().await;
    for operation in with_bodies() {
        for body in NO_OBJECTS {
            let answer = owner.send(&operation, JSON, *body).await;
            let shown = String::from_utf8_lossy(body);
            assert_eq!(answer.status, 422, "{}: {shown}", operation.name);
            assert_eq!(answer.fields(), ["body"], "{}: {shown}", operation.name);
        }
    }
}

#[tokio::test]
async fn no_body_is_refused_where_one_is_required() {
    let owner = Owner::new().await;
    let mut optional = Vec::new();
    for operation in with_bodies() {
        for content_type in [JSON, None] {
            let answer = owner.send(&operation, content_type, "").await;
            match operation.described["requestBody"]["required"].as_bool() {
                Some(true) => assert_eq!(answer.fields(), ["body"], "{}", operation.name),
                _ => optional.push((operation.name.clone(), answer.status.as_u16())),
            }
        }
    }
    let name = "POST /api/v1/customers/{id}/register-unregistered-devices".to_owned();
    assert_eq!(optional, [(name.clone(), 200), (name, 200)]);
}

#[tokio::test]
async fn other_types_of_content_are_refused() {
    let owner = Owner::new().await;
    for operation in with_bodies() {
        for other in
            ["text/plain", "application/x-www-form-urlencoded", "application/xml", "", "json"]
        {
            let answer = owner.send(&operation, Some(other), "{}").await;
            assert_eq!(answer.status, 415, "{}: {other}", operation.name);
            answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        }
        for json in [None, Some("application/json; charset=utf-8"), Some("APPLICATION/JSON")] {
            let answer = owner.send(&operation, json, "{\"x\": 1}").await;
            assert_ne!(answer.status, 415, "{}: {json:?}", operation.name);
        }
    }
}

#[tokio::test]
async fn bodies_that_are_too_large_are_refused() {
    let owner = Owner::new().await;
    for operation in with_bodies() {
        let most = if operation.path == INGEST { 256 * 1024 } else { 2 * 1024 * 1024 };
        let over = owner.send(&operation, JSON, " ".repeat(most + 1)).await;
        assert_eq!(over.status, 413, "{}", operation.name);
        over.refused(413, "PAYLOAD_TOO_LARGE");
        let largest = owner.send(&operation, JSON, " ".repeat(most)).await;
        assert_eq!(largest.fields(), ["body"], "{}", operation.name);
    }
}
