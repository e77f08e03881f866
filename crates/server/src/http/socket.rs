//! A connection's byte stream, as hyper sees it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::{progress::Progress, refusal::Refusal};

/// Where the three digits are in `HTTP/1.1 400 Bad Request`.
const STATUS: std::ops::Range<usize> = 9..12;

/// Passes bytes, takes notes, and keeps hyper's own answers from the wire.
///
/// hyper answers a request that it cannot parse by itself, with an empty body. When no answer of
/// ours is due or on its way, a write can only be that: it is taken for done, and the connection's
/// task says it again in our form. (One case escapes: a client that has not read the answer to its
/// last request while already sending a malformed next one. Then both share a write, which passes
/// as it is.)
pub(super) struct Socket {
    io: TokioIo<TcpStream>,
    progress: Arc<Progress>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, progress: Arc<Progress>) -> Self {
        Self { io: TokioIo::new(stream), progress }
    }

    pub(super) fn into_stream(self) -> TcpStream {
        self.io.into_inner()
    }

    /// Takes a write of hyper's own and tells how many bytes it had.
    fn swallow(&self, slices: &[IoSlice<'_>]) -> Option<usize> {
        if !self.progress.is_quiet() {
            return None;
        }
        let head = slices.iter().find(|slice| !slice.is_empty())?;
        self.progress.refuse(Refusal::from_status(head.get(STATUS).unwrap_or_default()));
        Some(slices.iter().map(|slice| slice.len()).sum())
    }

    fn note_sent(&self, written: &Poll<io::Result<usize>>) {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.progress.sent();
        }
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.io).poll_read(context, buffer))?;
        // The end of the stream is noted too: it ends the connection anyway.
        self.progress.received();
        Poll::Ready(Ok(()))
    }
}

impl Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Some(size) = self.swallow(&[IoSlice::new(bytes)]) {
            return Poll::Ready(Ok(size));
        }
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.note_sent(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let Some(size) = self.swallow(slices) {
            return Poll::Ready(Ok(size));
        }
        let written = Pin::new(&mut self.io).poll_write_vectored(context, slices);
        self.note_sent(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.io).poll_flush(context))?;
        self.progress.flushed();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.progress.refusal().is_some() {
            // The last words are still to be said.
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}
