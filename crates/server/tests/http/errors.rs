//! Every error has the service's form, whoever found it.

use super::harness::{GET, Site, wide};

#[tokio::test]
async fn what_is_no_request_is_told_so() {
    let site = Site::open(wide()).await;
    let tls_hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x8f\x01\r\n\r\n";
    let http2 = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let inputs: [&[u8]; 8] = [
        b"garbage\r\n\r\n",
        b"\0\0\0\0\0\0\0\0",
        tls_hello,
        http2,
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon here\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: many\r\n\r\n",
        b"POST / HTTP/1.1\r\ntransfer-encoding: gzip\r\n\r\n",
    ];
    for input in inputs {
        let answer = site.say(input).await;
        let details = answer.assert_error(400, "BAD_REQUEST");
        assert_eq!(details, serde_json::json!({}));
        assert!(answer.closes());
        assert_eq!(answer.header("x-request-id").unwrap().len(), 16);
    }
}

#[tokio::test]
async fn oversized_heads_are_told_so_though_more_is_coming() {
    let site = Site::open(wide()).await;
    let many: String = (0..101).map(|n| format!("x-{n}: {n}\r\n")).collect();
    let answer = site.say(format!("GET / HTTP/1.1\r\n{many}\r\n")).await;
    answer.assert_error(431, "HEADERS_TOO_LARGE");

    let large = "a".repeat(1 << 20);
    let answer = site.say(format!("GET / HTTP/1.1\r\nx: {large}\r\n\r\n")).await;
    answer.assert_error(431, "HEADERS_TOO_LARGE");

    for (head, status, code) in [
        ("GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer ", 401, "INVALID_TOKEN"),
        (
            "GET /api/v1/me HTTP/1.1\r\nx-api-key: k\r\nauthorization: bearer ",
            431,
            "HEADERS_TOO_LARGE",
        ),
        ("GET /ping HTTP/1.1\r\nauthorization: bearer ", 431, "HEADERS_TOO_LARGE"),
    ] {
        let answer = site.say(format!("{head}{large}\r\n\r\n")).await;
        answer.assert_error(status, code);
        let challenge = (status == 401).then_some("Bearer");
        assert_eq!(answer.header("www-authenticate"), challenge, "{head}");
    }

    let long = "a".repeat(70_000);
    let answer = site.say(format!("GET /{long} HTTP/1.1\r\n\r\n")).await;
    answer.assert_error(414, "URI_TOO_LONG");
}

#[tokio::test]
async fn a_refused_client_may_end_its_sentence() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("garbage\r\n\r\n").await;
    wire.last_answer().await.assert_error(400, "BAD_REQUEST");
    for _ in 0..3 {
        wire.send("and more").await;
        site.serves_again().await;
    }
}

#[tokio::test]
async fn garbage_after_good_requests_is_told_after_their_answers() {
    let site = Site::open(wide()).await;
    let refused = "POST /refuse HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello";
    let mut wire = site.connect().await;
    wire.send(format!("{GET}{refused}{GET}{refused}\x01\x02\x03\r\n\r\n")).await;
    for status in [200, 413, 200, 413] {
        assert_eq!(wire.answer().await.status, status);
    }
    wire.last_answer().await.assert_error(400, "BAD_REQUEST");
}

#[tokio::test]
async fn a_request_in_old_style_is_refused_in_the_same_form() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n").await;
    assert_eq!(wire.answer().await.body, "hello");
    wire.send("nonsense\r\n\r\n").await;
    wire.last_answer().await.assert_error(400, "BAD_REQUEST");
}

#[tokio::test]
async fn a_panic_is_an_internal_error_and_the_connection_goes_on() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("GET /panic HTTP/1.1\r\n\r\n").await;
    let answer = wire.answer().await;
    let details = answer.assert_error(500, "INTERNAL_ERROR");
    assert_eq!(details["request_id"].as_str(), answer.header("x-request-id"));
    assert!(!answer.body.contains("inner text"));

    wire.send("GET /panic HTTP/1.1\r\nx-request-id: mine-1\r\n\r\n").await;
    let details = wire.answer().await.assert_error(500, "INTERNAL_ERROR");
    assert_eq!(details["request_id"], "mine-1");

    wire.send(GET).await;
    assert_eq!(wire.answer().await.body, "hello");
}

#[tokio::test]
async fn an_answer_that_cannot_be_sent_is_an_internal_error() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("GET /early-hints HTTP/1.1\r\n\r\n").await;
    wire.answer().await.assert_error(500, "INTERNAL_ERROR");
}

#[tokio::test]
async fn odd_targets_reach_the_router() {
    let site = Site::open(wide()).await;
    for line in ["CONNECT weir:443 HTTP/1.1", "OPTIONS * HTTP/1.1", "GET //weir:x HTTP/1.1"] {
        let mut wire = site.connect().await;
        wire.send(format!("{line}\r\nhost: weir\r\n\r\n")).await;
        let status = wire.answer().await.status;
        assert!(status == 404 || status == 405, "{line}: {status}");
    }
}

#[tokio::test]
async fn handlers_see_the_peers_address() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("GET /peer HTTP/1.1\r\n\r\n").await;
    let own = wire.stream.local_addr().unwrap().to_string();
    assert_eq!(wire.answer().await.body, own);
}
