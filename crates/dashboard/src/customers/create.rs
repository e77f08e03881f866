//! `GET` and `POST /customers/new`

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::customers;

use super::draft::Draft;
use crate::flash::Flash;
use crate::forms::Form;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::customers as text;
use crate::visitor::Editor;
use crate::{Dashboard, text as texts};

/// The page.
#[derive(Template)]
#[template(path = "customers/new.html")]
pub struct NewPage {
    frame: Frame,
    draft: Draft,
}

/// Shows an empty form.
pub async fn blank(visitor: Editor) -> Shown<NewPage> {
    Shown(NewPage { frame: visitor.frame(), draft: Draft::default() })
}

/// Creates a customer.
pub async fn create(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let mut draft = Draft::typed(&fields);
    let Some(new) = draft.read() else {
        let page = Shown(NewPage { frame: visitor.frame(), draft });
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
    };
    let env = dashboard.env.clone();
    let created =
        dashboard.db.write(&visitor.caller.scope, move |tx| customers::create(tx, &env, &new));
    let name = created.await?.customer.name;
    dashboard.send_on(super::PATH, Flash::success(text::created(name.as_str())))
}
