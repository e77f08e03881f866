//! What is added to operations.

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::*;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::json;
use crate::openapi::Errors;
use crate::paging::{PageQuery, Paged};
use crate::path::EuiPath;
use crate::query::Query;

/// A new meter.
#[derive(ToSchema)]
struct NewMeter {
    name: String,
}

impl FromBody for NewMeter {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let name = fields.required("name", json::name);
        Some(Self { name: name?.into() })
    }
}

/// The meter.
#[derive(Serialize, ToSchema)]
struct Meter {
    #[schema(example = "Main")]
    name: String,
    owner: Option<Owner>,
}

#[derive(Serialize, ToSchema)]
struct Owner {
    #[schema(example = "Ada")]
    name: String,
}

/// Add a meter
#[utoipa::path(
    post,
    path = "/api/v1/meters",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    request_body = NewMeter,
    responses(Errors<(codes::DeviceAlreadyExists, codes::ParentDeviceNotFound)>),
)]
async fn add(Json(meter): Json<NewMeter>) -> Result<Success<Meter>, ApiError> {
    Ok(Success::of(Meter { name: meter.name, owner: None }).with_message("Added."))
}

/// List meters
#[utoipa::path(
    get,
    path = "/api/v1/meters",
    tag = "devices",
    security(("api_key" = [])),
    params(PageQuery),
)]
async fn list(
    Query(page): Query<PageQuery>,
    uri: axum::extract::OriginalUri,
) -> Result<Paged<Meter>, ApiError> {
    Ok(Paged::of([], 0, page, &uri))
}

/// Find a meter
#[utoipa::path(
    get,
    path = "/api/v1/meters/{dev_eui}",
    tag = "devices",
    security(("api_key" = [])),
    params(("dev_eui" = String, Path, description = "Its EUI")),
    responses(Errors<(codes::InvalidDeviceId, codes::DeviceNotFound)>),
)]
async fn find(EuiPath(_): EuiPath) -> Result<Success<Meter>, ApiError> {
    Err(ApiError::of(ErrorCode::DeviceNotFound))
}

fn document() -> Value {
    let router: OpenApiRouter = OpenApiRouter::with_openapi(crate::openapi::frame())
        .routes(routes!(add, list))
        .routes(routes!(find));
    let mut document = router.into_openapi();
    complete(&mut document);
    json!(document)
}

fn statuses(operation: &Value) -> Vec<&str> {
    operation["responses"].as_object().unwrap().keys().map(String::as_str).collect()
}

fn codes_of<'a>(operation: &'a Value, status: &str) -> Vec<&'a str> {
    let examples = &operation["responses"][status]["content"]["application/json"]["examples"];
    examples.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn common_errors_follow_from_what_an_operation_has() {
    let document = document();
    let add = &document["paths"]["/api/v1/meters"]["post"];
    let expected = ["200", "400", "401", "403", "404", "413", "415", "422", "500", "503"];
    assert_eq!(statuses(add), expected);
    assert_eq!(codes_of(add, "400"), ["DEVICE_ALREADY_EXISTS", "VALIDATION_ERROR"]);
    assert_eq!(codes_of(add, "403"), ["FORBIDDEN"]);
    assert_eq!(add["parameters"][0]["name"], "X-Reseller-Id", "it takes tokens");
    assert_eq!(codes_of(add, "401"), ["INVALID_API_KEY", "INVALID_TOKEN"]);
    let list = &document["paths"]["/api/v1/meters"]["get"];
    assert_eq!(statuses(list), ["200", "401", "422", "500", "503"]);
    assert_eq!(codes_of(list, "401"), ["INVALID_API_KEY"]);
    assert!(!list["parameters"].to_string().contains("X-Reseller-Id"), "it takes none");
    let find = &document["paths"]["/api/v1/meters/{dev_eui}"]["get"];
    assert_eq!(statuses(find), ["200", "400", "401", "404", "500", "503"]);
}

#[test]
fn schemas_of_return_types_are_components() {
    let schemas = &document()["components"]["schemas"];
    for name in ["NewMeter", "Meter", "Owner", "Error", "ErrorCode"] {
        assert!(schemas[name].is_object(), "{name}");
    }
}

#[test]
fn successes_have_examples_and_headers() {
    let document = document();
    let success = |method: &str| &document["paths"]["/api/v1/meters"][method]["responses"]["200"];
    let example = |method| &success(method)["content"]["application/json"]["example"];
    let meter = json!({ "name": "Main", "owner": { "name": "Ada" } });
    assert_eq!(success("post")["description"], "The meter.");
    assert_eq!(example("post"), &json!({ "data": meter, "status": "success", "message": "Done." }));
    assert_eq!(example("get"), &json!({ "data": [meter], "status": "success" }));
    for header in ["X-Total-Count", "Link", "X-Request-Id"] {
        assert!(success("get")["headers"][header].is_object(), "{header}");
    }
}

#[test]
fn parameters_of_a_page_are_optional() {
    let document = document();
    let parameters = &document["paths"]["/api/v1/meters"]["get"]["parameters"];
    assert_eq!(parameters[0]["name"], "limit");
    assert_eq!(parameters[0]["in"], "query");
    assert_eq!(parameters[0]["required"], false);
    assert_eq!(parameters[0]["schema"]["default"], 50);
    assert_eq!(parameters[1]["name"], "offset");
}

/// Where two different schemas share a name, the second silently takes the place of the first.
#[test]
fn no_two_schemas_share_a_name() {
    let mut document = crate::router::operations().into_openapi();
    let components = document.components.take().unwrap_or_default();
    let mut known: Map<String, Value> = components.schemas.iter().map(shown).collect();
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        for (name, schema) in responses(operation).flat_map(unload) {
            let schema = json!(schema);
            let other = known.insert(name.clone(), schema.clone());
            assert!(other.is_none_or(|other| other == schema), "{name}");
        }
    }
}
