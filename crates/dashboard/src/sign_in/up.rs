//! Signing up: `GET /sign-up`, `POST /auth/sign-up`, and `GET /auth/sign-up/follow` by the link. Where the
//! operator does not allow it, there are no such pages.

use std::sync::Arc;

use askama::Template;
use axum::extract::{FromRequestParts, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use http::header::SET_COOKIE;
use http::request::Parts;
use http::{HeaderMap, StatusCode};
use weir_app::resellers::NewReseller;
use weir_domain::Name;
use weir_domain::person::Email;
use weir_identity::cookie::{self, BROWSER};
use weir_identity::provider::{FOLLOW_SIGN_UP, NotSignedIn};

use super::{Browser, SENT, Source};
use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Complaints, Fields, OpenForm};
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::sign_in as text;

/// That the operator allows signing up.
pub struct Allowed;

impl FromRequestParts<Arc<Dashboard>> for Allowed {
    type Rejection = Problem;

    async fn from_request_parts(
        _: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Problem> {
        dashboard.sign_up.then_some(Self).ok_or(Problem::NotFound)
    }
}

/// The page.
#[derive(Template, Default)]
#[template(path = "sign_in/up.html")]
pub struct SignUpPage {
    name: String,
    email: String,
    complaints: Complaints,
}

/// Shows it.
pub async fn page(_: Allowed) -> Shown<SignUpPage> {
    Shown(SignUpPage::default())
}

/// Has a link sent, to whoever has that address. Nothing is made before it is followed.
pub async fn ask(
    _: Allowed,
    State(dashboard): State<Arc<Dashboard>>,
    source: Source,
    headers: HeaderMap,
    OpenForm(fields): OpenForm,
) -> Result<Response, Problem> {
    let mut complaints = Complaints::default();
    let name = complaints.read("name", Name::parse(fields.text("name")));
    let email = complaints.read("email", Email::parse(fields.text("email").trim()));
    let allowed = name.as_ref().zip(email.as_ref()).map(|_| source.may_ask(&dashboard));
    let allowed = allowed.map(|allowed| complaints.read("", allowed));
    let (Some(name), Some(email), Some(Some(()))) = (name, email, allowed) else {
        let status = match allowed {
            Some(_) => StatusCode::TOO_MANY_REQUESTS,
            None => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let (name, email) = (fields.text("name").to_owned(), fields.text("email").to_owned());
        return Ok((status, Shown(SignUpPage { name, email, complaints })).into_response());
    };
    let browser = Browser::asking(&dashboard, &headers)?;
    let asked = dashboard.sign_in.request_sign_up(email, browser.token, name);
    asked.map_err(|_| Problem::Unavailable)?;
    Ok(([(SET_COOKIE, browser.cookie)], Redirect::to(SENT)).into_response())
}

/// What those see whose organisation cannot be called so.
#[derive(Template)]
#[template(path = "sign_in/rename.html")]
struct RenamePage {
    action: &'static str,
    link: String,
    name: String,
    complaints: Complaints,
}

/// Makes the reseller with its first API key, its first administrator being whoever followed the link.
pub async fn follow(
    _: Allowed,
    State(dashboard): State<Arc<Dashboard>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let (link, name) = (query.text("token"), query.text("name"));
    let rename = |complaints| {
        let (link, name) = (link.to_owned(), name.to_owned());
        let page = RenamePage { action: FOLLOW_SIGN_UP, link, name, complaints };
        Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response())
    };
    let mut complaints = Complaints::default();
    let Some(called) = complaints.read("name", Name::parse(name)) else {
        return rename(complaints);
    };
    let new = NewReseller {
        name: called,
        aliases: Vec::new(),
        tier: None,
        monthly_quota: None,
        timezone: None,
    };
    let browser = cookie::find(&headers, BROWSER).unwrap_or_default();
    match dashboard.sign_in.sign_up(link, browser, new, dashboard.tiers.clone()).await {
        Ok(tokens) => {
            let session = dashboard.sign_in.session_cookie(tokens.session)?;
            let mut response = dashboard.send_on("/", Flash::success(text::WELCOME))?;
            response.headers_mut().append(SET_COOKIE, session);
            Ok(response)
        }
        Err(NotSignedIn::Refused) => Err(Problem::Refused(text::BAD_LINK.to_owned())),
        Err(NotSignedIn::Against(refusal)) => {
            let mut complaints = Complaints::default();
            complaints.add("name", refusal);
            rename(complaints)
        }
        Err(error) => Err(error.into()),
    }
}
