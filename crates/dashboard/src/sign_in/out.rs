//! `POST /sign-out`

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;

use crate::Dashboard;
use crate::forms::{Form, OpenForm};
use crate::problem::Problem;
use crate::visitor::{SIGN_IN, SignedIn};

/// Ends the session, here at once and on other nodes within a minute. Whoever belongs to no reseller any
/// more can do so too, though no page of theirs has a token.
pub async fn sign_out(
    State(dashboard): State<Arc<Dashboard>>,
    request: Request,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let session = dashboard.sign_in.browser_session(&parts.headers);
    let session = session.ok_or_else(|| Problem::NotSignedIn("/".to_owned()))?;
    let is_member = SignedIn::from_request_parts(&mut parts, &dashboard).await.is_ok();
    let request = Request::from_parts(parts, body);
    match is_member {
        true => drop(Form::from_request(request, &dashboard).await?),
        false => drop(OpenForm::from_request(request, &dashboard).await?),
    }
    dashboard.sign_in.end_session(session).await?;
    let forget = dashboard.sign_in.no_session_cookie()?;
    Ok(([(SET_COOKIE, forget)], Redirect::to(SIGN_IN)).into_response())
}
