//! `GET` and `POST /choose`: which of their resellers somebody asks for.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;
use weir_identity::cookie::{self, EVERYWHERE};

use crate::Dashboard;
use crate::forms::{self, Form};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::sign_in as text;
use crate::visitor::{RESELLER, SignedIn};

/// For how long a choice is kept.
const KEPT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The page.
#[derive(Template)]
#[template(path = "choose/page.html")]
pub struct ChoicePage {
    token: String,
    /// The ids and names of the resellers.
    resellers: Vec<(String, String)>,
}

/// Shows it.
pub async fn page(visitor: SignedIn, State(dashboard): State<Arc<Dashboard>>) -> Shown<ChoicePage> {
    let resellers = visitor.callers.iter().map(|caller| &caller.reseller);
    Shown(ChoicePage {
        token: forms::token(dashboard.secret(), visitor.session, None),
        resellers: resellers
            .map(|reseller| (reseller.id.to_string(), reseller.name.to_string()))
            .collect(),
    })
}

/// Keeps a choice in the browser.
pub async fn choose(
    visitor: SignedIn,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let ids = visitor.callers.iter().map(|caller| caller.reseller.id.to_string());
    let chosen = ids.into_iter().find(|id| *id == fields.text("reseller"));
    let chosen = chosen.ok_or(Problem::NotFound)?;
    let cookie = cookie::set((RESELLER, EVERYWHERE), &chosen, KEPT, dashboard.is_https());
    let cookie = cookie.ok_or(Problem::Internal)?;
    Ok(([(SET_COOKIE, cookie)], Redirect::to("/")).into_response())
}
