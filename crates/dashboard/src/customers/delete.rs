//! `POST /customers/{id}/delete`

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use weir_app::customers;

use crate::Dashboard;
use crate::forms::Form;
use crate::problem::Problem;
use crate::text::customers as text;
use crate::visitor::Editor;

/// Deletes a customer, or says what still belongs to it.
pub async fn delete(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
    Form(_): Form,
) -> Result<Response, Problem> {
    let id = super::named(&id)?;
    let deleted = dashboard.db.write(&visitor.caller.scope, move |tx| {
        let name = customers::find(tx, id)?.customer.name;
        customers::delete(tx, id)?;
        Ok(text::deleted(name.as_str()))
    });
    dashboard.after_deletion(super::PATH, id, deleted.await)
}
