//! `POST /end-users/{id}/delete`

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use weir_app::{AppError, end_users};
use weir_domain::Refusal;

use crate::Dashboard;
use crate::flash::Flash;
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
        Ok::<_, AppError>(name)
    });
    match deleted.await {
        Ok(name) => dashboard.send_on(super::PATH, Flash::success(text::deleted(name.as_str()))),
        Err(AppError::Refused(refusal @ Refusal::StillReferred { .. })) => {
            let page = format!("{}/{id}", super::PATH);
            dashboard.send_on(&page, Flash::failure(refusal.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}
