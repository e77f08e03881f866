//! Bodies that are read, and bodies that are not.

use tokio::io::AsyncWriteExt;
use weir_server::http::Limits;

use super::harness::{GET, SHORT, Site, soon, wide};

fn post(path: &str, size: usize) -> Vec<u8> {
    let mut request =
        format!("POST {path} HTTP/1.1\r\ncontent-length: {size}\r\n\r\n").into_bytes();
    request.resize(request.len() + size, b'x');
    request
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_their_order() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send([post("/read", 3), post("/refuse", 5), GET.into(), post("/read", 7)].concat()).await;
    for body in ["3", "too much", "hello", "7"] {
        assert_eq!(wire.answer().await.body, body);
    }
}

#[tokio::test]
async fn a_large_body_that_is_refused_unread_is_drained_and_the_connection_goes_on() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    // The client sends everything before it reads anything.
    wire.send(post("/refuse", 3 << 20)).await;
    let answer = wire.answer().await;
    assert_eq!((answer.status, answer.body.as_str()), (413, "too much"));
    wire.send(GET).await;
    assert_eq!(wire.answer().await.body, "hello");
}

#[tokio::test]
async fn a_chunked_body_is_drained_too() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    wire.send("POST /refuse HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n").await;
    wire.send(chunk.repeat(8)).await;
    assert_eq!(wire.answer().await.status, 413);
    wire.send(chunk.repeat(8)).await;
    wire.send(format!("0\r\n\r\n{GET}")).await;
    assert_eq!(wire.answer().await.body, "hello");
}

#[tokio::test]
async fn a_client_that_wants_to_close_is_drained_first() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("POST /refuse HTTP/1.1\r\nconnection: close\r\ncontent-length: 1000000\r\n\r\n")
        .await;
    assert_eq!(wire.answer().await.status, 413);
    wire.send(vec![b'x'; 1_000_000]).await;
    wire.closed().await;
}

#[tokio::test]
async fn past_the_bound_in_bytes_the_connection_is_closed() {
    let site = Site::open(Limits { drain_bytes: 64 << 10, ..wide() }).await;
    let mut wire = site.connect().await;
    wire.send("POST /refuse HTTP/1.1\r\ncontent-length: 1000000000\r\n\r\n").await;
    let answer = wire.answer().await;
    assert_eq!(answer.status, 413);
    assert!(answer.closes());
    let mut sent = 0;
    soon(async {
        while wire.stream.write_all(&[b'x'; 4096]).await.is_ok() {
            sent += 4096;
        }
    })
    .await;
    assert!((64 << 10..1_000_000_000).contains(&sent));
}

#[tokio::test]
async fn past_the_bound_in_time_the_connection_is_closed() {
    let site = Site::open(Limits { drain_timeout: SHORT, ..wide() }).await;
    let mut wire = site.connect().await;
    wire.send("POST /refuse HTTP/1.1\r\ncontent-length: 100\r\n\r\nonly this").await;
    assert_eq!(wire.last_answer().await.status, 413);
}

#[tokio::test]
async fn a_client_that_asks_first_is_told_to_go_on_only_when_its_body_is_read() {
    let site = Site::open(Limits { drain_timeout: SHORT, ..wide() }).await;
    let ask =
        |path| format!("POST {path} HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 5\r\n\r\n");
    let mut wire = site.connect().await;
    wire.send(ask("/read")).await;
    assert_eq!(wire.answer().await.status, 100);
    wire.send("hello").await;
    assert_eq!(wire.answer().await.body, "5");

    wire.send(ask("/refuse")).await;
    let answer = wire.last_answer().await;
    assert_eq!(answer.status, 413);
    assert!(answer.closes());
}

#[tokio::test]
async fn a_client_that_was_told_to_go_on_may_send_what_is_no_longer_wanted() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("POST /taste HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 10\r\n\r\n").await;
    assert_eq!(wire.answer().await.status, 100);
    wire.send("hello").await;
    assert_eq!(wire.answer().await.body, "enough");
    wire.send(format!("world{GET}")).await;
    assert_eq!(wire.answer().await.body, "hello");
}

#[tokio::test]
async fn a_client_that_does_not_wait_to_be_asked_is_heard_out() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("POST /refuse HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 9000\r\n\r\n")
        .await;
    assert_eq!(wire.last_answer().await.status, 413);
    for _ in 0..3 {
        wire.send(vec![b'x'; 3000]).await;
        site.serves_again().await;
    }
}

#[tokio::test]
async fn an_answer_may_read_the_request_while_it_is_written() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("POST /echo HTTP/1.1\r\ncontent-length: 10\r\n\r\nhello").await;
    wire.send("again").await;
    assert_eq!(wire.answer().await.body, "helloagain");
    wire.send(GET).await;
    assert_eq!(wire.answer().await.body, "hello");
}

#[tokio::test]
async fn a_client_that_closes_its_sending_side_still_reads_its_answer() {
    let site = Site::open(wide()).await;
    let mut wire = site.connect().await;
    wire.send("GET /wait HTTP/1.1\r\n\r\n").await;
    wire.stream.shutdown().await.unwrap();
    soon(site.signals.begun.notified()).await;
    site.signals.release.notify_one();
    assert_eq!(wire.last_answer().await.body, "waited");
}
