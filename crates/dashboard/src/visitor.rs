//! Who is looking. The signature of a handler is its authorization:
//!
//! | extractor | lets in |
//! |---|---|
//! | [`SignedIn`] | whoever is signed in, before they chose a reseller |
//! | [`Visitor`] | a member of a reseller |
//! | [`Editor`] | a member who may change things |
//!
//! Whoever is not let in is sent where they can do something about it, and comes back.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::Method;
use http::request::Parts;
use url::form_urlencoded;
use uuid::Uuid;
use weir_app::credentials::Caller;
use weir_domain::{Calendar, ResellerId, SessionId};
use weir_identity::cookie;

use crate::Dashboard;
use crate::flash::Flash;
use crate::forms;
use crate::frame::Frame;
use crate::problem::Problem;

/// Where people sign in.
pub const SIGN_IN: &str = "/sign-in";

/// Where members of several resellers choose one.
pub const CHOICE: &str = "/choose";

/// Tells which reseller was chosen. It is worth nothing to those who do not belong to it.
pub const RESELLER: &str = "weir_reseller";

/// The way to sign in and come back to a page.
pub fn way_in(page: &str) -> String {
    match page {
        "/" => SIGN_IN.to_owned(),
        page => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            format!("{SIGN_IN}?{}", query.append_pair("page", page).finish())
        }
    }
}

/// Somebody who is signed in.
pub struct SignedIn {
    /// Their session.
    pub session: SessionId,
    /// As whom they may ask, one for each reseller that they belong to; at least one.
    pub callers: Arc<[Arc<Caller>]>,
}

/// A member who looks at a page.
pub struct Visitor {
    /// As whom they ask: scope, role, reseller.
    pub caller: Arc<Caller>,
    /// Their session.
    pub session: SessionId,
    /// The days and clocks of their reseller.
    pub calendar: Calendar,
    /// Whether they belong to other resellers too.
    pub has_choice: bool,
    path: String,
    /// What the forms of the page carry.
    pub token: String,
    flash: Option<Flash>,
}

/// A member who may change things.
pub struct Editor(pub Visitor);

impl Visitor {
    /// Whether they may change things. What would be refused is not offered.
    pub fn may_change(&self) -> bool {
        self.caller.role().may_change()
    }

    /// What stands around the page that they look at.
    pub fn frame(&self) -> Frame {
        Frame::around(self, &self.path, self.token.clone(), self.flash.clone())
    }
}

impl Deref for Editor {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.0
    }
}

impl FromRequestParts<Arc<Dashboard>> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Problem> {
        let nobody = || Problem::NotSignedIn(way_back(parts));
        let session = dashboard.sign_in.browser_session(&parts.headers).ok_or_else(nobody)?;
        let person = dashboard.sign_in.session(session).await?.ok_or_else(nobody)?;
        let callers = dashboard.people.callers(person).await?;
        match callers.is_empty() {
            true => Err(nobody()),
            false => Ok(Self { session, callers }),
        }
    }
}

impl FromRequestParts<Arc<Dashboard>> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Problem> {
        let SignedIn { session, callers } = SignedIn::from_request_parts(parts, dashboard).await?;
        let chosen = cookie::find(&parts.headers, RESELLER);
        let chosen = chosen.and_then(|id| Uuid::try_parse(id).ok()).map(ResellerId::from_uuid);
        let own = callers.iter().find(|caller| Some(caller.reseller.id) == chosen);
        let caller = match (own, &*callers) {
            (Some(own), _) | (None, [own]) => own.clone(),
            (None, _) => return Err(Problem::NotChosen),
        };
        let token = forms::token(dashboard.secret(), session, Some(caller.reseller.id));
        Ok(Self {
            calendar: Calendar::of_device(None, &caller.reseller.timezone),
            caller,
            session,
            has_choice: callers.len() > 1,
            path: parts.uri.path().to_owned(),
            token,
            flash: Flash::read(&parts.headers, dashboard.secret()),
        })
    }
}

impl FromRequestParts<Arc<Dashboard>> for Editor {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Problem> {
        let visitor = Visitor::from_request_parts(parts, dashboard).await?;
        match visitor.may_change() {
            true => Ok(Self(visitor)),
            false => Err(Problem::NotAllowed),
        }
    }
}

/// Where somebody comes back to who has to sign in first. What a form sent is not sent again.
fn way_back(parts: &Parts) -> String {
    match parts.method {
        Method::GET => parts.uri.path_and_query().map_or("/", |page| page.as_str()).to_owned(),
        _ => "/".to_owned(),
    }
}

/// Nothing goes wrong in looking whether somebody is signed in.
pub struct Whoever(pub Option<Visitor>);

impl FromRequestParts<Arc<Dashboard>> for Whoever {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Infallible> {
        Ok(Self(Visitor::from_request_parts(parts, dashboard).await.ok()))
    }
}
