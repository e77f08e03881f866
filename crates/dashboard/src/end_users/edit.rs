//! `GET` and `POST /end-users/{id}`

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::{AppError, customers, end_users};
use weir_domain::{EndUserId, Refusal};

use super::draft::{Draft, change_into};
use crate::choice::{Choice, Offered};
use crate::flash::Flash;
use crate::forms::Form;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::end_users as text;
use crate::visitor::{Editor, Visitor};
use crate::{Dashboard, format, text as texts};

/// The page.
#[derive(Template)]
#[template(path = "end_users/edit.html")]
pub struct EditPage {
    frame: Frame,
    id: String,
    name: String,
    devices: String,
    created: String,
    customer: String,
    draft: Draft,
    choices: Vec<Choice>,
}

/// Shows it.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
) -> Result<Shown<EditPage>, Problem> {
    edit_page(&dashboard, &visitor, super::named(&id)?, None).await
}

/// Changes the end user into what was typed.
pub async fn save(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let id = super::named(&id)?;
    let mut draft = Draft::typed(&fields);
    if let Some(new) = draft.read() {
        let change = change_into(new);
        let saved =
            dashboard.db.write(&visitor.caller.scope, move |tx| end_users::update(tx, id, &change));
        match saved.await {
            Ok(saved) => {
                let told = text::saved(saved.end_user.name.as_str());
                return dashboard.send_on(super::PATH, Flash::success(told));
            }
            Err(AppError::Refused(refusal)) if refusal != Refusal::UserNotFound => {
                draft = draft.refused(&refusal);
            }
            Err(error) => return Err(error.into()),
        }
    }
    let page = edit_page(&dashboard, &visitor, id, Some(draft)).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

/// The page of an end user as they are, or with what somebody typed.
async fn edit_page(
    dashboard: &Dashboard,
    visitor: &Visitor,
    id: EndUserId,
    draft: Option<Draft>,
) -> Result<Shown<EditPage>, Problem> {
    let typed = draft.as_ref().map(|draft| draft.customer);
    let found = dashboard.db.read(&visitor.caller.scope, move |tx| {
        let found = end_users::find(tx, id)?;
        let own = match found.end_user.customer {
            Some(id) => Some(customers::find(tx, id)?.customer),
            None => None,
        };
        let offered = Offered::load(tx, typed.unwrap_or(found.end_user.customer))?;
        Ok::<_, AppError>((found, own, offered))
    });
    let (found, own, offered) = found.await?;
    let draft = draft.unwrap_or_else(|| Draft::of(&found.end_user));
    Ok(Shown(EditPage {
        frame: visitor.frame(),
        id: id.to_string(),
        name: found.end_user.name.to_string(),
        devices: format::number(found.devices),
        created: format::day(visitor.calendar.day_of(found.end_user.created_at)),
        customer: own.map(|own| own.name.to_string()).unwrap_or_default(),
        choices: offered.choices,
        draft,
    }))
}
