//! `GET /api/v1/devices/{device_id}/ownership-history/{record_id}/report`

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, HeaderBuilder, RefOr, ResponseBuilder};
use utoipa::{IntoParams, IntoResponses, PartialSchema};
use weir_app::reports;
use weir_domain::OwnershipId;
use weir_report::Format;

use crate::Service;
use crate::auth::AnyCaller;
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::{DevicePath, RecordPath};
use crate::query::{FromQuery, Query, QueryFields};

/// In which form the report is wanted.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// `pdf` for people, `csv` for machines.
    #[param(required = false, schema_with = formats)]
    format: Format,
}

fn formats() -> RefOr<Schema> {
    let words = Format::ALL.map(Format::extension);
    let schema = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("`pdf` for people, `csv` for machines."))
        .enum_values(Some(words));
    RefOr::T(Schema::Object(schema.default(Some("pdf".into())).build()))
}

impl FromQuery for Wanted {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let words = Format::ALL.map(|format| (format.extension(), format));
        let format = fields.optional("format", text::one_of(&words));
        Some(Self { format: format.unwrap_or(Format::Pdf) })
    }
}

/// A report as a file.
pub struct ReportFile {
    content: Bytes,
    format: Format,
    name: String,
}

impl IntoResponse for ReportFile {
    fn into_response(self) -> Response {
        let mut response = self.content.into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.format.media_type()));
        // The name is an EUI and a date, which are ASCII.
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        if let Ok(disposition) = HeaderValue::from_str(&disposition) {
            headers.insert(CONTENT_DISPOSITION, disposition);
        }
        response
    }
}

impl IntoResponses for ReportFile {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let file = |example: &str| {
            let schema = ObjectBuilder::new().schema_type(Type::String).build();
            let mut content = Content::new(Some(RefOr::T(Schema::Object(schema))));
            content.example = Some(example.into());
            content
        };
        let name = HeaderBuilder::new()
            .schema(Some(String::schema()))
            .description(Some("The name under which the file may be saved."));
        let response = ResponseBuilder::new()
            .description("The report.")
            .header("Content-Disposition", name.build())
            .content("application/pdf", file("%PDF-1.7 …"))
            .content("text/csv", file("field,date,value\ndev_eui,,70B3D57ED02A3654\n…"));
        BTreeMap::from([("200".to_owned(), response.build().into())])
    }
}

/// Download the final report of a previous owner
///
/// What the device measured while it was theirs: opening and closing value, total and every day. It is
/// made of the facts that were recorded when the device changed hands, and stays as it is whatever is
/// read or renamed later. Works for soft-deleted devices too.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}/ownership-history/{record_id}/report",
    operation_id = "get_ownership_report",
    tag = "devices",
    security(("api_key" = []), ("bearer" = [])),
    params(
        ("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"),
        ("record_id" = Uuid, Path, description = "UUID of the ownership record", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a15"),
        Wanted,
    ),
    responses(Errors<(codes::DeviceNotFound, codes::ReportNotFound)>),
)]
pub async fn ownership_report(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    RecordPath(record): RecordPath,
    Query(Wanted { format }): Query<Wanted>,
) -> Result<ReportFile, ApiError> {
    let record = OwnershipId::from_uuid(record);
    let found = service.db.read(&caller.scope, move |tx| reports::find(tx, device, record));
    let report = found.await?;
    let name = format.file_name(&report.facts);
    let content = service.reports.read(report, format).await.map_err(|error| {
        tracing::error!(%error, %record, "a report cannot be rendered");
        ApiError::internal()
    })?;
    Ok(ReportFile { content, format, name })
}
