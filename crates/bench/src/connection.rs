//! A keep-alive connection that asks one thing at a time.

use std::net::SocketAddr;
use std::ops::Range;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::answer::{Body, Head};
use crate::chunks::Chunks;
use crate::failure::Failure;

/// A connection to the service. Its buffer is reused, so an exchange allocates nothing, but for a
/// body in chunks.
#[derive(Debug)]
pub struct Connection {
    address: SocketAddr,
    stream: TcpStream,
    buffer: Vec<u8>,
    is_closed: bool,
}

/// An answer.
#[derive(Debug)]
pub struct Answer<'a> {
    /// Its status.
    pub status: u16,
    /// How many things match, where it is a page of them.
    pub total: Option<u64>,
    /// All lines before its body.
    pub head: &'a [u8],
    /// Its body.
    pub body: &'a [u8],
}

impl Connection {
    /// Connects.
    pub async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = connect(address).await?;
        Ok(Self { address, stream, buffer: vec![0; 4096], is_closed: false })
    }

    /// Sends a request and waits for its answer. After an answer with which the server said goodbye
    /// it connects anew.
    pub async fn exchange(&mut self, request: &[u8]) -> Result<Answer<'_>, Failure> {
        if self.is_closed {
            self.stream = connect(self.address).await?;
            self.is_closed = false;
        }
        let sent = self.stream.write_all(request).await;
        sent.map_err(|error| Failure::io("a request cannot be sent", error))?;
        let mut filled = 0;
        let head = loop {
            filled += self.receive(filled).await?;
            if let Some(head) = Head::parse(&self.buffer[..filled])? {
                break head;
            }
        };
        let body = match head.body {
            Body::Sized(size) => self.receive_sized(&mut filled, head.length, size).await?,
            Body::Chunked => self.receive_chunks(&mut filled, head.length).await?,
        };
        self.is_closed = head.closes;
        Ok(Answer {
            status: head.status,
            total: head.total,
            head: &self.buffer[..head.length],
            body: &self.buffer[body],
        })
    }

    async fn receive_sized(
        &mut self,
        filled: &mut usize,
        start: usize,
        size: usize,
    ) -> Result<Range<usize>, Failure> {
        let end = start + size;
        while *filled < end {
            *filled += self.receive(*filled).await?;
        }
        ends_at(*filled, end)?;
        Ok(start..end)
    }

    async fn receive_chunks(
        &mut self,
        filled: &mut usize,
        start: usize,
    ) -> Result<Range<usize>, Failure> {
        let mut chunks = Chunks::default();
        let length = loop {
            if let Some(length) = chunks.advance(&self.buffer[start..*filled])? {
                break length;
            }
            *filled += self.receive(*filled).await?;
        };
        ends_at(*filled, start + length)?;
        Ok(start..start + chunks.join(&mut self.buffer[start..*filled]))
    }

    async fn receive(&mut self, filled: usize) -> Result<usize, Failure> {
        if filled == self.buffer.len() {
            self.buffer.resize(filled * 2, 0);
        }
        match self.stream.read(&mut self.buffer[filled..]).await {
            Ok(0) => Err(Failure::Unreadable("the connection was closed before its end")),
            Ok(received) => Ok(received),
            Err(error) => Err(Failure::io("an answer cannot be received", error)),
        }
    }
}

fn ends_at(filled: usize, end: usize) -> Result<(), Failure> {
    if filled == end { Ok(()) } else { Err(Failure::Unreadable("more than was asked for")) }
}

async fn connect(address: SocketAddr) -> Result<TcpStream, Failure> {
    let refused = |error| Failure::io(format!("no connection to {address}"), error);
    let stream = TcpStream::connect(address).await.map_err(refused)?;
    stream.set_nodelay(true).map_err(refused)?;
    Ok(stream)
}
