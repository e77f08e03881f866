//! Bodies: their size, their type, their JSON.

use axum::body::Body;
use axum::extract::{FromRequest, OptionalFromRequest, Request};
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

use crate::error::{ApiError, ErrorCode};
use crate::fields::{Fields, Place, Problems};

/// The largest body of most operations: 2 MiB.
pub const LIMIT: usize = 2 * 1024 * 1024;

/// The fields of a JSON object.
pub type BodyFields<'a> = Fields<'a, Map<String, Value>>;

/// A request type that reads itself from a JSON object. See [`fields`](crate::fields) for how.
pub trait FromBody: Sized {
    /// Asks for every field, then builds the request.
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self>;
}

/// The body of a request, read from a JSON object of at most [`LIMIT`] bytes.
///
/// As an `Option` it is `None` where the body is empty.
#[derive(Debug, Clone, Copy)]
pub struct Json<T>(pub T);

impl<S: Send + Sync, T: FromBody> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let bytes = receive_json(request, LIMIT).await?;
        parse(&bytes).map(Self)
    }
}

impl<S: Send + Sync, T: FromBody> OptionalFromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Option<Self>, ApiError> {
        let (head, body) = request.into_parts();
        let bytes = receive(&head.headers, body, LIMIT).await?;
        if bytes.is_empty() {
            return Ok(None);
        }
        require_json(&head.headers)?;
        parse(&bytes).map(|body| Some(Self(body)))
    }
}

/// Receives a body of JSON, of whatever shape, that is not larger than `limit`.
pub async fn receive_json(request: Request, limit: usize) -> Result<Bytes, ApiError> {
    let (head, body) = request.into_parts();
    require_json(&head.headers)?;
    receive(&head.headers, body, limit).await
}

/// Receives a body that is not larger than `limit`, whether or not its length was announced.
async fn receive(headers: &HeaderMap, body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let announced =
        headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limit as u64) {
        return Err(too_large(limit));
    }
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(limit)),
        Err(error) => {
            tracing::debug!(%error, "a body broke off");
            Err(Problems::from("broke off").into_error(Place::Body))
        }
    }
}

fn too_large(limit: usize) -> ApiError {
    let kibibytes = limit / 1024;
    let message = format!("The body is larger than {kibibytes} KiB.");
    ApiError::new(ErrorCode::PayloadTooLarge, message)
}

/// Refuses a Content-Type that is there and not JSON.
fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(value) = headers.get(CONTENT_TYPE) else { return Ok(()) };
    if value.to_str().is_ok_and(is_json) {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::UnsupportedMediaType,
        "The Content-Type of the body must be application/json.",
    ))
}

fn is_json(content_type: &str) -> bool {
    let mut parts = content_type.split(';').map(|part| part.trim().to_ascii_lowercase());
    let media_type = parts.next().unwrap_or_default();
    let subtype = media_type.strip_prefix("application/").unwrap_or_default();
    let is_utf8 = |parameter: String| match parameter.split_once('=') {
        Some(("charset", charset)) => matches!(charset.trim_matches('"'), "utf-8" | "utf8"),
        _ => true,
    };
    (subtype == "json" || subtype.ends_with("+json")) && parts.all(is_utf8)
}

/// Reads a request type from the bytes of a JSON object.
pub fn parse<T: FromBody>(bytes: &[u8]) -> Result<T, ApiError> {
    let refuse = |problems: Problems| problems.into_error(Place::Body);
    if bytes.is_empty() {
        return Err(refuse("is required".into()));
    }
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| refuse(format!("is not JSON ({error})").into()))?;
    let Value::Object(object) = value else {
        return Err(refuse("must be an object".into()));
    };
    Fields::read(&object, T::from_body).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::post;
    use http_body_util::StreamBody;
    use serde_json::json;

    use super::*;
    use crate::fields::json;
    use crate::testing::{ask, request};

    struct Order {
        name: weir_domain::Name,
        count: i64,
    }

    impl FromBody for Order {
        fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
            let name = fields.required("name", json::name);
            let count = fields.required("count", json::integer(1..=9));
            fields.optional("urgent", json::boolean);
            Some(Self { name: name?, count: count? })
        }
    }

    fn app() -> Router {
        let order = async |Json(order): Json<Order>| format!("{} {}", order.count, order.name);
        let maybe = async |order: Option<Json<Order>>| order.is_some().to_string();
        Router::new().route("/order", post(order)).route("/maybe", post(maybe))
    }

    #[tokio::test]
    async fn a_body_that_fits_is_read() {
        let body = r#"{"name": "Main", "count": 1, "count": 3, "more": {"ignored": true}}"#;
        for content_type in [
            None,
            Some("application/json"),
            Some("Application/JSON; charset=UTF-8"),
            Some("application/json;charset=\"utf-8\"; profile=x"),
            Some("application/vnd.api+json"),
        ] {
            let answer =
                ask(app(), request("POST /order").maybe_typed(content_type).body(body)).await;
            assert_eq!((answer.status, answer.text()), (200, "3 Main".into()), "{content_type:?}");
        }
    }

    #[tokio::test]
    async fn other_media_types_are_refused() {
        for content_type in [
            "text/plain",
            "application/xml",
            "application/json; charset=latin1",
            "application/jsonp",
            "json",
            "",
        ] {
            let asked = request("POST /order").typed(content_type).body("{}");
            assert_eq!(ask(app(), asked).await.code(), "UNSUPPORTED_MEDIA_TYPE", "{content_type}");
        }
    }

    #[tokio::test]
    async fn every_offending_field_is_named() {
        let body = r#"{"name": " ", "count": "1", "urgent": null}"#;
        let answer = ask(app(), request("POST /order").body(body)).await;
        assert_eq!((answer.status, answer.code()), (422, "SCHEMA_VALIDATION_ERROR"));
        let locs: Vec<_> = answer.errors().iter().map(|error| error["loc"].clone()).collect();
        assert_eq!(
            locs,
            [json!(["body", "name"]), json!(["body", "count"]), json!(["body", "urgent"])]
        );
        let answer = ask(app(), request("POST /order").body("{}")).await;
        assert_eq!(answer.errors().len(), 2);
        assert_eq!(answer.errors()[0]["message"], "is required");
    }

    #[tokio::test]
    async fn what_is_no_object_is_refused_as_a_whole() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for body in ["", "{", "nonsense", "[]", "null", "1e999", "{\"a\":\"\u{1}\"}", &deep] {
            let answer = ask(app(), request("POST /order").body(body.to_owned())).await;
            assert_eq!(answer.status, 422, "{body}");
            assert_eq!(answer.errors()[0]["loc"], json!(["body"]), "{body}");
        }
        let answer = ask(app(), request("POST /order").body(vec![b'"', 0xff, b'"'])).await;
        assert_eq!(answer.status, 422);
    }

    #[tokio::test]
    async fn an_empty_body_can_be_allowed() {
        let empty = request("POST /maybe").typed("text/plain").body("");
        assert_eq!(ask(app(), empty).await.text(), "false");
        let given = request("POST /maybe").body(r#"{"name": "a", "count": 1}"#);
        assert_eq!(ask(app(), given).await.text(), "true");
        assert_eq!(ask(app(), request("POST /maybe").body("[]")).await.status, 422);
    }

    #[tokio::test]
    async fn size_is_limited_with_and_without_an_announced_length() {
        let body = |length: usize| {
            let padding = " ".repeat(length - 23);
            format!(r#"{{"name": "a"{padding},"count":1}}"#)
        };
        assert_eq!(body(LIMIT).len(), LIMIT);
        let fits = request("POST /order").body(body(LIMIT));
        assert_eq!(ask(app(), fits).await.status, 200);
        let over = request("POST /order").body(body(LIMIT + 1));
        assert_eq!(ask(app(), over).await.code(), "PAYLOAD_TOO_LARGE");

        let announced = request("POST /order").header("content-length", "99999999").body("{}");
        assert_eq!(ask(app(), announced).await.status, 413);

        let pieces = std::iter::repeat_n(Bytes::from(vec![b' '; 65_536]), 33)
            .map(|piece| Ok::<_, std::convert::Infallible>(http_body::Frame::data(piece)));
        let stream = Body::new(StreamBody::new(futures_util::stream::iter(pieces)));
        let unannounced = request("POST /order").body(stream);
        assert_eq!(ask(app(), unannounced).await.status, 413);
    }

    #[tokio::test]
    async fn a_limit_can_be_smaller() {
        let small = async |request: Request| -> Result<String, ApiError> {
            receive_json(request, 4).await.map(|bytes| bytes.len().to_string())
        };
        let app = Router::new().route("/small", post(small));
        assert_eq!(ask(app.clone(), request("POST /small").body("1234")).await.text(), "4");
        assert_eq!(ask(app, request("POST /small").body("12345")).await.status, 413);
    }
}
