//! Documents whose form a standard sets, so that they stand in no envelope.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde::Serialize;
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use crate::error::ApiError;
use crate::openapi::{Schemas, carry};

/// For how long others may keep a copy: less than a key is published before it is used.
const KEPT: &str = "public, max-age=300";

/// A document of the form `T`, which others may keep for a while.
pub struct Document<T> {
    body: Result<Vec<u8>, serde_json::Error>,
    form: PhantomData<T>,
}

impl<T> Document<T> {
    /// The document that shows this.
    pub fn of(content: &impl Serialize) -> Self {
        Self { body: serde_json::to_vec(content), form: PhantomData }
    }
}

impl<T> IntoResponse for Document<T> {
    fn into_response(self) -> Response {
        match self.body {
            Ok(body) => {
                ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, KEPT)], body).into_response()
            }
            Err(error) => {
                tracing::error!(%error, "a document cannot be written as JSON");
                ApiError::internal().into_response()
            }
        }
    }
}

impl<T: ToSchema> IntoResponses for Document<T> {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let mut schemas = Schemas::new();
        T::schemas(&mut schemas);
        schemas.push((T::name().into_owned(), T::schema()));
        let response = ResponseBuilder::new()
            .description("The document, as the standard has it.")
            .content("application/json", Content::new(Some(Ref::from_schema_name(T::name()))))
            .extensions(Some(carry(schemas)));
        BTreeMap::from([("200".to_owned(), response.into())])
    }
}
