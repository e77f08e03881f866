//! `/hierarchy/move`: a meter is hung below another one, or taken out from below one.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::devices::{self, DeviceQuery, DeviceRef};
use weir_app::{AppError, AppResult, Env};
use weir_domain::Device;
use weir_store::{Page, ReadTx};

use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Fields, Form};
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::hierarchy as text;
use crate::visitor::Editor;

/// How many meters are offered at once; a search finds the others.
const OFFERED: Page = Page { limit: 50, offset: 0 };

/// A meter below which another one can hang.
pub struct Place {
    id: String,
    name: String,
    dev_eui: String,
    is_chosen: bool,
}

/// The page.
#[derive(Template)]
#[template(path = "hierarchy/move.html")]
pub struct MovePage {
    frame: Frame,
    device: String,
    question: String,
    search: String,
    places: Vec<Place>,
    has_parent: bool,
    others: Option<String>,
    complaint: String,
}

/// Lets choose the place.
pub async fn form(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<MovePage>, Problem> {
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    Ok(Shown(page(&editor, &dashboard, &fields, String::new()).await?))
}

/// Moves it.
pub async fn carry_out(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let device = crate::device::named(fields.text("device"))?;
    let parent = match fields.filled("parent") {
        None => None,
        Some(parent) => match crate::device::named(parent)? {
            DeviceRef::Id(id) => Some(id),
            DeviceRef::Eui(_) => return Err(Problem::NotFound),
        },
    };
    let env = dashboard.env.clone();
    let moved = dashboard
        .db
        .write(&editor.caller.scope, move |tx| devices::set_parent(tx, &env, device, parent));
    match moved.await {
        Ok(moved) => {
            let told = text::moved(moved.name.as_str(), moved.hierarchy_level);
            // Whoever dragged it goes on with the tree.
            let page = match fields.text("back") {
                "tree" => "/hierarchy".to_owned(),
                _ => format!("/devices/{}", moved.id),
            };
            dashboard.send_on(&page, Flash::success(told))
        }
        Err(AppError::Refused(refusal)) if refusal.code() != "DEVICE_NOT_FOUND" => {
            let page = page(&editor, &dashboard, &fields, refusal.to_string()).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response())
        }
        Err(error) => Err(error.into()),
    }
}

async fn page(
    editor: &Editor,
    dashboard: &Dashboard,
    fields: &Fields,
    complaint: String,
) -> Result<MovePage, Problem> {
    let device = crate::device::named(fields.text("device"))?;
    let search = fields.filled("search").map(str::to_owned);
    let (env, sought) = (dashboard.env.clone(), search.clone());
    let found =
        dashboard.db.read(&editor.caller.scope, move |tx| look(tx, &env, device, sought.clone()));
    let (device, places, total) = found.await?;
    let others = total.saturating_sub(u64::from(OFFERED.limit));
    let chosen = fields.filled("parent").map(str::to_owned);
    let chosen = chosen.or_else(|| device.parent.map(|parent| parent.to_string()));
    let place = |place: Device| Place {
        is_chosen: Some(place.id.to_string()) == chosen,
        id: place.id.to_string(),
        name: place.name.into(),
        dev_eui: place.dev_eui.to_string(),
    };
    Ok(MovePage {
        frame: editor.frame(),
        device: device.id.to_string(),
        question: text::question(device.name.as_str()),
        search: search.unwrap_or_default(),
        has_parent: chosen.is_some(),
        places: places.into_iter().map(place).collect(),
        others: (others > 0).then(|| text::others(others)),
        complaint,
    })
}

/// The device, some of the others, its parent first, and how many fit the search.
fn look(
    tx: &mut dyn ReadTx,
    env: &Env,
    device: DeviceRef,
    search: Option<String>,
) -> AppResult<(Device, Vec<Device>, u64)> {
    let device = devices::find(tx, device)?;
    let query = DeviceQuery { search, ..DeviceQuery::default() };
    let list = devices::list(tx, env, &query, OFFERED, false)?;
    let mut places: Vec<Device> = match device.parent {
        Some(parent) => tx.device_by_id(parent)?.into_iter().filter(Device::is_live).collect(),
        None => Vec::new(),
    };
    let offered = list.devices.into_iter().map(|listed| listed.device);
    places.extend(offered.filter(|each| each.id != device.id && Some(each.id) != device.parent));
    Ok((device, places, list.total))
}
