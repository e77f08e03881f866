//! `POST /auth/sign-in`: asking for a link.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use weir_domain::person::Email;
use weir_domain::sign_in::LINK_LIFETIME;
use weir_identity::cookie::{self, AUTH, PAGE};
use weir_identity::social::Page;

use super::page::SignInPage;
use super::{Browser, SENT, Source};
use crate::Dashboard;
use crate::forms::{Complaints, OpenForm};
use crate::problem::Problem;
use crate::shown::Shown;

/// Has a link sent, if the address is a member's. What is answered is the same if it is not.
pub async fn ask(
    State(dashboard): State<Arc<Dashboard>>,
    source: Source,
    headers: HeaderMap,
    OpenForm(fields): OpenForm,
) -> Result<Response, Problem> {
    let page = Page::parse(fields.text("page"));
    let mut complaints = Complaints::default();
    let email = complaints.read("email", Email::parse(fields.text("email").trim()));
    let allowed = email.as_ref().map(|_| source.may_ask(&dashboard));
    let allowed = allowed.map(|allowed| complaints.read("", allowed));
    let (Some(email), Some(Some(()))) = (email, allowed) else {
        let status = match allowed {
            Some(_) => StatusCode::TOO_MANY_REQUESTS,
            None => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let page = SignInPage::new(&dashboard, page.as_ref(), fields.text("email"), complaints);
        return Ok((status, Shown(page)).into_response());
    };
    let browser = Browser::asking(&dashboard, &headers)?;
    dashboard.sign_in.request_link(email, browser.token).map_err(|_| Problem::Unavailable)?;
    let wanted = page.as_ref().map_or("/", Page::as_str);
    let mut response = ([(SET_COOKIE, browser.cookie)], Redirect::to(SENT)).into_response();
    // A page that fits into no cookie is done without.
    if let Some(wanted) = cookie::set((PAGE, AUTH), wanted, LINK_LIFETIME, dashboard.is_https()) {
        response.headers_mut().append(SET_COOKIE, wanted);
    }
    Ok(response)
}
