//! `GET /unregistered-devices`

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::{AppError, sightings};
use weir_domain::Timestamp;
use weir_store::Sighting;

use crate::choice::{Choice, Offered};
use crate::forms::Fields;
use crate::frame::Frame;
use crate::paging::{self, Paging};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::visitor::Visitor;
use crate::{Dashboard, customers, format, text};

/// The page.
#[derive(Template)]
#[template(path = "unregistered/list.html")]
pub struct ListPage {
    frame: Frame,
    choices: Vec<Choice>,
    rows: Vec<Row>,
    paging: Paging,
}

/// A device in the list.
struct Row {
    eui: String,
    name: String,
    first_seen: String,
    last_seen: String,
    messages: String,
}

impl Row {
    fn of(visitor: &Visitor, Sighting { dev_eui, telemetry }: Sighting) -> Self {
        let moment = |at: Option<Timestamp>| {
            at.map(|at| format::moment(&visitor.calendar, at)).unwrap_or_default()
        };
        Self {
            eui: dev_eui.to_string(),
            name: telemetry.device_name.map(|name| name.to_string()).unwrap_or_default(),
            first_seen: moment(telemetry.first_seen_at),
            last_seen: moment(telemetry.last_seen_at),
            messages: format::number(telemetry.message_count),
        }
    }
}

/// Shows it. The customer for whom somebody adopted last stays chosen.
pub async fn list(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ListPage>, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let page = paging::asked_for(&query);
    let customer = customers::chosen(&query);
    let found = dashboard.db.read(&visitor.caller.scope, move |tx| {
        Ok::<_, AppError>((sightings::list(tx, page)?, Offered::load(tx, customer)?))
    });
    let ((found, total), customers) = found.await?;
    Ok(Shown(ListPage {
        frame: visitor.frame(),
        choices: customers.choices,
        paging: Paging::around(super::PATH, &[("customer", query.text("customer"))], page, total),
        rows: found.into_iter().map(|sighting| Row::of(&visitor, sighting)).collect(),
    }))
}
