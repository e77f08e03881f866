//! Sessions of browsers: what tells them lies sealed in a cookie that no script sees.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{HeaderMap, HeaderValue};
use uuid::Uuid;
use weir_app::credentials::NONCE;
use weir_domain::SessionId;
use weir_domain::sign_in::SESSION_LIFETIME;
use weir_store::{Purpose, StoreError};

use super::{NotSignedIn, Provider};
use crate::cookie::{self, EVERYWHERE, SESSION};

/// What it is sealed for.
const CONTEXT: &str = "session cookie";

impl Provider {
    /// The header by which a browser keeps a session.
    pub fn session_cookie(&self, session: SessionId) -> Result<HeaderValue, NotSignedIn> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce)?;
        let sealed = self.secret.seal_bytes(CONTEXT, session.uuid().as_bytes(), nonce);
        self.keep_session(&URL_SAFE_NO_PAD.encode(sealed), SESSION_LIFETIME)
    }

    /// The header by which a browser forgets its session.
    pub fn no_session_cookie(&self) -> Result<HeaderValue, NotSignedIn> {
        self.keep_session("", Duration::ZERO)
    }

    /// The session that a browser says it has. Whether it goes on is another question.
    pub fn browser_session(&self, headers: &HeaderMap) -> Option<SessionId> {
        let sealed = URL_SAFE_NO_PAD.decode(cookie::find(headers, SESSION)?).ok()?;
        let bytes = self.secret.open_bytes(CONTEXT, &sealed)?;
        Uuid::from_slice(&bytes).ok().map(SessionId::from_uuid)
    }

    /// Ends a session, on this node at once.
    pub async fn end_session(&self, id: SessionId) -> Result<(), StoreError> {
        self.db.system(Purpose::SignIn, move |tx| tx.session_delete(id)).await?;
        self.sessions.forget(id);
        Ok(())
    }

    fn keep_session(&self, value: &str, lifetime: Duration) -> Result<HeaderValue, NotSignedIn> {
        let header = cookie::set((SESSION, EVERYWHERE), value, lifetime, self.url.is_https());
        header.ok_or_else(|| NotSignedIn::Broken("a session fits into no cookie".into()))
    }
}
