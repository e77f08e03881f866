//! `GET /end-users`

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::{AppResult, end_users};
use weir_domain::CustomerId;
use weir_store::{CountedEndUser, CustomerFilter, EndUserFilter, Page, ReadTx};

use crate::choice::{Choice, Offered};
use crate::forms::Fields;
use crate::frame::Frame;
use crate::paging::{self, Paging};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::visitor::Visitor;
use crate::{Dashboard, customers, format, text};

/// What asks for those who belong to no customer.
const NONE: &str = "none";

/// The page.
#[derive(Template)]
#[template(path = "end_users/list.html")]
pub struct ListPage {
    frame: Frame,
    search: String,
    is_narrowed: bool,
    is_without: bool,
    choices: Vec<Choice>,
    rows: Vec<Row>,
    paging: Paging,
}

/// An end user in the list.
struct Row {
    id: String,
    name: String,
    email: String,
    customer: String,
    devices: String,
    created: String,
}

/// What is loaded for it.
struct Listed {
    end_users: Vec<CountedEndUser>,
    total: u64,
    customers: Offered,
    /// Of the end users' customers.
    names: HashMap<CustomerId, String>,
}

/// Shows it.
pub async fn list(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ListPage>, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let page = paging::asked_for(&query);
    let chosen = customers::chosen(&query);
    let is_without = query.text("customer") == NONE;
    let filter = EndUserFilter {
        customer: match chosen {
            Some(customer) => Some(CustomerFilter::Of(customer)),
            None => is_without.then_some(CustomerFilter::Unassociated),
        },
        search: query.filled("search").map(str::to_owned),
    };
    let is_narrowed = filter != EndUserFilter::default();
    let listed =
        dashboard.db.read(&visitor.caller.scope, move |tx| load(tx, &filter, chosen, page));
    let listed = listed.await?;
    let search = query.filled("search").unwrap_or_default();
    let kept = [("search", search), ("customer", query.text("customer"))];
    let row = |CountedEndUser { end_user, devices }| Row {
        id: end_user.id.to_string(),
        name: format::cell(end_user.name.as_str()),
        email: format::cell(&end_user.email.unwrap_or_default()),
        customer: end_user
            .customer
            .and_then(|id| listed.names.get(&id))
            .map(|name| format::cell(name))
            .unwrap_or_default(),
        devices: format::number(devices),
        created: format::day(visitor.calendar.day_of(end_user.created_at)),
    };
    Ok(Shown(ListPage {
        frame: visitor.frame(),
        search: search.to_owned(),
        is_narrowed,
        is_without,
        choices: listed.customers.choices,
        paging: Paging::around(super::PATH, &kept, page, listed.total),
        rows: listed.end_users.into_iter().map(row).collect(),
    }))
}

fn load(
    tx: &mut dyn ReadTx,
    filter: &EndUserFilter,
    chosen: Option<CustomerId>,
    page: Page,
) -> AppResult<Listed> {
    let (end_users, total) = end_users::list(tx, filter, page)?;
    let customers = Offered::load(tx, chosen)?;
    let mut names = HashMap::new();
    for id in end_users.iter().filter_map(|counted| counted.end_user.customer) {
        if !names.contains_key(&id)
            && let Some(counted) = tx.customer_by_id(id)?
        {
            names.insert(id, counted.customer.name.to_string());
        }
    }
    Ok(Listed { end_users, total, customers, names })
}
