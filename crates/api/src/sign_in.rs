//! Signing in: links, tokens, and the documents by which others verify them.

pub mod callback;
mod document;
pub mod follow;
mod get_alone;
pub mod jwks;
pub mod magic_link;
pub mod openid_configuration;
pub mod refresh;
mod refusal;
pub mod sign_out;
mod signed_in;
pub mod start;
mod view;

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt;
use http::HeaderValue;
use http::header::CACHE_CONTROL;

use crate::around::{Inner, answer};

pub use document::Document;
pub use refusal::refused;
pub use signed_in::SignedIn;
pub use view::TokensView;

/// The longest token that is looked at, in characters.
const LONGEST_TOKEN: usize = 1_024;

/// Keeps caches from keeping tokens, and what is told of those that are not valid.
pub(crate) fn keep_out_of_caches<S: Inner>(
    inner: &mut S,
    request: Request,
) -> impl Future<Output = Response> + use<S> {
    let is_private = request.uri().path().starts_with("/auth/");
    answer(inner, request).map(move |mut response| {
        if is_private {
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        response
    })
}
