//! `GET /devices`: the list of the fleet.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::devices::{self, DeviceInList, DeviceQuery};
use weir_app::{AppResult, Env};
use weir_store::{CustomerFilter, Page, ReadTx};

use super::choices::{Choice, choices};
use super::filter::Filter;
use super::order::{Head, heads};
use super::row::Row;
use crate::Dashboard;
use crate::choice::Offered;
use crate::forms::Fields;
use crate::frame::Frame;
use crate::paging::{self, Paging};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::fleet as text;
use crate::visitor::Visitor;

/// The path of the list.
pub(super) const PATH: &str = "/devices";

/// The page.
#[derive(Template)]
#[template(path = "fleet/list.html")]
pub struct ListPage {
    frame: Frame,
    choices: Vec<Choice>,
    other_customers: Option<String>,
    problem: Option<String>,
    heads: Vec<Head>,
    rows: Vec<Row>,
    found: String,
    order: &'static str,
    export: String,
    cleared: String,
    back: String,
    paging: Paging,
    filter: Filter,
}

/// What is loaded for it.
struct Listed {
    devices: Vec<DeviceInList>,
    page: Page,
    total: u64,
    customers: Offered,
}

/// Shows the list.
pub async fn list(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ListPage>, Problem> {
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let (filter, page) = (Filter::of(&fields), paging::asked_for(&fields));
    let (query, problem) = match filter.query() {
        Ok(query) => (Some(query), None),
        Err(wrong) => (None, Some(text::misunderstood(wrong.field, &wrong.reason))),
    };
    let order = query.as_ref().map(|query| query.order).unwrap_or_default();
    let env = dashboard.env.clone();
    let read =
        dashboard.db.read(&visitor.caller.scope, move |tx| look(tx, &env, query.as_ref(), page));
    let Listed { devices, page, total, customers } = read.await?;
    let (now, calendar) = (dashboard.env.now(), &visitor.calendar);
    let paging = Paging::around(PATH, &filter.pairs(), page, total);
    Ok(Shown(ListPage {
        frame: visitor.frame(),
        choices: choices(&filter, &customers),
        other_customers: customers.others_text(),
        problem,
        heads: heads(&filter, order),
        rows: devices.iter().map(|device| Row::of(device, calendar, now)).collect(),
        found: text::found(total),
        order: text::order(order),
        export: filter.address("/devices/export.csv"),
        cleared: filter.cleared().address(PATH),
        back: paging::words(&filter.pairs(), page),
        paging,
        filter,
    }))
}

/// A page of the devices that are asked for, and the customers to choose from.
fn look(
    tx: &mut dyn ReadTx,
    env: &Env,
    query: Option<&DeviceQuery>,
    page: Page,
) -> AppResult<Listed> {
    let chosen = query.and_then(|query| query.customers.iter().find_map(one_customer));
    let customers = Offered::load(tx, chosen)?;
    let Some(query) = query else {
        return Ok(Listed { devices: Vec::new(), page, total: 0, customers });
    };
    let (devices, page, total) = paging::read(page, |page| {
        let list = devices::list(tx, env, query, page, true)?;
        Ok((list.devices, list.total))
    })?;
    Ok(Listed { devices, page, total, customers })
}

fn one_customer(filter: &CustomerFilter) -> Option<weir_domain::CustomerId> {
    match filter {
        CustomerFilter::Of(id) => Some(*id),
        CustomerFilter::Unassociated => None,
    }
}
