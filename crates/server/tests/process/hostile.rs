//! Clients that do not behave: the others must not notice.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::client::{Answer, INGEST, REGISTER};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::patience::soon;
use crate::server::Server;

/// A service that has little patience.
async fn hasty() -> (Home, Server, String) {
    let home = Home::on(Store::Sqlite)
        .with("WEIR_HEADER_TIMEOUT_SECONDS", "1")
        .with("WEIR_REQUEST_TIMEOUT_SECONDS", "1")
        .with("WEIR_IDLE_TIMEOUT_SECONDS", "1");
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    (home, server, key)
}

async fn connect(server: &Server, words: &[u8]) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(words).await.unwrap();
    BufReader::new(stream)
}

#[tokio::test]
async fn a_crowd_of_bad_clients_does_not_keep_the_good_ones_waiting() {
    let (_home, server, key) = hasty().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    let begun =
        format!("POST {INGEST} HTTP/1.1\r\nx-api-key: {key}\r\ncontent-length: 500\r\n\r\n{{");
    let words: [&[u8]; 6] = [
        b"",
        b"GET /health HTTP/1.1\r\nhost: we",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n\0\0\0\0 nonsense \xff\xfe\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        begun.as_bytes(),
    ];
    let mut crowd = Vec::new();
    for words in words.iter().cycle().take(300) {
        crowd.push(connect(&server, words).await);
    }
    for number in 0..50 {
        assert_eq!(client.post(INGEST, &fleet.of_meter(0, number)).await.status, 200);
    }
    assert_eq!(server.anybody().get("/health").await.status, 200);
    // Every one of them is told something or nothing, and then sent away.
    for mut stream in crowd {
        let mut said = Vec::new();
        let _ = soon(stream.read_to_end(&mut said)).await;
        let said = String::from_utf8_lossy(&said);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
    }
    assert_eq!(fleet.history(&mut server.client(&key), 0).await.len(), 50);
}

#[tokio::test]
async fn slow_senders_are_told_that_they_took_too_long() {
    let (_home, server, key) = hasty().await;
    let mut head = connect(&server, b"GET /health HTTP/1.1\r\nhost: we").await;
    let words =
        format!("POST {INGEST} HTTP/1.1\r\nx-api-key: {key}\r\ncontent-length: 9\r\n\r\n{{");
    let mut body = connect(&server, words.as_bytes()).await;
    for stream in [&mut head, &mut body] {
        let answer = soon(Answer::read(stream)).await.unwrap();
        answer.assert_error(408, "REQUEST_TIMEOUT");
        assert_eq!(answer.header("connection"), Some("close"));
    }
    assert_eq!(server.client(&key).get("/api/v1/devices").await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_told_so() {
    let home = Home::on(Store::Sqlite);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let filled = |size: usize| json!({ "filler": "x".repeat(size) });
    for (path, size) in [(INGEST, 257 << 10), (INGEST, 5 << 20), (REGISTER, 3 << 20)] {
        let answer = client.post(path, &filled(size)).await;
        answer.assert_error(413, "PAYLOAD_TOO_LARGE");
    }
    client.post(INGEST, &filled(255 << 10)).await.assert_error(400, "INVALID_PAYLOAD_FORMAT");
    client.post(REGISTER, &filled(1 << 20)).await.assert_error(422, "SCHEMA_VALIDATION_ERROR");
    // Without credentials nothing of the body is looked at, and the answer arrives all the same.
    server.anybody().post(INGEST, &filled(5 << 20)).await.assert_error(401, "INVALID_API_KEY");
}

#[tokio::test]
async fn more_connections_than_allowed_are_refused_and_then_served_again() {
    let home = Home::on(Store::Sqlite).with("WEIR_MAX_CONNECTIONS", "4");
    let server = home.serve().await;
    let mut kept: Vec<_> = (0..4).map(|_| server.anybody()).collect();
    for client in &mut kept {
        assert_eq!(client.get("/health").await.status, 200);
    }
    let refused = server.anybody().get("/health").await;
    refused.assert_error(503, "SERVICE_UNAVAILABLE");
    assert!(refused.number("retry-after") > 0);
    assert_eq!(kept[0].get("/health").await.status, 200);
    drop(kept);
    let ask = async || server.anybody().get("/health").await.status;
    crate::patience::until(ask, |status| *status == 200).await;
}
