//! An HTTP client that does no more than the tests need, and nothing behind their backs: it never
//! sends a request twice.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::patience::PATIENCE;

pub const INGEST: &str = "/api/v1/ingest/water-consumption";
pub const REGISTER: &str = "/api/v1/devices/register";

/// A connection that is kept while the server keeps it.
#[derive(Debug)]
pub struct Client {
    address: SocketAddr,
    headers: Vec<(&'static str, String)>,
    stream: Option<BufReader<TcpStream>>,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub body: Value,
}

impl Client {
    pub fn new(address: SocketAddr, api_key: Option<&str>) -> Self {
        let headers = api_key.into_iter().map(|key| ("x-api-key", key.to_owned())).collect();
        Self { address, headers, stream: None }
    }

    /// The same with one more header, on a connection of its own.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Gets, from a service that is there.
    pub async fn get(&mut self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "").await.unwrap()
    }

    /// Posts, to a service that is there.
    pub async fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.try_post(path, body).await.unwrap()
    }

    /// Posts; an error means that nobody knows what became of it.
    pub async fn try_post(&mut self, path: &str, body: &Value) -> io::Result<Answer> {
        self.ask(&format!("POST {path}"), &body.to_string()).await
    }

    /// Registers a meter and returns it.
    pub async fn register(&mut self, eui: &str) -> Value {
        let meter =
            serde_json::json!({ "dev_eui": eui, "name": eui, "device_type": "water_meter" });
        self.post(REGISTER, &meter).await.data()
    }

    /// Opens the connection, where there is none.
    pub async fn connect(&mut self) -> io::Result<()> {
        if self.stream.is_none() {
            let stream = TcpStream::connect(self.address).await?;
            stream.set_nodelay(true)?;
            self.stream = Some(BufReader::new(stream));
        }
        Ok(())
    }

    /// Closes the connection; the next request opens another.
    pub fn hang_up(&mut self) {
        self.stream = None;
    }

    /// Asks with a method and a path; an error means that nobody knows what became of it.
    pub async fn ask(&mut self, line: &str, body: &str) -> io::Result<Answer> {
        self.connect().await?;
        let Some(mut stream) = self.stream.take() else {
            return Err(ErrorKind::NotConnected.into());
        };
        let headers = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let headers: String = headers.collect();
        let length = body.len();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: weir\r\n{headers}content-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        let exchange = async {
            stream.write_all(request.as_bytes()).await?;
            Answer::read(&mut stream).await
        };
        let late = |_| io::Error::from(ErrorKind::TimedOut);
        let answer = tokio::time::timeout(PATIENCE, exchange).await.map_err(late)??;
        if answer.header("connection") != Some("close") {
            self.stream = Some(stream);
        }
        Ok(answer)
    }
}

impl Answer {
    /// Reads the next answer from a connection.
    pub async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<Self> {
        let first = line(stream).await?;
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| io::Error::other(format!("no status in {first:?}")))?;
        let mut headers = Vec::new();
        loop {
            let line = line(stream).await?;
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.push((name.to_owned(), value.to_owned()));
        }
        let mut answer = Self { status, headers, body: Value::Null };
        let body = match answer.header("content-length").map(str::parse) {
            Some(Ok(length)) => exactly(stream, length).await?,
            _ if answer.header("transfer-encoding") == Some("chunked") => chunks(stream).await?,
            _ => Vec::new(),
        };
        if !body.is_empty() {
            answer.body = serde_json::from_slice(&body)?;
        }
        Ok(answer)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// A header that is a number.
    pub fn number(&self, name: &str) -> i64 {
        self.header(name).unwrap_or_else(|| panic!("no {name}: {self:?}")).parse().unwrap()
    }

    /// The result, which has to be one.
    pub fn data(mut self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.body["data"].take()
    }

    /// The result, which has to be a list.
    pub fn list(self) -> Vec<Value> {
        match self.data() {
            Value::Array(list) => list,
            other => panic!("no list: {other}"),
        }
    }

    /// Whether it refuses as the service does when it cannot go on now: so that anybody understands it,
    /// and says when to come again.
    pub fn is_unavailable(&self) -> bool {
        let body = &self.body;
        (self.status, &body["status"], &body["error_code"])
            == (503, &json!("error"), &json!("SERVICE_UNAVAILABLE"))
            && body["message"].is_string()
            && body["details"].is_object()
            && self.header("content-type") == Some("application/json")
            && self.header("retry-after").is_some_and(|after| after.parse::<u32>().is_ok())
    }

    /// Asserts that this is an error in the service's form.
    pub fn assert_error(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.body["error_code"].as_str()),
            (status, Some(code)),
            "{self:?}"
        );
        assert_eq!(self.header("content-type"), Some("application/json"), "{self:?}");
    }
}

async fn line(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

async fn exactly(stream: &mut BufReader<TcpStream>, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

async fn chunks(stream: &mut BufReader<TcpStream>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = usize::from_str_radix(&line(stream).await?, 16).map_err(io::Error::other)?;
        body.extend(exactly(stream, size).await?);
        line(stream).await?;
        if size == 0 {
            return Ok(body);
        }
    }
}
