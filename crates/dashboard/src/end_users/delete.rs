//! `POST /end-users/{id}/delete`

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use weir_app::end_users;

use crate::Dashboard;
use crate::forms::Form;
use crate::problem::Problem;
use crate::text::end_users as text;
use crate::visitor::Editor;

/// Deletes an end user, or says what is still assigned to them.
pub async fn delete(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(id): Path<String>,
    Form(_): Form,
) -> Result<Response, Problem> {
    let id = super::named(&id)?;
    let deleted = dashboard.db.write(&visitor.caller.scope, move |tx| {
        let name = end_users::find(tx, id)?.end_user.name;
        end_users::delete(tx, id)?;
        Ok(text::deleted(name.as_str()))
    });
    dashboard.after_deletion(super::PATH, id, deleted.await)
}
