//! `POST /devices/bulk`: something is done with devices that were selected.
//!
//! The first time it is asked for, a page asks once more and lets choose for whom; that page sends the
//! same form again, and what became of each device is shown.

mod action;
mod change;
mod confirm;
mod results;
mod target;

use std::collections::HashSet;
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use uuid::Uuid;
use weir_domain::DeviceId;

use action::Action;
use change::Change;

use super::filter::Filter;
use super::list::PATH;
use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Fields, Form};
use crate::paging;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::bulk as text;
use crate::visitor::Editor;

/// How many devices can be selected.
const MOST: usize = 1_000;
/// How many characters of a name can be searched for.
const LONGEST_SEARCH: usize = 255;
/// How many characters of a name are shown.
const SHOWN: usize = 60;

/// What was selected, and what is to be done with it.
struct Asked {
    action: Action,
    /// Each once, in the order in which they were named.
    ids: Vec<DeviceId>,
    /// A part of the name of whom it is for.
    search: String,
    /// Whether it was confirmed.
    is_confirmed: bool,
    /// The query of the list that they were selected from, where it was one.
    back: Option<String>,
}

impl Asked {
    fn read(fields: &Fields) -> Result<Self, Problem> {
        let action = Action::parse(fields.text("action")).ok_or(Problem::NotFound)?;
        let mut seen = HashSet::new();
        let ids = fields.all("ids").flat_map(str::split_whitespace);
        let ids = ids.filter_map(|id| Uuid::try_parse(id).ok());
        let ids: Vec<DeviceId> =
            ids.map(DeviceId::from_uuid).filter(|&id| seen.insert(id)).collect();
        if ids.len() > MOST {
            return Err(Problem::Refused(text::too_many(MOST)));
        }
        let searched = fields.filled("search").unwrap_or_default();
        Ok(Self {
            action,
            ids,
            search: searched.chars().take(LONGEST_SEARCH).collect(),
            is_confirmed: fields.text("step") == "do",
            back: fields.filled("back").map(|query| {
                let query = Fields::parse(query.as_bytes());
                paging::words(&Filter::of(&query).pairs(), paging::asked_for(&query))
            }),
        })
    }

    /// Where one goes on from here: to the list as it was, or to the one device that it was about.
    fn way_on(&self) -> String {
        match (&self.back, &*self.ids) {
            (Some(query), _) => format!("{PATH}?{query}"),
            (None, [only]) => format!("{PATH}/{only}"),
            (None, _) => PATH.to_owned(),
        }
    }
}

/// Asks once more, or does it.
pub async fn bulk(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let asked = Asked::read(&fields)?;
    if asked.ids.is_empty() {
        return dashboard.send_on(&asked.way_on(), Flash::failure(text::NOTHING_SELECTED));
    }
    if !asked.is_confirmed {
        return Ok(Shown(confirm::page(&editor, &dashboard, asked, "").await?).into_response());
    }
    match asked.action.change(&fields) {
        Some(change) => carry_out(&editor, &dashboard, asked, change).await,
        None => {
            let page = confirm::page(&editor, &dashboard, asked, text::CHOOSE).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response())
        }
    }
}

async fn carry_out(
    editor: &Editor,
    dashboard: &Dashboard,
    asked: Asked,
    change: Change,
) -> Result<Response, Problem> {
    let (scope, env, ids) = (editor.caller.scope.clone(), dashboard.env.clone(), asked.ids.clone());
    let done = dashboard
        .db
        .write(&editor.caller.scope, move |tx| change.carry_out(tx, &scope, &env, &ids));
    let outcomes = done.await?;
    if change.hands_over() {
        let done = outcomes.iter().filter(|outcome| outcome.refusal.is_none());
        dashboard.reports.prepare(&editor.caller.scope, done.map(|outcome| outcome.id));
    }
    match &*outcomes {
        [only] => {
            let flash = match &only.refusal {
                None => Flash::success(text::done(asked.action.done(), 1, 0)),
                Some(refusal) => Flash::failure(refusal.to_string()),
            };
            let is_gone = only.device.is_none() && asked.back.is_none();
            let page = if is_gone { PATH.to_owned() } else { asked.way_on() };
            dashboard.send_on(&page, flash)
        }
        many => Ok(Shown(results::page(editor, &asked, many)).into_response()),
    }
}
