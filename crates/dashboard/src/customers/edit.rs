//! `GET` and `POST /customers/{id}`

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::customers;
use weir_domain::CustomerId;
use weir_store::CountedCustomer;

use super::draft::{Draft, change_into};
use crate::flash::Flash;
use crate::forms::Form;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::customers as text;
use crate::visitor::{Editor, Visitor};
use crate::{Dashboard, format, text as texts};

/// The page.
#[derive(Template)]
#[template(path = "customers/edit.html")]
pub struct EditPage {
    frame: Frame,
    id: String,
    name: String,
    devices: String,
    end_users: String,
    created: String,
    draft: Draft,
}

impl EditPage {
    fn of(visitor: &Visitor, counted: &CountedCustomer, draft: Draft) -> Self {
        let CountedCustomer { customer, devices, end_users } = counted;
        Self {
            frame: visitor.frame(),
            id: customer.id.to_string(),
            name: customer.name.to_string(),
            devices: format::number(*devices),
            end_users: format::number(*end_users),
            created: format::day(visitor.calendar.day_of(customer.created_at)),
            draft,
        }
    }
}

/// Shows it.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
) -> Result<Shown<EditPage>, Problem> {
    let found = find(&dashboard, &visitor, super::named(&id)?).await?;
    let draft = Draft::of(&found.customer);
    Ok(Shown(EditPage::of(&visitor, &found, draft)))
}

/// Changes the customer into what was typed.
pub async fn save(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let id = super::named(&id)?;
    let mut draft = Draft::typed(&fields);
    let Some(new) = draft.read() else {
        let found = find(&dashboard, &visitor, id).await?;
        let page = Shown(EditPage::of(&visitor, &found, draft));
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
    };
    let change = change_into(new);
    let saved =
        dashboard.db.write(&visitor.caller.scope, move |tx| customers::update(tx, id, &change));
    let name = saved.await?.customer.name;
    dashboard.send_on(super::PATH, Flash::success(text::saved(name.as_str())))
}

async fn find(
    dashboard: &Dashboard,
    visitor: &Visitor,
    id: CustomerId,
) -> Result<CountedCustomer, Problem> {
    Ok(dashboard.db.read(&visitor.caller.scope, move |tx| customers::find(tx, id)).await?)
}
