//! Request ids, compression, HEAD, and other origins.

use http::Method;
use weir_testkit::app::{Actor, Store, TestApp};

use crate::support::*;

/// One answer of each kind: a success, and errors of several layers.
async fn request_ids(actor: &Actor) -> Vec<String> {
    let mut ids = Vec::new();
    for path in [DEVICES, "/ping", "/api/v1/nothing", "/nothing", "/openapi.json", "/redoc"] {
        ids.push(actor.get(path).await.header("x-request-id").to_owned());
    }
    for body in ["{", "{}"] {
        ids.push(actor.post_raw(REGISTER, body).await.header("x-request-id").to_owned());
        ids.push(actor.post_raw(INGEST, body).await.header("x-request-id").to_owned());
    }
    ids
}

#[tokio::test]
async fn a_sane_request_id_comes_back_and_any_other_is_replaced() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    for caller in [&acme, &app.stranger()] {
        for sane in ["7", "trace:0af7/8=+,;<>", &"x".repeat(128)] {
            let named = caller.clone().with_header("x-request-id", sane);
            assert!(request_ids(&named).await.iter().all(|id| id == sane), "{sane}");
        }
        for insane in ["", "two words", "tab\there", "ümlaut", &"x".repeat(129)] {
            let named = caller.clone().with_header("x-request-id", insane);
            let mut ids = request_ids(&named).await;
            assert!(
                ids.iter().all(|id| id.len() == 32 && id.bytes().all(|b| b.is_ascii_hexdigit()))
            );
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), 10, "each has its own");
        }
    }
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_take_it() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    for number in 0..20 {
        acme.register(&eui(number)).await;
    }
    let plain = acme.get(DEVICES).await;
    assert_eq!(plain.header("content-encoding"), "");
    for encoding in ["gzip", "br"] {
        let packed = acme.clone().with_header("accept-encoding", encoding).get(DEVICES).await;
        assert_eq!(packed.status, 200);
        assert_eq!(packed.header("content-encoding"), encoding);
        assert_eq!(packed.header("content-type"), "application/json");
        assert_eq!(packed.header("vary"), "accept-encoding");
        assert_eq!(packed.header("x-total-count"), "20");
        assert!(packed.body.len() * 4 < plain.body.len());
    }
    let other = acme.clone().with_header("accept-encoding", "snappy, identity").get(DEVICES).await;
    assert_eq!(other.body, plain.body);
}

#[tokio::test]
async fn a_head_has_the_headers_and_no_body() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let head = acme.ask(Method::HEAD, DEVICES).await;
    assert_eq!((head.status.as_u16(), head.header("x-total-count")), (200, "1"));
    assert!(head.body.is_empty());
    let nobody = app.stranger().ask(Method::HEAD, DEVICES).await;
    assert_eq!(nobody.status, 401);
    assert!(nobody.body.is_empty());
}

#[tokio::test]
async fn pages_of_other_origins_may_nothing_unless_they_are_listed() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let page = acme
        .with_header("origin", "https://app.example.org")
        .with_header("access-control-request-method", "PUT")
        .with_header("access-control-request-headers", "x-api-key");
    for answer in
        [page.get(DEVICES).await, page.get("/ping").await, page.ask(Method::OPTIONS, DEVICES).await]
    {
        let names = answer.headers.keys().map(|name| name.as_str());
        assert_eq!(names.filter(|name| name.starts_with("access-control")).count(), 0);
    }
    page.ask(Method::OPTIONS, DEVICES).await.refused(405, "METHOD_NOT_ALLOWED");
}
