//! `GET /devices/{device}/reports/{record}.{format}`: the final report of a previous owner.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use uuid::Uuid;
use weir_app::reports;
use weir_domain::OwnershipId;
use weir_report::Format;

use crate::Dashboard;
use crate::problem::Problem;
use crate::visitor::Visitor;

/// Hands a report out as a file.
pub async fn download(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    Path((device, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let device = super::named(&device)?;
    let (record, format) = read(&file).ok_or(Problem::NotFound)?;
    let found =
        dashboard.db.read(&visitor.caller.scope, move |tx| reports::find(tx, device, record));
    let report = found.await?;
    let name = format.file_name(&report.facts);
    let content = dashboard.reports.read(report, format).await.map_err(|error| {
        tracing::error!(%error, %record, "a report cannot be rendered");
        Problem::Internal
    })?;
    let headers = [
        (CONTENT_TYPE, format.media_type().to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, content).into_response())
}

/// The record and the format that a file's name tells.
fn read(file: &str) -> Option<(OwnershipId, Format)> {
    let (record, extension) = file.split_once('.')?;
    let format = Format::ALL.into_iter().find(|format| format.extension() == extension)?;
    Some((OwnershipId::from_uuid(Uuid::try_parse(record).ok()?), format))
}
