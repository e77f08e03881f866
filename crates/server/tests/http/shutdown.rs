//! The end: what has begun is answered, the rest is closed.

use tokio::net::TcpStream;
use weir_server::http::{Limits, bind};

use super::harness::{GET, SHORT, Site, soon, wide};

#[tokio::test]
async fn what_has_begun_is_answered_and_the_rest_is_closed() {
    let mut site = Site::open(wide()).await;
    let mut silent = site.connect().await;
    let mut idle = site.connect().await;
    idle.send(GET).await;
    assert_eq!(idle.answer().await.status, 200);
    let mut busy = site.connect().await;
    busy.send("GET /wait HTTP/1.1\r\n\r\n").await;
    soon(site.signals.begun.notified()).await;

    site.begin_shutdown();
    idle.closed().await;
    silent.closed().await;
    assert!(TcpStream::connect(site.address).await.is_err());

    site.signals.release.notify_one();
    let answer = busy.last_answer().await;
    assert_eq!(answer.body, "waited");
    assert!(answer.closes());
    let served = site.end().await;
    assert_eq!((served.accepted, served.cut), (3, 0));
}

#[tokio::test]
async fn a_head_that_was_coming_in_may_end() {
    let mut site = Site::open(wide()).await;
    let mut fresh = site.connect().await;
    let mut kept = site.connect().await;
    kept.send(GET).await;
    assert_eq!(kept.answer().await.status, 200);
    // Answers to other connections show that the server has seen the halves.
    for wire in [&mut fresh, &mut kept] {
        wire.send("GET / HTTP/1.1\r\n").await;
        assert_eq!(site.say("GET / HTTP/1.1\r\nconnection: close\r\n\r\n").await.status, 200);
    }
    let mut idle = site.connect().await;
    site.begin_shutdown();
    idle.closed().await;
    for wire in [&mut fresh, &mut kept] {
        wire.send("\r\n").await;
        let answer = wire.last_answer().await;
        assert_eq!(answer.status, 200);
        assert!(answer.closes());
    }
    assert_eq!(site.end().await.cut, 0);
}

#[tokio::test]
async fn requests_that_wait_in_the_backlog_are_answered() {
    let mut site = Site::open(wide()).await;
    // Nothing is accepted between these lines: on this runtime the server runs when we wait.
    let std = std::net::TcpStream::connect(site.address).unwrap();
    std::io::Write::write_all(&mut &std, GET.as_bytes()).unwrap();
    site.begin_shutdown();
    let mut answer = String::new();
    let read = move || std::io::Read::read_to_string(&mut &std, &mut answer).map(|_| answer);
    let answer = soon(tokio::task::spawn_blocking(read)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer:?}");
    assert!(answer.contains("connection: close\r\n"), "{answer:?}");
    assert_eq!(site.end().await.accepted, 1);
}

#[tokio::test]
async fn what_does_not_end_within_the_grace_is_cut() {
    let mut site = Site::open(Limits { shutdown_grace: SHORT, ..wide() }).await;
    let mut busy = site.connect().await;
    busy.send("GET /wait HTTP/1.1\r\n\r\n").await;
    soon(site.signals.begun.notified()).await;
    site.begin_shutdown();
    assert_eq!(site.end().await.cut, 1);
    busy.closed().await;
}

#[tokio::test]
async fn a_second_process_may_take_over_the_port() {
    let first = bind("127.0.0.1:0").await.unwrap();
    let address = first.local_addr().unwrap();
    let second = bind(address).await.unwrap();
    drop(first);
    let client = TcpStream::connect(address);
    let (client, accepted) = soon(async { tokio::join!(client, second.accept()) }).await;
    assert_eq!(accepted.unwrap().1, client.unwrap().local_addr().unwrap());
}
