//! A running service, and how it is spoken to.

use std::net::SocketAddr;

use crate::connection::Connection;
use crate::failure::Failure;

/// Where a service listens, and a reseller's key to it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Where it listens.
    pub address: SocketAddr,
    /// The reseller's API key.
    pub api_key: String,
}

impl Endpoint {
    /// The head of a request whose body has `length` bytes of JSON.
    pub fn head(&self, method: &str, path: &str, length: usize) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nUser-Agent: weir-bench\r\nX-API-Key: {}\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n",
            self.address, self.api_key
        )
    }

    /// Asks for a page on a connection of its own; its status and body.
    pub async fn get(&self, path: &str) -> Result<(u16, Vec<u8>), Failure> {
        let mut connection = Connection::open(self.address).await?;
        let answer = connection.exchange(self.head("GET", path, 0).as_bytes()).await?;
        Ok((answer.status, answer.body.to_vec()))
    }
}

/// What is said of an answer that should have been another.
pub fn refused(method: &str, path: &str, status: u16, body: &[u8]) -> Failure {
    let body = String::from_utf8_lossy(body).into_owned();
    Failure::Refused { request: format!("{method} {path}"), status, body }
}
