//! What every success looks like.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, PartialSchema, ToSchema};

use crate::error::ApiError;
use crate::openapi::{Schemas, carry};

/// How many headers there is room for from the start: those of a result, and what is added on its way out.
const HEADERS: usize = 12;
/// How long a result may be before the room for it has to grow: longer than the answer to an uplink.
const BYTES: usize = 512;

/// A result in its envelope: `{"data": …, "status": "success", "message"?: …}`.
#[derive(Debug, Clone, Serialize)]
pub struct Success<T> {
    data: T,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Cow<'static, str>>,
    #[serde(skip)]
    headers: HeaderMap,
}

impl<T: Serialize + ToSchema> Success<T> {
    /// A result.
    pub fn of(data: T) -> Self {
        let headers = HeaderMap::with_capacity(HEADERS);
        Self { data, status: "success", message: None, headers }
    }

    /// The same with a sentence about what was done.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// The same with one more response header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The documentation of a success with such data.
    pub(crate) fn response() -> ResponseBuilder {
        let mut schemas = Schemas::new();
        T::schemas(&mut schemas);
        let (data, description) = match T::schema() {
            // An object is a thing with a name; anything else is told where it stands.
            RefOr::T(Schema::Object(object)) if !object.properties.is_empty() => {
                let description = object.description.clone();
                let name = T::name().into_owned();
                schemas.push((name.clone(), RefOr::T(Schema::Object(object))));
                (RefOr::Ref(Ref::from_schema_name(name)), description)
            }
            schema => (schema, None),
        };
        let message = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("What was done, in a sentence; where something was changed."))
            .examples(["Done."]);
        let status = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["success"]));
        let envelope = ObjectBuilder::new()
            .property("data", data)
            .property("status", status)
            .property("message", message)
            .required("data")
            .required("status");
        ResponseBuilder::new()
            .description(description.unwrap_or_else(|| "Success.".to_owned()))
            .content("application/json", Content::new(Some(envelope)))
            .extensions(Some(carry(schemas)))
    }
}

impl<T: Serialize> IntoResponse for Success<T> {
    fn into_response(self) -> Response {
        let mut body = Vec::with_capacity(BYTES);
        match serde_json::to_writer(&mut body, &self) {
            Ok(()) => {
                let mut response = Response::new(body.into());
                *response.headers_mut() = self.headers;
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                response
            }
            Err(error) => {
                tracing::error!(%error, "a result cannot be written as JSON");
                ApiError::internal().into_response()
            }
        }
    }
}

impl<T: Serialize + ToSchema> IntoResponses for Success<T> {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        BTreeMap::from([("200".to_owned(), Self::response().into())])
    }
}

/// Several things, documented as an array that refers to their schema (a plain `Vec` would repeat it).
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct List<T>(pub Vec<T>);

impl<T: ToSchema> PartialSchema for List<T> {
    fn schema() -> RefOr<Schema> {
        let items = Ref::from_schema_name(T::name());
        ArrayBuilder::new().items(items).into()
    }
}

impl<T: ToSchema> ToSchema for List<T> {
    fn schemas(schemas: &mut Schemas) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Serialize, ToSchema)]
    struct Meter {
        name: &'static str,
    }

    async fn shown(response: Response) -> Value {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "application/json");
        serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
    }

    #[tokio::test]
    async fn a_result_stands_in_its_envelope() {
        let plain = Success::of(Meter { name: "Main" }).into_response();
        assert_eq!(shown(plain).await, json!({ "data": { "name": "Main" }, "status": "success" }));
        let told = Success::of(List(vec![Meter { name: "Main" }])).with_message("Done.");
        assert_eq!(
            shown(told.into_response()).await,
            json!({ "data": [{ "name": "Main" }], "status": "success", "message": "Done." })
        );
    }

    #[test]
    fn headers_go_along() {
        let name = HeaderName::from_static("x-ratelimit-limit");
        let success = Success::of(Meter { name: "Main" }).with_header(name, HeaderValue::from(5));
        assert_eq!(success.into_response().headers()["x-ratelimit-limit"], "5");
    }
}
