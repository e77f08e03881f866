//! `GET /devices`: the list of the fleet.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::devices::DeviceQuery;
use weir_app::{AppResult, Env, customers};
use weir_store::{CountedCustomer, CustomerFilter, Page, ReadTx};

use super::choices::{Choice, choices};
use super::filter::Filter;
use super::pages::{self, Listed, Pages};
use super::row::Row;
use crate::Dashboard;
use crate::forms::Fields;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::fleet as text;
use crate::visitor::Visitor;

/// How many devices a page shows.
const PER_PAGE: u32 = 50;
/// How many customers the filter lets choose from; those of others are reached from their customer.
const CUSTOMERS: u32 = 200;

/// The page.
#[derive(Template)]
#[template(path = "fleet/list.html")]
pub struct ListPage {
    frame: Frame,
    filter: Filter,
    choices: Vec<Choice>,
    problem: Option<String>,
    rows: Vec<Row>,
    found: String,
    export: String,
    pages: Option<Pages>,
}

/// Shows the list, newest first as the use case has it.
pub async fn list(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ListPage>, Problem> {
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let (filter, number) = (Filter::of(&fields), pages::asked(&fields));
    let (query, problem) = match filter.query() {
        Ok(query) => (Some(query), None),
        Err(wrong) => (None, Some(text::misunderstood(wrong.field, &wrong.reason))),
    };
    let env = dashboard.env.clone();
    let read =
        dashboard.db.read(&visitor.caller.scope, move |tx| look(tx, &env, query.as_ref(), number));
    let (listed, customers) = read.await?;
    let (devices, total) = match &listed {
        Some(listed) => (&*listed.list.devices, listed.list.total),
        None => (&[][..], 0),
    };
    let (now, calendar) = (dashboard.env.now(), &visitor.calendar);
    let at = |page: u64| filter.address("/devices", &[("page", page.to_string())]);
    Ok(Shown(ListPage {
        frame: visitor.frame(),
        choices: choices(&filter, &customers),
        problem,
        rows: devices.iter().map(|device| Row::of(device, calendar, now)).collect(),
        found: text::found(total),
        export: filter.address("/devices/export.csv", &[]),
        pages: listed.map(|listed| listed.pages(at)),
        filter,
    }))
}

/// A page of the devices that are asked for, and the customers to choose from.
fn look(
    tx: &mut dyn ReadTx,
    env: &Env,
    query: Option<&DeviceQuery>,
    number: u64,
) -> AppResult<(Option<Listed>, Vec<CountedCustomer>)> {
    let (mut customers, _) = customers::list(tx, None, Page { limit: CUSTOMERS, offset: 0 })?;
    let Some(query) = query else { return Ok((None, customers)) };
    for filter in &query.customers {
        if let CustomerFilter::Of(id) = *filter
            && !customers.iter().any(|counted| counted.customer.id == id)
        {
            customers.extend(tx.customer_by_id(id)?);
        }
    }
    let listed = Listed::read(tx, env, query, (number, PER_PAGE), true)?;
    Ok((Some(listed), customers))
}
