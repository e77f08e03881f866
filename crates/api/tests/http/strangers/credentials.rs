//! Requests without valid credentials.

use std::collections::BTreeSet;

use axum::body::Body;
use serde_json::{Value, json};
use weir_app::resellers;
use weir_domain::Name;
use weir_store::Purpose;
use weir_testkit::app::{Actor, Answer, TestApp};
use weir_testkit::on_both_stores;

use crate::support::*;

/// Asks for an operation with some body; what stands in the path does not matter.
async fn ask(actor: &Actor, operation: &Operation, body: &'static str) -> Answer {
    let path = operation.path.replace("{dev_eui}", EUI);
    let path = path.split('/').map(|step| match step.starts_with('{') {
        true => "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10",
        false => step,
    });
    let path = path.collect::<Vec<_>>().join("/");
    let body = Body::from(body);
    actor.send(operation.method.clone(), &path, Some("application/json"), body).await
}

/// The whole of an answer that tells nothing: its headers are those of every answer.
#[track_caller]
fn told(answer: &Answer, code: &str) -> Value {
    let body = answer.refused(401, code);
    assert_eq!(body["details"], json!({}));
    let usual = ["content-length", "content-type", "vary", "x-request-id"];
    let is_unusual = |name: &&http::HeaderName| !usual.contains(&name.as_str());
    let unusual: Vec<_> = answer.headers.keys().filter(is_unusual).collect();
    match code {
        "INVALID_TOKEN" => assert_eq!(unusual, ["www-authenticate"]),
        _ => assert!(unusual.is_empty(), "{unusual:?}"),
    }
    body
}

on_both_stores!(
    without_a_key_all_operations_answer_the_same,
    a_wrong_key_opens_nothing,
    a_token_is_looked_at_only_where_one_is_taken_and_no_key_is_sent,
    a_revoked_key_opens_nothing_any_more,
    the_keys_of_a_closing_reseller_open_nothing,
);

async fn without_a_key_all_operations_answer_the_same(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let bearer = app.stranger().with_header("authorization", "Basic dTpw");
    let mut bodies = Vec::new();
    for operation in operations() {
        for nobody in [&app.stranger(), &bearer] {
            for body in ["", "{}", "no JSON"] {
                let answer = ask(nobody, &operation, body).await;
                bodies.push(told(&answer, "INVALID_API_KEY"));
            }
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
}

async fn a_wrong_key_opens_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let key = acme.api_key().to_owned();
    let (last, swapped) = (key.len() - 1, key.to_ascii_uppercase());
    let almost = format!("{}{}", &key[..last], if key.ends_with('0') { '1' } else { '0' });
    let wrong =
        ["", "weir_", "x", &almost, &swapped, &key[..last], "weir_ümlaut", &"x".repeat(4096)];
    for operation in operations() {
        for key in wrong {
            let nobody = app.stranger().with_header("x-api-key", key);
            told(&ask(&nobody, &operation, "{}").await, "INVALID_API_KEY");
        }
    }
    assert_eq!(acme.get(DEVICES).await.ok(), json!([]));
}

async fn a_token_is_looked_at_only_where_one_is_taken_and_no_key_is_sent(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for operation in operations() {
        for token in ["Bearer eyJhbGciOiJub25lIn0.e30.", "bearer x", "BEARER "] {
            let bearer = app.stranger().with_header("authorization", token);
            let code = if operation.takes_tokens { "INVALID_TOKEN" } else { "INVALID_API_KEY" };
            let answer = ask(&bearer, &operation, "{}").await;
            told(&answer, code);
            let challenge = if operation.takes_tokens { "Bearer" } else { "" };
            assert_eq!(answer.header("www-authenticate"), challenge, "{}", operation.name);
            let both = bearer.with_header("x-api-key", "wrong");
            told(&ask(&both, &operation, "{}").await, "INVALID_API_KEY");
        }
    }
    let both = acme.with_header("authorization", "Bearer x");
    assert_eq!(both.get(DEVICES).await.ok(), json!([]), "the key alone decides");
}

async fn a_revoked_key_opens_nothing_any_more(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let globex = app.reseller("Globex").await;
    acme.register(EUI).await;
    let id = acme.reseller().id;
    let revoked = app.db.system(Purpose::Administer, move |tx| {
        weir_app::api_keys::revoke(tx, id, &Name::parse("default").expect("a name"))
    });
    revoked.await.unwrap();
    told(&acme.get(DEVICES).await, "INVALID_API_KEY");
    let uplink = weir_testkit::app::chirpstack("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
    told(&acme.ingest(uplink).await, "INVALID_API_KEY");
    globex.get(DEVICES).await.ok();
}

async fn the_keys_of_a_closing_reseller_open_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.get(DEVICES).await.ok();
    let closed = app.db.system(Purpose::Administer, |tx| resellers::close(tx, "Acme"));
    closed.await.unwrap();
    told(&acme.get(DEVICES).await, "INVALID_API_KEY");
}

#[tokio::test]
async fn public_paths_need_no_credentials() {
    let app = TestApp::start(weir_testkit::app::Store::Sqlite).await;
    let document = serde_json::to_value(weir_api::openapi::document()).unwrap();
    let paths = document["paths"].as_object().unwrap().keys();
    let public: Vec<&String> = paths.filter(|path| !path.starts_with("/api/v1/")).collect();
    let expected = [
        "/.well-known/jwks.json",
        "/.well-known/openid-configuration",
        "/auth/magic-link",
        "/auth/magic-link/follow",
        "/auth/refresh",
        "/auth/sign-out",
        "/auth/{provider}/callback",
        "/auth/{provider}/start",
        "/health",
        "/ping",
    ];
    let public: BTreeSet<&str> = public.into_iter().map(String::as_str).collect();
    assert_eq!(public, BTreeSet::from(expected), "what is public is a short list");
    for nobody in [app.stranger(), app.stranger().with_header("x-api-key", "wrong")] {
        for path in ["/.well-known/jwks.json", "/.well-known/openid-configuration"] {
            assert_eq!(nobody.get(path).await.status, 200, "{path}");
        }
        for path in ["/health", "/ping", "/docs", "/docs/", "/redoc", "/openapi.json"] {
            assert_eq!(nobody.get(path).await.status, 200, "{path}");
        }
    }
}
