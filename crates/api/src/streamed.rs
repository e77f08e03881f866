//! Long lists that are written while they are read, so that none lies in memory as a whole.

use std::collections::BTreeMap;
use std::io;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::{IntoResponses, ToSchema};

use crate::envelope::{List, Success};
use crate::error::ApiError;

/// A success whose `data` is a list that comes in chunks.
///
/// Once the first byte is out the status cannot change any more: where a later chunk fails, the
/// connection is broken off, so that the client sees an incomplete body and not a shorter list.
pub struct Streamed<T>(BoxStream<'static, Result<Vec<T>, ApiError>>);

impl<T: Serialize + Send + 'static> Streamed<T> {
    /// The list of these chunks.
    pub fn of(chunks: impl Stream<Item = Result<Vec<T>, ApiError>> + Send + 'static) -> Self {
        Self(chunks.boxed())
    }
}

impl<T: Serialize + Send + 'static> IntoResponse for Streamed<T> {
    fn into_response(self) -> Response {
        let mut is_first = true;
        let items = self.0.map(move |chunk| {
            let mut text = Vec::with_capacity(64 * 1024);
            for item in chunk.map_err(|error| io::Error::other(error.to_string()))? {
                if !std::mem::take(&mut is_first) {
                    text.push(b',');
                }
                serde_json::to_writer(&mut text, &item)?;
            }
            Ok::<_, io::Error>(Bytes::from(text))
        });
        let piece = |text: &'static str| stream::iter([Ok(Bytes::from_static(text.as_bytes()))]);
        let body = piece("{\"data\":[").chain(items).chain(piece("],\"status\":\"success\"}"));
        let mut response = Body::from_stream(body).into_response();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

impl<T: Serialize + ToSchema> IntoResponses for Streamed<T> {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        Success::<List<T>>::responses()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use serde_json::{Value, json};

    use super::*;

    async fn shown(chunks: Vec<Result<Vec<u32>, ApiError>>) -> Option<Value> {
        let response = Streamed::of(stream::iter(chunks)).into_response();
        let body = response.into_body().collect().await.ok()?.to_bytes();
        serde_json::from_slice(&body).ok()
    }

    #[tokio::test]
    async fn chunks_make_one_list() {
        let whole = |data: Value| Some(json!({ "data": data, "status": "success" }));
        assert_eq!(shown(vec![]).await, whole(json!([])));
        assert_eq!(shown(vec![Ok(vec![])]).await, whole(json!([])));
        assert_eq!(
            shown(vec![Ok(vec![1]), Ok(vec![]), Ok(vec![2, 3])]).await,
            whole(json!([1, 2, 3]))
        );
    }

    #[tokio::test]
    async fn a_failure_on_the_way_breaks_off() {
        assert_eq!(shown(vec![Ok(vec![1]), Err(ApiError::internal())]).await, None);
    }
}
