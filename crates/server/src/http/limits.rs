//! What a client may take of the server: time, bytes and connections.

use std::time::Duration;

/// The bounds that [`serve`](super::serve) holds every connection to.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For a request's head, counted from its first byte; on a new connection from its opening.
    pub header_timeout: Duration,
    /// Between two requests of a connection, and for a client that stops reading its answer.
    pub idle_timeout: Duration,
    /// From the end of a request's head to the head of its answer, reading the body included.
    pub request_timeout: Duration,
    /// The size of a request's head. Above 64 KiB, so that a too long URI is told as that.
    pub header_bytes: usize,
    /// Connections that are open at a time.
    pub max_connections: usize,
    /// What is still read, and thrown away, of a body that the handler left unread.
    pub drain_bytes: usize,
    /// For how long it is read.
    pub drain_timeout: Duration,
    /// For requests that have begun when the shutdown begins.
    pub shutdown_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(75),
            request_timeout: Duration::from_secs(30),
            header_bytes: 96 * 1024,
            max_connections: 10_000,
            drain_bytes: 8 * 1024 * 1024,
            drain_timeout: Duration::from_secs(5),
            shutdown_grace: Duration::from_secs(8),
        }
    }
}
