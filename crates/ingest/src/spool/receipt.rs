//! What becomes of a record in the queue.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::sync::oneshot;

use super::error::SpoolError;

/// The word on a record in the queue: its sequence once it is synced, or why it was not taken. Dropping
/// the receipt does not take the record back.
#[derive(Debug)]
pub struct Receipt(pub(super) oneshot::Receiver<Result<u64, SpoolError>>);

impl Receipt {
    /// A receipt for nothing.
    pub(crate) fn lost() -> Self {
        Self(oneshot::channel().1)
    }
}

impl Future for Receipt {
    type Output = Result<u64, SpoolError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.0).poll(context));
        Poll::Ready(answer.unwrap_or(Err(SpoolError::Closed)))
    }
}
