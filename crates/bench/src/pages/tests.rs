//! A walk over a stand-in for the service, whose faults can be chosen.

use std::net::Ipv4Addr;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use super::*;

const PAGE: &str = "<link href=\"/assets/1/a.css\"><form action=\"/sign-out\"></form></html>\n";

/// Starts it; it ends with the runtime of the test.
async fn serve(page: &'static str) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, page));
        }
    });
    address
}

async fn converse(stream: TcpStream, page: &'static str) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).await.unwrap() == 0 {
                return;
            }
        }
        let is_signed_in = head.contains("\r\nCookie: weir_session=s\r\n");
        let (status, body) = match head.split(' ').nth(1).unwrap() {
            "/auth/in?token=t" => ("303 X\r\nset-cookie: weir_session=s; Path=/", ""),
            "/assets/1/a.css" => ("200 X", "body{}"),
            _ if is_signed_in => ("200 X", page),
            _ => ("303 X", ""),
        };
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn pages_are_seen_with_their_files_by_whoever_followed_the_link() {
    let pages = walk(serve(PAGE).await, "/auth/in?token=t", &["/", "/devices"]).await.unwrap();
    let bytes: Vec<f64> = pages.pages.iter().map(|page| page.bytes.figure).collect();
    assert_eq!(bytes, [(PAGE.len() + 6) as f64; 2]);
    let [first, other] = &*pages.pages else { panic!("{pages:?}") };
    assert_eq!((first.path.as_str(), other.path.as_str()), ("/", "/devices"));
    assert!(pages.from_link_ms.figure >= first.first_ms.figure && first.median_ms > 0.0);
}

#[tokio::test]
async fn what_is_no_page_of_a_member_is_not_timed() {
    let address = serve("<p>Something went wrong</p></html>").await;
    let failure = walk(address, "/auth/in?token=t", &["/"]).await.unwrap_err().to_string();
    assert!(failure.contains("Something went wrong"), "{failure}");
    let failure = walk(address, "/auth/in?token=x", &["/"]).await.unwrap_err().to_string();
    assert!(failure.contains("GET /auth/in?token=x was answered 303"), "{failure}");
}
