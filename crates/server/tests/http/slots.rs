//! Connections are counted, and none is counted for longer than it lasts.

use weir_server::http::Limits;

use super::harness::{GET, SHORT, Site, wide};

const CLOSE: &str = "GET / HTTP/1.1\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn one_connection_too_many_is_refused_and_told_so() {
    let mut site = Site::open(Limits { max_connections: 2, ..wide() }).await;
    let mut held = [site.connect().await, site.connect().await];
    for wire in &mut held {
        wire.send(GET).await;
        assert_eq!(wire.answer().await.status, 200);
    }
    let answer = site.say(GET).await;
    answer.assert_error(503, "SERVICE_UNAVAILABLE");
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert!(answer.closes());

    for wire in &mut held {
        wire.send(GET).await;
        assert_eq!(wire.answer().await.status, 200);
    }
    drop(held);
    site.serves_again().await;
    site.begin_shutdown();
    let served = site.end().await;
    assert_eq!(served.accepted, 3);
    assert!(served.refused >= 1);
}

#[tokio::test]
async fn a_crowd_is_refused_without_end() {
    let site = Site::open(Limits { max_connections: 0, ..wide() }).await;
    let mut crowd = Vec::new();
    for _ in 0..400 {
        let mut wire = site.connect().await;
        // Not a word from these clients, and none hangs up: the first ones are waited for.
        wire.answer().await.assert_error(503, "SERVICE_UNAVAILABLE");
        crowd.push(wire);
    }
}

#[tokio::test]
async fn a_thousand_connections_one_after_the_other_leave_no_trace() {
    let mut site = Site::open(Limits { max_connections: 4, ..wide() }).await;
    for _ in 0..1000 {
        assert_eq!(site.say(CLOSE).await.status, 200);
    }
    site.begin_shutdown();
    let served = site.end().await;
    assert_eq!((served.accepted, served.refused, served.cut), (1000, 0, 0));
}

#[tokio::test]
async fn clients_that_hang_up_midway_give_their_slot_back() {
    let limits = Limits { max_connections: 1, request_timeout: SHORT, ..wide() };
    let site = Site::open(limits).await;
    let beginnings = [
        "",
        "GET / HT",
        "POST /read HTTP/1.1\r\ncontent-length: 100\r\n\r\nhalf",
        "POST /read HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
        "POST /read HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n",
        "POST /refuse HTTP/1.1\r\ncontent-length: 100\r\n\r\nhalf",
        "GET /never HTTP/1.1\r\n\r\n",
        "GET /huge HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\nGET /",
        "\x16\x03\x01\x02",
        "garbage\r\n\r\n",
    ];
    for beginning in beginnings {
        let mut wire = site.connect().await;
        wire.send(beginning).await;
        drop(wire);
        site.serves_again().await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_loses_its_slot() {
    let limits = Limits { max_connections: 1, idle_timeout: SHORT, ..wide() };
    let site = Site::open(limits).await;
    let mut wire = site.connect().await;
    wire.send("GET /huge HTTP/1.1\r\n\r\n").await;
    site.serves_again().await;
}

#[tokio::test]
async fn clients_that_say_half_and_wait_lose_their_slot() {
    let limits = Limits {
        max_connections: 1,
        header_timeout: SHORT,
        request_timeout: SHORT,
        drain_timeout: SHORT,
        ..wide()
    };
    let site = Site::open(limits).await;
    for half in ["", "GET / HT", "POST /read HTTP/1.1\r\ncontent-length: 9\r\n\r\nhalf"] {
        let mut wire = site.connect().await;
        wire.send(half).await;
        site.serves_again().await;
    }
}
