//! Clients and handlers that take too long.

use weir_server::http::Limits;

use super::harness::{GET, SHORT, Site, wide};

#[tokio::test]
async fn a_head_that_does_not_end_is_told_so() {
    let site = Site::open(Limits { header_timeout: SHORT, ..wide() }).await;
    let answer = site.say("GET / HTTP/1.1\r\nhost: we").await;
    answer.assert_error(408, "REQUEST_TIMEOUT");
    assert!(answer.closes());
}

#[tokio::test]
async fn the_head_of_a_later_request_has_the_same_time() {
    let site = Site::open(Limits { header_timeout: SHORT, ..wide() }).await;
    let mut wire = site.connect().await;
    wire.send(GET).await;
    assert_eq!(wire.answer().await.status, 200);
    wire.send("POST /refuse HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello").await;
    assert_eq!(wire.answer().await.status, 413);
    wire.send("GET / HT").await;
    wire.last_answer().await.assert_error(408, "REQUEST_TIMEOUT");
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed_without_a_word() {
    let site = Site::open(Limits { header_timeout: SHORT, ..wide() }).await;
    site.connect().await.closed().await;
}

#[tokio::test]
async fn a_connection_without_a_next_request_is_closed_without_a_word() {
    let site = Site::open(Limits { idle_timeout: SHORT, ..wide() }).await;
    let mut wire = site.connect().await;
    wire.send(GET).await;
    assert_eq!(wire.last_answer().await.status, 200);
}

#[tokio::test]
async fn a_body_that_does_not_end_is_told_so() {
    let limits = Limits { request_timeout: SHORT, drain_timeout: SHORT, ..wide() };
    let site = Site::open(limits).await;
    let answer = site.say("POST /read HTTP/1.1\r\ncontent-length: 9\r\n\r\nhalf").await;
    answer.assert_error(408, "REQUEST_TIMEOUT");
    assert!(answer.closes());
}

#[tokio::test]
async fn a_handler_that_does_not_answer_is_not_waited_for() {
    let site = Site::open(Limits { request_timeout: SHORT, ..wide() }).await;
    let answer = site.say("GET /never HTTP/1.1\r\nx-request-id: mine-2\r\n\r\n").await;
    answer.assert_error(408, "REQUEST_TIMEOUT");
    assert_eq!(answer.header("x-request-id"), Some("mine-2"));
    assert!(answer.closes());
}
