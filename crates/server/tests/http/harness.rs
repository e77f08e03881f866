//! A server on a port of its own, and clients that send bytes.

use std::future::{Future, pending};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;
use weir_server::http::{Crew, Limits, Served, bind, serve};

/// Long enough to be a timeout that a test waits for.
pub const SHORT: Duration = Duration::from_millis(50);

/// So long that a test which waits for it has failed.
pub const LONG: Duration = Duration::from_secs(60);

const PATIENCE: Duration = Duration::from_secs(20);

pub const GET: &str = "GET / HTTP/1.1\r\nhost: weir\r\n\r\n";

/// Fails, rather than hangs, when nothing happens.
pub async fn soon<T>(event: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, event).await.expect("nothing happened for too long")
}

/// Limits of which no test should feel any.
pub fn wide() -> Limits {
    Limits {
        header_timeout: LONG,
        idle_timeout: LONG,
        request_timeout: LONG,
        drain_timeout: LONG,
        shutdown_grace: LONG,
        ..Limits::default()
    }
}

/// What the handlers of a test tell it, and wait for.
#[derive(Default)]
pub struct Signals {
    pub begun: Notify,
    pub release: Notify,
}

pub struct Site {
    pub address: SocketAddr,
    pub signals: Arc<Signals>,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<Served>,
}

impl Site {
    pub async fn open(limits: Limits) -> Self {
        let listener = bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let signals = Arc::new(Signals::default());
        let (stop, stopped) = oneshot::channel();
        let shutdown = async {
            let _ = stopped.await;
        };
        let (router, crew) = (router(Arc::clone(&signals)), Crew::start().unwrap());
        let serving = async move { serve(listener, router, limits, &crew, shutdown).await };
        let task = tokio::spawn(serving);
        Self { address, signals, stop: Some(stop), task }
    }

    pub async fn connect(&self) -> Wire {
        Wire { stream: TcpStream::connect(self.address).await.unwrap(), received: Vec::new() }
    }

    /// What the server says to these bytes, until it closes.
    pub async fn say(&self, bytes: impl AsRef<[u8]>) -> Answer {
        let mut wire = self.connect().await;
        wire.send(bytes).await;
        wire.last_answer().await
    }

    /// Returns once a connection is served: slots given up a moment ago may still be taken.
    pub async fn serves_again(&self) {
        soon(async {
            loop {
                let mut wire = self.connect().await;
                wire.send("GET / HTTP/1.1\r\nconnection: close\r\n\r\n").await;
                match wire.last_answer().await.status {
                    200 => return,
                    503 => tokio::task::yield_now().await,
                    other => panic!("unexpected answer {other}"),
                }
            }
        })
        .await;
    }

    pub fn begin_shutdown(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    pub async fn end(self) -> Served {
        soon(self.task).await.unwrap()
    }
}

fn router(signals: Arc<Signals>) -> Router {
    Router::new()
        .route("/", get(|| async { "hello" }))
        .route(
            "/peer",
            get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { peer.to_string() }),
        )
        .route("/read", post(|body: Bytes| async move { body.len().to_string() }))
        .route("/echo", post(|body: Body| async move { body }))
        .route("/taste", post(taste))
        .route("/refuse", post(|| async { (StatusCode::PAYLOAD_TOO_LARGE, "too much") }))
        .route("/panic", get(|| async { panicking() }))
        .route("/early-hints", get(|| async { StatusCode::EARLY_HINTS }))
        .route("/never", get(|| async { pending::<()>().await }))
        .route("/huge", get(|| async { vec![0_u8; 64 << 20] }))
        .route("/wait", get(wait))
        .with_state(signals)
}

async fn taste(mut body: Body) -> &'static str {
    body.frame().await.unwrap().unwrap();
    "enough"
}

fn panicking() -> &'static str {
    panic!("the inner text")
}

async fn wait(State(signals): State<Arc<Signals>>) -> &'static str {
    signals.begun.notify_one();
    signals.release.notified().await;
    "waited"
}

/// A client's end of a connection.
pub struct Wire {
    pub stream: TcpStream,
    received: Vec<u8>,
}

impl Wire {
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        soon(self.stream.write_all(bytes.as_ref())).await.unwrap();
    }

    /// The next answer. Those of these tests have a `content-length`, or no body.
    pub async fn answer(&mut self) -> Answer {
        soon(async {
            loop {
                if let Some((answer, size)) = Answer::parse(&self.received) {
                    self.received.drain(..size);
                    return answer;
                }
                let size = self.stream.read_buf(&mut self.received).await.unwrap();
                assert_ne!(size, 0, "closed after {:?}", String::from_utf8_lossy(&self.received));
            }
        })
        .await
    }

    /// The next answer, after which the server closes in order.
    pub async fn last_answer(&mut self) -> Answer {
        let answer = self.answer().await;
        self.closed().await;
        answer
    }

    /// Waits for the server to close, without another word.
    pub async fn closed(&mut self) {
        soon(self.stream.read_to_end(&mut self.received)).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&self.received), "");
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub body: String,
    head: String,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Option<(Self, usize)> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Self { status, body: String::new(), head };
        let size = answer.header("content-length").map_or(0, |size| size.parse().unwrap());
        answer.body = String::from_utf8(bytes.get(end..end + size)?.to_vec()).unwrap();
        Some((answer, end + size))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    pub fn closes(&self) -> bool {
        self.header("connection") == Some("close")
    }

    /// Asserts that this is an error in the service's form, and returns its `details`.
    pub fn assert_error(&self, status: u16, code: &str) -> serde_json::Value {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert!(!self.header("x-request-id").unwrap().is_empty());
        let mut body: serde_json::Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(body["status"], "error");
        assert_eq!(body["error_code"], code);
        assert!(!body["message"].as_str().unwrap().is_empty());
        assert!(body["details"].is_object());
        body["details"].take()
    }
}
