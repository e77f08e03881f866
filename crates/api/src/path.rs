//! Path parameters.
//!
//! Any position that names a device takes both forms, its UUID and its EUI. What differs is the
//! answer to a text that is neither: a position that the interface calls `{device_id}` answers with a
//! schema error, one that it calls `{dev_eui}` with `INVALID_DEVICE_ID`.
//!
//! Where an operation with [`EuiPath`] also has a body or a query, take it as
//! `Result<EuiPath, ApiError>` and unpack it inside: a body that does not fit its schema is then told
//! before the EUI that makes no sense.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, MatchedPath};
use http::request::Parts;
use uuid::Uuid;
use weir_app::devices::DeviceRef;

use crate::error::{ApiError, ErrorCode};
use crate::fields::{Place, Problems, text};
use crate::percent;

/// The names under which a device stands in a path.
const DEVICE: &[&str] = &["device_id", "dev_eui"];

/// A device, in a position called `{device_id}`.
#[derive(Debug, Clone, Copy)]
pub struct DevicePath(pub DeviceRef);

impl<S: Send + Sync> FromRequestParts<S> for DevicePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parameter(parts, DEVICE);
        text.and_then(|text| DeviceRef::parse(&text)).map(Self).ok_or_else(|| {
            Problems::from("must be a UUID or 16 hexadecimal characters")
                .below("device_id")
                .into_error(Place::Path)
        })
    }
}

/// A device, in a position called `{dev_eui}`.
#[derive(Debug, Clone, Copy)]
pub struct EuiPath(pub DeviceRef);

impl<S: Send + Sync> FromRequestParts<S> for EuiPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parameter(parts, DEVICE);
        text.and_then(|text| DeviceRef::parse(&text)).map(Self).ok_or_else(|| {
            let message = "The Device EUI in the path must be 16 hexadecimal characters.";
            ApiError::new(ErrorCode::InvalidDeviceId, message)
        })
    }
}

/// Some other thing, by its UUID, in a position called `{id}`.
#[derive(Debug, Clone, Copy)]
pub struct IdPath(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for IdPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parameter(parts, &["id"]).unwrap_or_default();
        let refuse = |problems: Problems| problems.below("id").into_error(Place::Path);
        text::uuid(&text).map(Self).map_err(refuse)
    }
}

/// An ownership record, by its UUID, in a position called `{record_id}`.
#[derive(Debug, Clone, Copy)]
pub struct RecordPath(pub Uuid);

impl<S: Send + Sync> FromRequestParts<S> for RecordPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let text = parameter(parts, &["record_id"]).unwrap_or_default();
        let refuse = |problems: Problems| problems.below("record_id").into_error(Place::Path);
        text::uuid(&text).map(Self).map_err(refuse)
    }
}

/// A provider to sign in at, by its name, in a position called `{provider}`. One that is not UTF-8 is a
/// name that nobody has.
#[derive(Debug, Clone)]
pub struct ProviderPath(pub String);

impl<S: Send + Sync> FromRequestParts<S> for ProviderPath {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parameter(parts, &["provider"]).unwrap_or_default()))
    }
}

/// The text of a path parameter by one of its names, percent-decoded; `None` where it is not UTF-8.
///
/// Read from the path itself: axum gives all parameters or none, and one that is not UTF-8 is not to
/// be held against the others.
fn parameter(parts: &Parts, names: &[&str]) -> Option<String> {
    let template = parts.extensions.get::<MatchedPath>()?.as_str();
    let mut steps = template.split('/').zip(parts.uri.path().split('/'));
    let is_meant = |step: &str| {
        let name = step.strip_prefix('{').and_then(|step| step.strip_suffix('}'));
        name.is_some_and(|name| names.contains(&name))
    };
    steps.find(|(step, _)| is_meant(step)).and_then(|(_, text)| percent::decode(text))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::{get, put};
    use serde_json::json;

    use super::*;
    use crate::body::{BodyFields, FromBody, Json};
    use crate::fields::json;
    use crate::testing::{Answer, ask, request};

    struct Assign;

    impl FromBody for Assign {
        fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
            fields.required("end_user_id", json::uuid).map(|_| Self)
        }
    }

    async fn assign(
        path: Result<EuiPath, ApiError>,
        Json(Assign): Json<Assign>,
    ) -> Result<String, ApiError> {
        let EuiPath(device) = path?;
        Ok(format!("{device:?}"))
    }

    async fn answer(asked: &str, body: &str) -> Answer {
        let app = Router::new()
            .route("/id/{device_id}", get(async |path: DevicePath| format!("{path:?}")))
            .route("/eui/{dev_eui}", get(async |path: EuiPath| format!("{path:?}")))
            .route("/customers/{id}", get(async |path: IdPath| format!("{path:?}")))
            .route("/assign/{dev_eui}/to", put(assign));
        ask(app, request(asked).body(body.to_owned())).await
    }

    #[tokio::test]
    async fn both_forms_name_a_device_in_both_positions() {
        for place in ["id", "eui"] {
            let by_eui = answer(&format!("GET /{place}/70B3D57ED02A3654"), "").await;
            assert!(by_eui.text().contains("Eui(70B3D57ED02A3654)"), "{place}");
            let by_id = answer(&format!("GET /{place}/{}", Uuid::from_u128(7)), "").await;
            assert!(by_id.text().contains("0000-000000000007"), "{place}");
            let encoded = answer(&format!("GET /{place}/%370B3D57ED02A3654"), "").await;
            assert_eq!(encoded.status, 200, "{place}");
        }
    }

    #[tokio::test]
    async fn anything_else_is_told_as_the_position_asks() {
        for text in ["x", "70B3D57ED02A365", "%ff", "%F0%9F", "%00", "%2F", "%", "+0B3D57ED02A3654"]
        {
            let by_id = answer(&format!("GET /id/{text}"), "").await;
            assert_eq!((by_id.status, by_id.code()), (422, "SCHEMA_VALIDATION_ERROR"), "{text}");
            assert_eq!(by_id.errors()[0]["loc"], json!(["path", "device_id"]), "{text}");
            let by_eui = answer(&format!("GET /eui/{text}"), "").await;
            assert_eq!((by_eui.status, by_eui.code()), (400, "INVALID_DEVICE_ID"), "{text}");
            let other = answer(&format!("GET /customers/{text}"), "").await;
            assert_eq!(other.errors()[0]["loc"], json!(["path", "id"]), "{text}");
        }
    }

    #[tokio::test]
    async fn a_body_that_does_not_fit_is_told_before_an_eui_that_makes_no_sense() {
        assert_eq!(answer("PUT /assign/x/to", "{}").await.status, 422);
        let body = format!(r#"{{"end_user_id": "{}"}}"#, Uuid::nil());
        assert_eq!(answer("PUT /assign/x/to", &body).await.code(), "INVALID_DEVICE_ID");
        assert_eq!(answer("PUT /assign/70B3D57ED02A3654/to", &body).await.status, 200);
    }
}
