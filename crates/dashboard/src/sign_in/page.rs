//! `GET /sign-in`, and `GET /sign-in/sent` for those who asked for a link.

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use url::form_urlencoded;
use weir_identity::social::Page;

use crate::Dashboard;
use crate::forms::{Complaints, Fields};
use crate::shown::Shown;
use crate::text::sign_in as text;
use crate::visitor::Whoever;

/// The page.
#[derive(Template)]
#[template(path = "sign_in/page.html")]
pub struct SignInPage {
    page: String,
    email: String,
    complaints: Complaints,
    providers: Vec<Provider>,
    sign_up: bool,
}

/// A provider at which people can sign in.
struct Provider {
    label: String,
    path: String,
}

impl SignInPage {
    /// For somebody who wants to see a page, as they filled it in.
    pub(super) fn new(
        dashboard: &Dashboard,
        page: Option<&Page>,
        email: &str,
        complaints: Complaints,
    ) -> Self {
        let page = page.map_or("/", Page::as_str);
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.append_pair("page", page).finish();
        let provider = |(name, label): (&str, &str)| Provider {
            label: format!("{} {label}", text::WITH),
            path: format!("/auth/{name}/start?{query}"),
        };
        Self {
            page: page.to_owned(),
            email: email.to_owned(),
            complaints,
            providers: dashboard.social.providers().map(provider).collect(),
            sign_up: dashboard.sign_up,
        }
    }
}

/// Shows it; whoever is signed in already goes on.
pub async fn page(
    Whoever(visitor): Whoever,
    State(dashboard): State<Arc<Dashboard>>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    let page = Page::parse(query.text("page"));
    match visitor {
        Some(_) => Redirect::to(page.as_ref().map_or("/", Page::as_str)).into_response(),
        None => Shown(SignInPage::new(&dashboard, page.as_ref(), "", Complaints::default()))
            .into_response(),
    }
}

/// What those see who asked for a link.
#[derive(Template)]
#[template(path = "sign_in/sent.html")]
pub struct SentPage {}

/// Shows it.
pub async fn sent() -> Shown<SentPage> {
    Shown(SentPage {})
}
