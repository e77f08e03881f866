//! `GET /customers`

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::customers;
use weir_store::CountedCustomer;

use crate::forms::Fields;
use crate::frame::Frame;
use crate::paging::{self, Paging};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::visitor::Visitor;
use crate::{Dashboard, format, text};

/// The page.
#[derive(Template)]
#[template(path = "customers/list.html")]
pub struct ListPage {
    frame: Frame,
    search: String,
    rows: Vec<Row>,
    paging: Paging,
}

/// A customer in the list.
struct Row {
    id: String,
    name: String,
    email: String,
    devices: String,
    end_users: String,
    created: String,
}

impl Row {
    fn of(visitor: &Visitor, counted: CountedCustomer) -> Self {
        let CountedCustomer { customer, devices, end_users } = counted;
        Self {
            id: customer.id.to_string(),
            name: format::cell(customer.name.as_str()),
            email: format::cell(&customer.email.unwrap_or_default()),
            devices: format::number(devices),
            end_users: format::number(end_users),
            created: format::day(visitor.calendar.day_of(customer.created_at)),
        }
    }
}

/// Shows it.
pub async fn list(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ListPage>, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let (search, page) = (query.filled("search").map(str::to_owned), paging::asked_for(&query));
    let wanted = search.clone();
    let found = dashboard
        .db
        .read(&visitor.caller.scope, move |tx| customers::list(tx, wanted.as_deref(), page));
    let (found, total) = found.await?;
    let search = search.unwrap_or_default();
    Ok(Shown(ListPage {
        frame: visitor.frame(),
        paging: Paging::around(super::PATH, &[("search", &search)], page, total),
        rows: found.into_iter().map(|counted| Row::of(&visitor, counted)).collect(),
        search,
    }))
}
