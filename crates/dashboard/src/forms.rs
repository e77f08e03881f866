//! Reading forms, and refusing those that were sent from elsewhere.

mod complaints;
mod origin;
mod reading;

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use weir_app::credentials::{Secret, TokenKind};
use weir_domain::SessionId;

pub use complaints::Complaints;
pub use reading::Fields;

use crate::Dashboard;
use crate::problem::Problem;

/// The field that carries the token.
const TOKEN: &str = "token";

/// A form that was sent from a page of the same session, as its token and its origin tell. It comes last
/// among a handler's arguments.
pub struct Form(pub Fields);

/// A form of a page that needs no session, sent from a page of ours, as its origin tells.
pub struct OpenForm(pub Fields);

impl FromRequest<Arc<Dashboard>> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, dashboard: &Arc<Dashboard>) -> Result<Self, Problem> {
        let session = dashboard.sign_in.browser_session(request.headers());
        let OpenForm(fields) = OpenForm::from_request(request, dashboard).await?;
        let token = session.map(|session| token(dashboard.secret(), session));
        // Hashes of the tokens are compared, so that nothing can be learned from how long it takes.
        let hash = |token: &str| dashboard.secret().hash_token(TokenKind::Form, token.as_bytes());
        match token.is_some_and(|token| hash(&token) == hash(fields.text(TOKEN))) {
            true => Ok(Self(fields)),
            false => Err(Problem::ForeignForm),
        }
    }
}

impl FromRequest<Arc<Dashboard>> for OpenForm {
    type Rejection = Problem;

    async fn from_request(request: Request, dashboard: &Arc<Dashboard>) -> Result<Self, Problem> {
        if !origin::is_ours(request.headers(), dashboard.sign_in.url().as_str()) {
            return Err(Problem::ForeignForm);
        }
        Ok(Self(Fields::receive(request).await?))
    }
}

/// What the forms of a session's pages carry.
pub fn token(secret: &Secret, session: SessionId) -> String {
    URL_SAFE_NO_PAD.encode(secret.hash_token(TokenKind::Form, session.uuid().as_bytes()).0)
}
