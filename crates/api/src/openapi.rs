//! The OpenAPI document.
//!
//! An operation describes itself in `#[utoipa::path]` beside its handler; this module adds what all
//! have in common. So an operation says only
//!
//! - its method and full path, its tag, and its `security`: `("api_key" = [])`, or that and
//!   `("bearer" = [])`, or nothing inside the parentheses where it is public;
//! - `request_body = …` and `params(…)`, where it has any;
//! - the error codes that are its own, as one list of types: `responses(Errors<(codes::A, codes::B)>)`.
//!
//! The summary is the first paragraph of the handler's documentation, the description the rest, and
//! the operation id the handler's name. The success comes from the return type, which is why its type
//! has to be [`Success`](crate::envelope::Success), [`Paged`](crate::paging::Paged) or another that
//! declares its responses. Examples of bodies and successes are composed from the examples of the
//! schemas' fields: a field that may be null and has none is null, another that may be left out is.
//! Where a success is not like that, `extensions(("x-example" = json!({ … })))` refines its example.
//!
//! ```
//! use serde::Serialize;
//! use utoipa::ToSchema;
//! use weir_api::envelope::Success;
//! use weir_api::error::{ApiError, codes};
//! use weir_api::openapi::Errors;
//! use weir_api::path::DevicePath;
//!
//! /// What was deleted.
//! #[derive(Serialize, ToSchema)]
//! struct Deleted {
//!     /// The device.
//!     #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
//!     device_id: String,
//! }
//!
//! /// Delete a device
//! ///
//! /// Its history is kept.
//! #[utoipa::path(
//!     delete,
//!     path = "/api/v1/devices/{device_id}",
//!     tag = "devices",
//!     security(("api_key" = [])),
//!     params(("device_id" = String, Path, description = "UUID or EUI of the device")),
//!     responses(Errors<codes::DeviceNotFound>),
//! )]
//! async fn delete(DevicePath(_device): DevicePath) -> Result<Success<Deleted>, ApiError> {
//!     let device_id = String::new();
//!     Ok(Success::of(Deleted { device_id }).with_message("Deleted; historical data is preserved."))
//! }
//! ```
//!
//! Added to every operation by what it has: 401 and 503 where it is secured, 413 and 415 where it has
//! a body, 422 where it has a body or parameters (not for a path alone that is refused with
//! `INVALID_DEVICE_ID`), 500 to all, and the `X-Request-Id` header to every response.

mod carried;
mod completion;
mod errors;
mod example;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr, Schema,
};
use utoipa::{PartialSchema, ToSchema};

use crate::error::{ErrorBody, ErrorCode};

pub(crate) use carried::carry;
pub(crate) use completion::complete;
pub use errors::{Codes, Errors};

/// Schemas with their names, as utoipa collects them.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// The name of the security scheme of API keys.
const API_KEY: &str = "api_key";
/// The name of the security scheme of bearer tokens.
const BEARER: &str = "bearer";

const DESCRIPTION: &str = "\
Multi-tenant water monitoring for LoRaWAN meters: devices push readings through their network server, \
resellers manage the fleet and read consumption.

Every answer is a JSON object. A success has `data`, `status` (`success`) and often a `message`; an \
error has `status` (`error`), `error_code`, `message` and `details`. Every request is scoped to the \
caller's reseller: what belongs to another behaves as not found. Timestamps go out as RFC 3339 in UTC \
and come in with any offset. Every response carries `X-Request-Id`.";

const TAGS: &[(&str, &str)] = &[
    ("ingestion", "Where network servers post uplinks."),
    ("devices", "The fleet: meters, their state and their readings."),
    ("reseller", "The caller's own account."),
    ("customers", "Communities whose people are end users."),
    ("end users", "The people whom devices are assigned to."),
    ("members", "Who may sign in for the reseller."),
    ("sign-in", "Getting the tokens of people, and verifying them."),
    ("service", "Is it there, and is it well?"),
];

/// The document of the whole interface.
pub fn document() -> OpenApi {
    crate::router::parts().1
}

/// The document before any operation.
pub(crate) fn frame() -> OpenApi {
    let license = LicenseBuilder::new().name("MIT").identifier(Some("MIT"));
    let info = InfoBuilder::new()
        .title("Weir")
        .version("1.0.0")
        .description(Some(DESCRIPTION))
        .license(Some(license.build()));
    let tags = TAGS.iter().map(|(name, description)| {
        TagBuilder::new().name(*name).description(Some(*description)).build()
    });
    let api_key = ApiKeyValue::with_description(
        "X-API-Key",
        "A reseller's API key. It is checked first; where it is sent, it alone decides.",
    );
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("A token of a signed-in user, from a trusted identity provider."));
    let components = ComponentsBuilder::new()
        .schema(ErrorBody::name(), ErrorBody::schema())
        .schema(ErrorCode::name(), ErrorCode::schema())
        .security_scheme(API_KEY, SecurityScheme::ApiKey(ApiKey::Header(api_key)))
        .security_scheme(BEARER, SecurityScheme::Http(bearer.build()));
    OpenApiBuilder::new().info(info).tags(Some(tags)).components(Some(components.build())).build()
}

#[cfg(test)]
mod tests;
