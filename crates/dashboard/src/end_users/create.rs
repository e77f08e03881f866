//! `GET` and `POST /end-users/new`

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::{AppError, end_users};

use super::draft::Draft;
use crate::choice::{Choice, Offered};
use crate::flash::Flash;
use crate::forms::{Fields, Form};
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::end_users as text;
use crate::visitor::{Editor, Visitor};
use crate::{Dashboard, text as texts};

/// The page.
#[derive(Template)]
#[template(path = "end_users/new.html")]
pub struct NewPage {
    frame: Frame,
    draft: Draft,
    choices: Vec<Choice>,
}

/// Shows an empty form; the customer may be chosen already.
pub async fn blank(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Result<Shown<NewPage>, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    new_page(&dashboard, &visitor, Draft::typed(&query)).await
}

/// Creates an end user.
pub async fn create(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let mut draft = Draft::typed(&fields);
    if let Some(new) = draft.read() {
        let env = dashboard.env.clone();
        let created =
            dashboard.db.write(&visitor.caller.scope, move |tx| end_users::create(tx, &env, &new));
        match created.await {
            Ok(created) => {
                let told = text::created(created.end_user.name.as_str());
                return dashboard.send_on(super::PATH, Flash::success(told));
            }
            Err(AppError::Refused(refusal)) => draft = draft.refused(&refusal),
            Err(error) => return Err(error.into()),
        }
    }
    let page = new_page(&dashboard, &visitor, draft).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

async fn new_page(
    dashboard: &Dashboard,
    visitor: &Visitor,
    draft: Draft,
) -> Result<Shown<NewPage>, Problem> {
    let chosen = draft.customer;
    let offered = dashboard.db.read(&visitor.caller.scope, move |tx| Offered::load(tx, chosen));
    let choices = offered.await?.choices;
    Ok(Shown(NewPage { frame: visitor.frame(), draft, choices }))
}
