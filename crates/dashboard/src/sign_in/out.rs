//! `POST /sign-out`

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;

use crate::Dashboard;
use crate::forms::Form;
use crate::problem::Problem;
use crate::visitor::{SIGN_IN, SignedIn};

/// Ends the session, here at once and on other nodes within a minute.
pub async fn sign_out(
    visitor: SignedIn,
    State(dashboard): State<Arc<Dashboard>>,
    Form(_): Form,
) -> Result<Response, Problem> {
    dashboard.sign_in.end_session(visitor.session).await?;
    let forget = dashboard.sign_in.no_session_cookie()?;
    Ok(([(SET_COOKIE, forget)], Redirect::to(SIGN_IN)).into_response())
}
