//! A stand-in for the service, in this process, whose faults can be chosen.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::endpoint::Endpoint;
use crate::fleet::Meter;
use crate::uplink::Tenant;

/// What the stand-in does wrong.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Acknowledges the first so many uplinks and forgets them.
    pub forgets: u64,
    /// Answers the next so many uplinks 503 and closes their connections.
    pub sheds: u64,
    /// Takes so long for every answer.
    pub delay: Duration,
}

struct State {
    faults: Faults,
    meters: BTreeMap<String, u64>,
    pages_put_off: u64,
    depth: u64,
}

/// Starts it with so many meters; it ends with the runtime of the test.
pub async fn serve(meters: u32, faults: Faults) -> Endpoint {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let meters = (0..meters).map(|number| (Meter(number).eui().as_str().to_owned(), 0)).collect();
    let state = State { faults, meters, pages_put_off: 1, depth: 0 };
    let state = Arc::new(Mutex::new(state));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(converse(stream, Arc::clone(&state)));
        }
    });
    Endpoint { address, api_key: "weir_right".into() }
}

async fn converse(stream: TcpStream, state: Arc<Mutex<State>>) {
    stream.set_nodelay(true).unwrap();
    let mut stream = BufReader::new(stream);
    while let Some((head, body)) = receive(&mut stream).await {
        let delay = state.lock().unwrap().faults.delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let (status, body) = state.lock().unwrap().answer(&head, &body);
        let goodbye = if status == 503 { "connection: close\r\n" } else { "" };
        let head =
            format!("HTTP/1.1 {status} X\r\n{goodbye}content-length: {}\r\n\r\n", body.len());
        // Two pieces, because an answer may arrive in several.
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body.as_bytes()).await.unwrap();
        if status == 503 {
            return;
        }
    }
}

async fn receive(stream: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    Some((head, serde_json::from_slice(&body).unwrap_or_default()))
}

impl State {
    fn answer(&mut self, head: &str, body: &Value) -> (u16, String) {
        assert!(head.contains("\r\nX-API-Key: weir_right\r\n"), "{head}");
        match head.split(['?', ' ']).nth(1).unwrap() {
            "/health" => {
                self.depth += 1;
                (200, json!({ "data": { "spool": { "depth": self.depth } } }).to_string())
            }
            "/api/v1/ingest/water-consumption" => (self.ingest(body), "{}".into()),
            "/api/v1/devices" => self.list(head),
            path => (404, path.into()),
        }
    }

    fn ingest(&mut self, body: &Value) -> u16 {
        if body["deviceInfo"]["tenantName"] != Tenant::Right.name() {
            return 403;
        }
        let eui = body["deviceInfo"]["devEui"].as_str().unwrap();
        let Some(count) = self.meters.get_mut(eui) else { return 404 };
        if self.faults.forgets > 0 {
            self.faults.forgets -= 1;
        } else if self.faults.sheds > 0 {
            self.faults.sheds -= 1;
            return 503;
        } else {
            *count += 1;
        }
        200
    }

    fn list(&mut self, head: &str) -> (u16, String) {
        if self.pages_put_off > 0 {
            self.pages_put_off -= 1;
            return (503, "{}".into());
        }
        let query = |name: &str| {
            let rest = head.split_once(&format!("{name}="))?.1;
            rest.split(['&', ' ']).next()?.parse::<usize>().ok()
        };
        let counts = self.meters.values().skip(query("offset").unwrap_or(0));
        let counts = counts.take(query("limit").unwrap());
        let meters: Vec<Value> = counts.map(|count| json!({ "message_count": count })).collect();
        (200, json!({ "data": meters, "status": "success" }).to_string())
    }
}
