//! Request bodies, lent to the handler and taken back unfinished.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::limits::Limits;

/// A request's body in the hands of its handler. When it is dropped before its end, the rest goes
/// to the connection.
pub(super) struct Lent {
    body: Option<Incoming>,
    asked: bool,
    owner: Option<oneshot::Sender<Leftover>>,
}

/// What a handler left unread of a request's body.
pub(super) struct Leftover {
    body: Incoming,
    asked: bool,
}

/// Lends a body. With `on_demand` (`Expect: 100-continue`) the client sends it only when the
/// handler begins to read.
pub(super) fn lend(body: Incoming, on_demand: bool) -> (Lent, oneshot::Receiver<Leftover>) {
    let (owner, leftover) = oneshot::channel();
    (Lent { body: Some(body), asked: !on_demand, owner: Some(owner) }, leftover)
}

impl Leftover {
    /// Whether the client was never told to send this, and so will not.
    pub(super) fn is_unasked(&self) -> bool {
        !self.asked
    }

    /// Whether it is known to exceed what is drained.
    pub(super) fn exceeds(&self, limits: &Limits) -> bool {
        usize::try_from(self.body.size_hint().lower()).is_ok_and(|size| size > limits.drain_bytes)
    }

    /// Reads to the end of the body, within the limits; past them, dropping the body makes hyper
    /// close the connection.
    pub(super) async fn drain(mut self, limits: &Limits) {
        let read = async {
            let mut left = limits.drain_bytes;
            while let Some(Ok(frame)) = self.body.frame().await {
                let size = frame.data_ref().map_or(0, Bytes::len);
                let Some(rest) = left.checked_sub(size) else { return };
                left = rest;
            }
        };
        let _ = timeout(limits.drain_timeout, read).await;
    }
}

impl Body for Lent {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.asked = true;
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let frame = ready!(Pin::new(body).poll_frame(context));
        if !matches!(frame, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let unread = self.body.take().filter(|body| !body.is_end_stream());
        if let (Some(body), Some(owner)) = (unread, self.owner.take()) {
            let _ = owner.send(Leftover { body, asked: self.asked });
        }
    }
}
