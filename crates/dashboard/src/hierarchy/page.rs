//! `GET /hierarchy`: principal meters with all that hang below them.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::devices::{self, DeviceInList, DeviceQuery, DeviceRef};
use weir_app::{AppError, AppResult, Env};
use weir_store::{Page, ReadTx};

use super::consumed::DAYS;
use super::rows::{Row, Writer};
use super::tree::grow;
use crate::Dashboard;
use crate::forms::Fields;
use crate::frame::Frame;
use crate::paging::{self, Paging};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::hierarchy as text;
use crate::visitor::Visitor;

/// The path of the page.
const PATH: &str = "/hierarchy";
/// How many principal meters a page shows.
const PER_PAGE: u32 = 10;
/// How many meters below them it has room for.
const ROOM: usize = 150;
/// How many sub-meters of one that is looked at by itself a page shows, with room for those below them.
const SUB_METERS: u32 = 100;

/// How many meters a search finds.
const FOUND: Page = Page { limit: 20, offset: 0 };

/// A meter that was searched for, to be looked at or dragged to its place.
pub struct Found {
    id: String,
    name: String,
    dev_eui: String,
}

/// The page.
#[derive(Template)]
#[template(path = "hierarchy/page.html")]
pub struct HierarchyPage {
    frame: Frame,
    span: String,
    is_part: bool,
    search: String,
    found: Vec<Found>,
    trees: Vec<Vec<Row>>,
    paging: Paging,
}

/// Shows the trees of principal meters, newest first as the fleet has them, or the one below a device
/// that is asked for.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<HierarchyPage>, Problem> {
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let root = fields.filled("root").map(crate::device::named).transpose()?;
    let (env, page) = (dashboard.env.clone(), paging::asked_for(&fields));
    let search = fields.filled("search").map(str::to_owned);
    let sought = search.clone();
    let seen = dashboard.db.read(&visitor.caller.scope, move |tx| {
        let trees = match root {
            Some(root) => one(tx, &env, root, page)?,
            None => principal(tx, &env, page)?,
        };
        Ok::<_, AppError>((trees, find(tx, &env, sought.clone())?))
    });
    let ((rows, paging), found) = seen.await?;
    Ok(Shown(HierarchyPage {
        frame: visitor.frame(),
        span: text::span(DAYS),
        is_part: root.is_some(),
        search: search.unwrap_or_default(),
        found,
        trees: apart(rows),
        paging,
    }))
}

/// Each tree by itself.
fn apart(rows: Vec<Row>) -> Vec<Vec<Row>> {
    let mut trees: Vec<Vec<Row>> = Vec::new();
    for row in rows {
        match trees.last_mut() {
            Some(tree) if row.depth > 0 => tree.push(row),
            _ => trees.push(vec![row]),
        }
    }
    trees
}

/// A page of the meters below one.
fn one(
    tx: &mut dyn ReadTx,
    env: &Env,
    root: DeviceRef,
    asked: Page,
) -> AppResult<(Vec<Row>, Paging)> {
    let root = devices::find(tx, root)?;
    let tree = grow(tx, root, env.now())?;
    let total = tree.below.len();
    let page = paging::within(Page { limit: SUB_METERS, ..asked }, total as u64);
    let from = usize::try_from(page.offset).unwrap_or(total).min(total);
    let until = (from + SUB_METERS as usize).min(total);
    let mut writer = Writer::new(ROOM - SUB_METERS as usize, env.now());
    writer.write_part(&tree, &tree.below[from..until]);
    let kept = [("root", &*tree.device.id.to_string())];
    Ok((writer.rows(), Paging::around(PATH, &kept, page, total as u64)))
}

/// A page of principal meters with all that hang below them.
fn principal(tx: &mut dyn ReadTx, env: &Env, asked: Page) -> AppResult<(Vec<Row>, Paging)> {
    let query = DeviceQuery { is_principal: Some(true), ..DeviceQuery::default() };
    let page = Page { limit: PER_PAGE, ..asked };
    let (devices, page, total) = paging::read(page, |page| {
        let list = devices::list(tx, env, &query, page, false)?;
        Ok((list.devices, list.total))
    })?;
    let mut writer = Writer::new(ROOM, env.now());
    for listed in devices {
        writer.write(&grow(tx, listed.device, env.now())?, 0);
    }
    Ok((writer.rows(), Paging::around(PATH, &[], page, total)))
}

fn find(tx: &mut dyn ReadTx, env: &Env, search: Option<String>) -> AppResult<Vec<Found>> {
    if search.is_none() {
        return Ok(Vec::new());
    }
    let query = DeviceQuery { search, ..DeviceQuery::default() };
    let list = devices::list(tx, env, &query, FOUND, false)?;
    let found = list.devices.into_iter().map(|DeviceInList { device, .. }| Found {
        id: device.id.to_string(),
        name: device.name.into(),
        dev_eui: device.dev_eui.to_string(),
    });
    Ok(found.collect())
}
