//! Reading forms, and refusing those that were sent from elsewhere.

mod complaints;
mod origin;
mod reading;

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Request};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use weir_app::credentials::{Secret, TokenKind};
use weir_domain::{ResellerId, SessionId};

pub use complaints::Complaints;
pub use reading::Fields;

use crate::Dashboard;
use crate::problem::Problem;
use crate::visitor::Whoever;

/// The field that carries the token.
const TOKEN: &str = "token";

/// A form that was sent from a page of the same session and of the same reseller, as its token and its origin
/// tell: whoever chose another reseller in another window would change that one otherwise. It comes last among
/// a handler's arguments.
pub struct Form(pub Fields);

/// A form of a page that needs no session, sent from a page of ours, as its origin tells.
pub struct OpenForm(pub Fields);

impl FromRequest<Arc<Dashboard>> for Form {
    type Rejection = Problem;

    async fn from_request(request: Request, dashboard: &Arc<Dashboard>) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let Ok(Whoever(visitor)) = Whoever::from_request_parts(&mut parts, dashboard).await;
        let session = dashboard.sign_in.browser_session(&parts.headers);
        let request = Request::from_parts(parts, body);
        let OpenForm(fields) = OpenForm::from_request(request, dashboard).await?;
        let of_session = session.map(|session| token(dashboard.secret(), session, None));
        let tokens = [visitor.map(|visitor| visitor.token), of_session];
        // Hashes of the tokens are compared, so that nothing can be learned from how long it takes.
        let hash = |token: &str| dashboard.secret().hash_token(TokenKind::Form, token.as_bytes());
        let sent = hash(fields.text(TOKEN));
        match tokens.iter().flatten().any(|token| hash(token) == sent) {
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

/// What the forms of a session's pages carry: those of a reseller's, or those that are of none.
pub fn token(secret: &Secret, session: SessionId, reseller: Option<ResellerId>) -> String {
    let mut of = session.uuid().as_bytes().to_vec();
    of.extend(reseller.iter().flat_map(|reseller| *reseller.uuid().as_bytes()));
    URL_SAFE_NO_PAD.encode(secret.hash_token(TokenKind::Form, &of).0)
}
