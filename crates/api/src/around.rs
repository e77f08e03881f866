//! Middleware that is one function: it does what comes before the answer at once, and returns a future of
//! what comes after.
//!
//! axum's own (`from_fn`, and each layer of a router) boxes the future of every request, and clones a
//! boxed service below it; an async function keeps the request and the service in its future, twice. An
//! uplink is polled twice, with hundreds of others in between that drive it out of the processor's
//! caches, so all of that is paid for twice.

use std::convert::Infallible;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use futures_util::future::Map;
use tower::Service;

/// What may stand below middleware.
pub(crate) trait Inner:
    Service<Request, Response: IntoResponse, Error = Infallible, Future: Send>
{
}

impl<S> Inner for S where
    S: Service<Request, Response: IntoResponse, Error = Infallible, Future: Send>
{
}

/// The answer of what stands below.
pub(crate) fn answer<S: Inner>(
    inner: &mut S,
    request: Request,
) -> impl Future<Output = Response> + Send + use<S> {
    inner.call(request).map(|answered| match answered {
        Ok(response) => response.into_response(),
        Err(never) => match never {},
    })
}

/// A function around a service: it is given the service and the request, and answers.
#[derive(Clone)]
pub(crate) struct Around<S, F> {
    inner: S,
    function: F,
}

/// Puts a function around a service.
pub(crate) const fn around<S, F, A>(inner: S, function: F) -> Around<S, F>
where
    F: Fn(&mut S, Request) -> A,
{
    Around { inner, function }
}

impl<S, F, A> Service<Request> for Around<S, F>
where
    S: Inner,
    F: Fn(&mut S, Request) -> A,
    A: Future<Output = Response>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Map<A, fn(Response) -> Result<Response, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        (self.function)(&mut self.inner, request).map(Ok)
    }
}
