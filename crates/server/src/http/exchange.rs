//! One request through the router: in time, without a panic getting through, its body accounted
//! for.

use std::any::Any;
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::header::{CONNECTION, EXPECT};
use http::{HeaderValue, Request, Response, Version};
use http_body::Body as _;
use hyper::body::Incoming;
use tokio::sync::oneshot::{Receiver, error::TryRecvError};
use tokio::sync::watch;
use tower::ServiceExt;

use super::limits::Limits;
use super::progress::Progress;
use super::refusal::Refusal;
use super::reply_body::ReplyBody;
use super::request_body::{Leftover, lend};
use super::request_id::{RequestId, X_REQUEST_ID};

/// The service that hyper calls for each request of one connection.
pub(super) struct Exchange {
    pub(super) router: Router,
    pub(super) limits: Arc<Limits>,
    pub(super) closing: watch::Receiver<bool>,
    pub(super) peer: SocketAddr,
    pub(super) progress: Arc<Progress>,
}

impl hyper::service::Service<Request<Incoming>> for Exchange {
    type Response = Response<ReplyBody>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let progress = Arc::clone(&self.progress);
        progress.request_begun();
        let (limits, closing) = (Arc::clone(&self.limits), self.closing.clone());
        let (request, leftover) = prepare(request, self.peer);
        let answer = answer(self.router.clone(), request, Arc::clone(&progress));
        Box::pin(async move {
            let mut response = answer.await;
            let clean = leftover.is_none_or(|leftover| settle(leftover, &limits, &progress));
            if !clean || *closing.borrow() {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            progress.reply_begun();
            Ok(response.map(|body| ReplyBody { body, progress, made: 0 }))
        })
    }
}

/// Gives the request the peer's address and a body that comes back when it is not read.
fn prepare(
    request: Request<Incoming>,
    peer: SocketAddr,
) -> (Request<Body>, Option<Receiver<Leftover>>) {
    let on_demand = expects_continue(&request);
    let (mut head, body) = request.into_parts();
    head.extensions.insert(ConnectInfo(peer));
    if body.is_end_stream() {
        return (Request::from_parts(head, Body::empty()), None);
    }
    let (body, leftover) = lend(body, on_demand);
    (Request::from_parts(head, Body::new(body)), Some(leftover))
}

/// The same rule as hyper's, which sends the `100 Continue`.
fn expects_continue(request: &Request<Incoming>) -> bool {
    request.version() > Version::HTTP_10
        && request
            .headers()
            .get(EXPECT)
            .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

async fn answer(router: Router, request: Request<Body>, progress: Arc<Progress>) -> Response<Body> {
    let id = request.headers().get(X_REQUEST_ID).cloned();
    let handled = pin!(AssertUnwindSafe(router.oneshot(request)).catch_unwind());
    let reason = match in_time(handled, &progress).await {
        Some(Ok(Ok(response))) if !response.status().is_informational() => return response,
        Some(Ok(Ok(response))) => format!("A handler answered {}.", response.status()),
        Some(Ok(Err(never))) => match never {},
        Some(Err(panic)) => format!("A handler panicked: {}", panic_text(&*panic)),
        None => return Refusal::TimedOut.into_response(&RequestId::from_caller(id.as_ref())),
    };
    let id = RequestId::from_caller(id.as_ref());
    tracing::error!(request_id = id.as_str(), "{reason}");
    Refusal::Broken.into_response(&id)
}

/// What comes of a request, unless its time is over first. The connection's alarm tells when it is, and
/// polls again.
async fn in_time<F: Future>(mut handled: Pin<&mut F>, progress: &Progress) -> Option<F::Output> {
    poll_fn(|context| match handled.as_mut().poll(context) {
        Poll::Ready(outcome) => Poll::Ready(Some(outcome)),
        Poll::Pending if progress.is_overdue() => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    })
    .await
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

/// Sees to what the handler left of the body. False when the connection cannot go on after it.
fn settle(mut leftover: Receiver<Leftover>, limits: &Arc<Limits>, progress: &Progress) -> bool {
    let limits = Arc::clone(limits);
    match leftover.try_recv() {
        Ok(rest) if rest.is_unasked() => {
            progress.leave_unasked();
            false
        }
        Ok(rest) => {
            let within = !rest.exceeds(&limits);
            progress.leave_drain(Box::pin(async move { rest.drain(&limits).await }));
            within
        }
        // The answer is still reading the request, or a task of the handler's is.
        Err(TryRecvError::Empty) => {
            progress.leave_drain(Box::pin(async move {
                match leftover.await {
                    Ok(rest) if !rest.is_unasked() => rest.drain(&limits).await,
                    _ => {}
                }
            }));
            true
        }
        Err(TryRecvError::Closed) => true,
    }
}
