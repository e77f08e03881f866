//! Answer bodies, with a note of when hyper has taken all of them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::progress::Progress;

/// How many pieces of an answer are made in a row before others on the thread have their turn: those of an
/// answer that is compressed are work.
const IN_A_ROW: u8 = 2;

/// The router's answer body. hyper drops it as soon as it has taken the last of it.
pub(super) struct ReplyBody {
    pub(super) body: Body,
    pub(super) progress: Arc<Progress>,
    /// How many pieces were made in a row.
    pub(super) made: u8,
}

impl http_body::Body for ReplyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.made >= IN_A_ROW {
            self.made = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.made += 1;
        Poll::Ready(frame)
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

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;

    use futures_util::{FutureExt, stream};
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn a_long_answer_gives_way_and_comes_whole() {
        let pieces = repeat_n(Bytes::from_static(b"water "), 9).map(Ok::<_, axum::Error>);
        let body = Body::from_stream(stream::iter(pieces));
        let mut reply = ReplyBody { body, progress: Arc::new(Progress::new()), made: 0 };
        for _ in 0..IN_A_ROW {
            assert!(reply.frame().now_or_never().is_some());
        }
        assert!(reply.frame().now_or_never().is_none());
        let rest = reply.collect().await.unwrap().to_bytes();
        assert_eq!(rest.len(), 6 * (9 - usize::from(IN_A_ROW)));
    }
}
