//! Answer bodies, with a note of when hyper has taken all of them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::progress::Progress;

/// The router's answer body. hyper drops it as soon as it has taken the last of it.
pub(super) struct ReplyBody {
    pub(super) body: Body,
    pub(super) progress: Arc<Progress>,
}

impl http_body::Body for ReplyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for ReplyBody {
    fn drop(&mut self) {
        self.progress.reply_taken();
    }
}
