//! Bodies that are too large, of another type, or no JSON object.

use axum::body::Body;
use futures_util::stream;
use http::Method;
use serde_json::json;
use weir_testkit::app::{Actor, Answer, Store, TestApp, chirpstack};

use crate::support::*;

const KIB: usize = 1024;

async fn post(
    actor: &Actor,
    path: &str,
    content_type: Option<&str>,
    body: impl Into<Body>,
) -> Answer {
    actor.send(Method::POST, path, content_type, body.into()).await
}

/// A good body for a path, padded to a length by spaces.
fn padded(path: &str, time: &str, length: usize) -> String {
    let body = match path {
        INGEST => chirpstack("Acme", EUI, time, 1.0),
        _ => meter(&eui(length)),
    };
    let body = body.to_string();
    format!("{}{body}", " ".repeat(length - body.len()))
}

/// The same body in pieces, whose length nobody knows before.
fn in_pieces(body: &str) -> Body {
    let pieces: Vec<_> = body.as_bytes().chunks(10_000).map(|piece| piece.to_vec()).collect();
    Body::from_stream(stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>)))
}

#[tokio::test]
async fn the_largest_body_is_256_kib_of_uplinks_and_2_mib_elsewhere() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let time = app.clock.ago(hours(1));
    for (path, most) in [(INGEST, 256 * KIB), (REGISTER, 2048 * KIB)] {
        post(&acme, path, Some("application/json"), padded(path, &time, most)).await.ok();
        post(&acme, path, Some("application/json"), in_pieces(&padded(path, &time, most - 1)))
            .await
            .ok();
        let over = padded(path, &time, most + 1);
        acme.post_raw(path, over.clone()).await.refused(413, "PAYLOAD_TOO_LARGE");
        acme.post_raw(path, in_pieces(&over)).await.refused(413, "PAYLOAD_TOO_LARGE");
        let announced = acme.clone().with_header("content-length", (most + 1).to_string());
        announced.post_raw(path, over).await.refused(413, "PAYLOAD_TOO_LARGE");
    }
}

#[tokio::test]
async fn a_content_type_that_is_there_must_be_json() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let body = || meter("not an EUI").to_string();
    for path in [REGISTER, INGEST] {
        for other in
            ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "json"]
        {
            let answer = post(&acme, path, Some(other), body()).await;
            answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        }
        for json in [None, Some("application/json; charset=utf-8"), Some("APPLICATION/JSON")] {
            let answer = post(&acme, path, json, body()).await;
            assert!([400, 422].contains(&answer.status.as_u16()), "{json:?}: {}", answer.status);
        }
    }
}

#[tokio::test]
async fn what_is_no_json_object_is_refused_as_a_whole() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let good = meter(EUI).to_string();
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bodies: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"  \n".to_vec(),
        b"{".to_vec(),
        b"nonsense".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"\"text\"".to_vec(),
        b"17".to_vec(),
        b"NaN".to_vec(),
        b"{'dev_eui': 1}".to_vec(),
        b"{\"a\": 1,}".to_vec(),
        b"{} {}".to_vec(),
        b"{\"a\": 01}".to_vec(),
        b"{\"a\": \"\xff\"}".to_vec(),
        b"{\"a\": \"tab\tinside\"}".to_vec(),
        utf16,
        [b"\xef\xbb\xbf", good.as_bytes()].concat(),
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00"
            .to_vec(),
    ];
    for path in [REGISTER, INGEST] {
        for body in &bodies {
            let answer = acme.post_raw(path, body.clone()).await;
            assert_eq!(answer.fields(), ["body"], "{}", String::from_utf8_lossy(body));
        }
    }
    assert_eq!(acme.get(DEVICES).await.ok(), json!([]));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    for path in [REGISTER, INGEST] {
        let pieces = [Ok("{\"dev_eui\":".as_bytes()), Err(std::io::Error::other("reset"))];
        let answer = acme.post_raw(path, Body::from_stream(stream::iter(pieces))).await;
        assert_eq!(answer.fields(), ["body"]);
    }
}
