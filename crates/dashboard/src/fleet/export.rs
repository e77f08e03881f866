//! `GET /devices/export.csv`: the devices that are shown, on all pages, as a table.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use weir_app::devices::{self, DeviceInList, DeviceQuery};
use weir_domain::Timestamp;
use weir_report::harmless;
use weir_store::{Page, Scope};

use super::filter::Filter;
use crate::Dashboard;
use crate::forms::Fields;
use crate::problem::Problem;
use crate::text::fleet as text;
use crate::visitor::Visitor;

/// How many devices are read at a time, so that a large fleet never lies in memory as a whole.
const CHUNK: u32 = 500;

const COLUMNS: [&str; 13] = [
    "device_id",
    "dev_eui",
    "name",
    "device_name",
    "status",
    "is_active",
    "is_principal",
    "hierarchy_level",
    "customer",
    "last_consumption_m3",
    "battery_level",
    "last_reading_at",
    "created_at",
];

/// Hands the table out as a file.
pub async fn export(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let filter = Filter::of(&Fields::parse(query.unwrap_or_default().as_bytes()));
    let query = filter
        .query()
        .map_err(|wrong| Problem::Refused(text::misunderstood(wrong.field, &wrong.reason)))?;
    let export = Export { dashboard, scope: visitor.caller.scope.clone(), query };
    // The first part is read here, so that what fails at once is a page and not half a file.
    let first = export.part(0).await?;
    let rest = stream::unfold((export, Some(first)), |(export, part)| async move {
        let Part { content, next } = part?;
        let following = match next {
            None => None,
            Some(offset) => match export.part(offset).await {
                Ok(part) => Some(part),
                Err(problem) => {
                    tracing::warn!(?problem, "an export breaks off");
                    return Some((Err(std::io::Error::other("the store failed")), (export, None)));
                }
            },
        };
        Some((Ok::<_, std::io::Error>(content), (export, following)))
    });
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"devices.csv\""),
    ];
    // Compression asks once more after the end, which an unfolded stream answers with a panic.
    Ok((headers, Body::from_stream(rest.fuse())).into_response())
}

struct Export {
    dashboard: Arc<Dashboard>,
    scope: Scope,
    query: DeviceQuery,
}

/// A part of the file, and where the next one begins.
struct Part {
    content: Bytes,
    next: Option<u64>,
}

impl Export {
    async fn part(&self, offset: u64) -> Result<Part, Problem> {
        let (env, query) = (self.dashboard.env.clone(), self.query.clone());
        let page = Page { limit: CHUNK, offset };
        let read = self
            .dashboard
            .db
            .read(&self.scope, move |tx| devices::list(tx, &env, &query, page, true));
        let list = read.await?;
        let content = table(&list.devices, offset == 0, self.dashboard.env.now());
        let content = content.map_err(|error| {
            tracing::error!(%error, "a table cannot be written");
            Problem::Internal
        })?;
        let next = (list.devices.len() == CHUNK as usize).then(|| offset + u64::from(CHUNK));
        Ok(Part { content, next })
    }
}

fn table(
    devices: &[DeviceInList],
    has_head: bool,
    now: Timestamp,
) -> Result<Bytes, Box<dyn std::error::Error + Send + Sync>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    if has_head {
        table.write_record(COLUMNS)?;
    }
    for listed in devices {
        table.write_record(cells(listed, now))?;
    }
    Ok(table.into_inner()?.into())
}

fn cells(DeviceInList { device, trend }: &DeviceInList, now: Timestamp) -> [String; 13] {
    let name = |name: Option<&weir_domain::Name>| {
        name.map(|name| harmless(name.to_string())).unwrap_or_default()
    };
    let text = |value: Option<&dyn ToString>| value.map(ToString::to_string).unwrap_or_default();
    let volume = trend.as_deref().and_then(<[_]>::last).map(|volume| volume.cubic_metres());
    let battery = device.telemetry.battery.map(|battery| battery.volts());
    [
        device.id.to_string(),
        device.dev_eui.to_string(),
        name(Some(&device.name)),
        name(device.telemetry.device_name.as_ref()),
        device.status_at(now).to_string(),
        device.is_active.to_string(),
        device.is_principal.to_string(),
        device.hierarchy_level.to_string(),
        name(device.customer_name.as_ref()),
        text(volume.as_ref().map(|volume| volume as &dyn ToString)),
        text(battery.as_ref().map(|battery| battery as &dyn ToString)),
        text(device.telemetry.last_reading_at.as_ref().map(|at| at as &dyn ToString)),
        device.created_at.to_string(),
    ]
}
