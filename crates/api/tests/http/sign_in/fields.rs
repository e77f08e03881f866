//! Bodies that do not fit.

use http::Method;
use serde_json::{Value, json};
use weir_testkit::app::{Store, TestApp};

use super::*;

#[tokio::test]
async fn bodies_are_read_as_everywhere() {
    let app = TestApp::start(Store::Sqlite).await;
    let no_text = || [json!(null), json!(7), json!(true), json!([]), json!({})];
    for (path, field) in [(ASK, "email"), (REFRESH, "refresh_token"), (SIGN_OUT, "refresh_token")] {
        let stranger = app.stranger().with_header("x-api-key", "wrong");
        assert_eq!(stranger.post(path, json!({})).await.fields(), [format!("body.{field}")]);
        for value in no_text() {
            let answer = stranger.post(path, json!({ field: value })).await;
            assert_eq!(answer.fields(), [format!("body.{field}")], "{path} {value}");
        }
        for body in ["", "[]", "null", "{", "\u{0}"] {
            assert_eq!(stranger.post_raw(path, body).await.fields(), ["body"], "{path} {body:?}");
        }
        let typed = stranger.send(Method::POST, path, Some("text/plain"), "{}".into()).await;
        typed.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        let long = json!({ field: "x".repeat(3 * 1024 * 1024) });
        stranger.post(path, long).await.refused(413, "PAYLOAD_TOO_LARGE");
        let other = stranger.ask(Method::PUT, path).await;
        other.refused(405, "METHOD_NOT_ALLOWED");
        assert_eq!(other.header("allow"), "POST");
        assert_eq!(other.header("cache-control"), "no-store");
    }
    let link = app.stranger().get("/auth/magic-link/follow").await;
    assert_eq!(link.fields(), ["query.token"]);
}

#[tokio::test]
async fn addresses_are_read_before_they_are_written_to() {
    let app = TestApp::start(Store::Sqlite).await;
    let long = format!("{}@example.org", "a".repeat(243));
    let bad = ["", "ada", "@", "ada@", "a@b@c", " ada@example.org", "a@b\r\nBcc: c@d", &long];
    for (number, email) in bad.into_iter().enumerate() {
        let source = format!("198.51.100.{number}");
        let actor = app.stranger().with_header("x-forwarded-for", source);
        let answer = actor.post(ASK, json!({ "email": email })).await;
        assert_eq!(answer.fields(), ["body.email"], "{email:?}");
        assert_eq!(answer.header("set-cookie"), "");
    }
}

#[tokio::test]
async fn long_tokens_are_not_even_looked_up() {
    let app = TestApp::start(Store::Sqlite).await;
    let long = "x".repeat(1_025);
    for path in [REFRESH, SIGN_OUT] {
        let answer = app.stranger().post(path, json!({ "refresh_token": long })).await;
        assert_eq!(answer.fields(), ["body.refresh_token"]);
    }
    let answer = app.stranger().get(&format!("/auth/magic-link/follow?token={long}")).await;
    assert_eq!(answer.fields(), ["query.token"]);
    assert_eq!(answer.json()["details"]["errors"][0]["loc"], json!(["query", "token"]));
    assert!(!String::from_utf8_lossy(&answer.body).contains("xxx"), "it is not repeated");
    let _: Value = answer.json();
}
