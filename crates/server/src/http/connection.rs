//! One connection, from its acceptance to its end.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Poll, ready};

use axum::Router;
use futures_util::FutureExt;
use hyper::server::conn::http1;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::alarm::Alarm;
use super::exchange::Exchange;
use super::farewell::{dismiss, linger};
use super::limits::Limits;
use super::progress::Progress;
use super::refusal::Refusal;
use super::socket::Socket;

/// What all connections of a server share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) router: Router,
    pub(super) limits: Arc<Limits>,
    pub(super) closing: watch::Receiver<bool>,
}

/// How hyper's part of a connection ended.
enum End {
    Finished(hyper::Result<()>),
    Overdue,
}

type Connection = http1::Connection<Socket, Exchange>;

/// Serves a connection until either side ends it.
pub(super) async fn run(stream: TcpStream, peer: SocketAddr, shared: Shared) {
    let Shared { router, limits, closing } = shared;
    let progress = Arc::new(Progress::new());
    let mut connection = http1::Builder::new()
        .half_close(true)
        .max_header_size(limits.header_bytes)
        .header_read_timeout(None)
        .serve_connection(
            Socket::new(stream, Arc::clone(&progress)),
            Exchange {
                router,
                limits: Arc::clone(&limits),
                closing: closing.clone(),
                peer,
                progress: Arc::clone(&progress),
            },
        );
    let end = drive(&mut connection, &progress, &limits, closing).await;
    let parts = connection.into_parts();
    let (stream, head) = (parts.io.into_stream(), parts.read_buf);

    match end {
        // A refusal is noted when hyper tried to answer; some input, as HTTP/2's opening, it does
        // not even answer.
        End::Finished(Err(error)) if error.is_parse() && progress.is_quiet() => {
            tracing::debug!(%peer, %error, "A request could not be read.");
            let refusal = progress.refusal().unwrap_or(Refusal::Malformed).of_head(&head);
            dismiss(stream, refusal, &limits).await;
        }
        End::Finished(Err(error)) => tracing::debug!(%peer, %error, "A connection broke."),
        End::Finished(Ok(())) if progress.is_unasked() => linger(stream, &limits).await,
        End::Finished(Ok(())) => {}
        End::Overdue if progress.is_receiving() => {
            dismiss(stream, Refusal::TimedOut, &limits).await;
        }
        End::Overdue => tracing::debug!(%peer, "A connection stood still and was closed."),
    }
}

/// Polls hyper, and beside it what hyper does not do: watch the clock and the shutdown, and read
/// the bodies that nobody wants.
///
/// hyper is not told of the shutdown. It would drop a head that it has not read to its end, and close
/// on a client that has sent the next request before it could know; instead the next answer says that
/// it is the last one, and a connection on which nothing more is asked runs into its deadline.
async fn drive(
    connection: &mut Connection,
    progress: &Progress,
    limits: &Limits,
    mut closing: watch::Receiver<bool>,
) -> End {
    let mut alarm = Alarm::new(tokio::time::Instant::now() + limits.header_timeout);
    let mut drain = None;
    let close = async {
        let _ = closing.wait_for(|closing| *closing).await;
        progress.closing();
    };
    let mut close = pin!(close.fuse());

    poll_fn(|context| {
        loop {
            if let Poll::Ready(result) = Pin::new(&mut *connection).poll(context) {
                return Poll::Ready(End::Finished(result));
            }
            let _ = close.as_mut().poll(context);
            drain = progress.take_drain().or(drain.take());
            if let Some(draining) = &mut drain
                && draining.as_mut().poll(context).is_ready()
            {
                drain = None;
                progress.drained();
                continue;
            }
            ready!(alarm.poll(progress.due(limits), context));
            if !progress.end_request() {
                return Poll::Ready(End::Overdue);
            }
        }
    })
    .await
}
