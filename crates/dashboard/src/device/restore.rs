//! `POST /devices/{device}/restore`: a deleted device comes back.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use weir_app::{AppError, devices};

use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::Form;
use crate::problem::Problem;
use crate::text::device as text;
use crate::visitor::Editor;

/// Restores a device.
pub async fn restore(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(device): Path<String>,
    Form(_): Form,
) -> Result<Response, Problem> {
    let named = super::named(&device)?;
    let (scope, env) = (editor.caller.scope.clone(), dashboard.env.clone());
    let restored = dashboard
        .db
        .write(&editor.caller.scope, move |tx| devices::restore(tx, &scope, &env, named));
    let page = format!("/devices/{device}");
    match restored.await {
        Ok(device) => {
            dashboard.send_on(&page, Flash::success(text::restored(device.name.as_str())))
        }
        // Somebody else goes by its EUI by now: the page is still there to be read.
        Err(AppError::Refused(refusal)) if !refusal.code().ends_with("NOT_FOUND") => {
            dashboard.send_on(&page, Flash::failure(refusal.to_string()))
        }
        Err(error) => Err(error.into()),
    }
}
