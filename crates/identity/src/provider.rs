//! The identity provider that is built in, so that the service needs no other.
//!
//! People sign in by links that are sent to them, or by an issuer that vouches for them. They get an
//! access token, which any service can verify with the keys that are published here, and a refresh token
//! to go on with. What is decided is in `weir_app::sign_in`; here it gets its time, its chance and its
//! store.

mod browser_session;
mod document;
pub mod limits;
mod link_desk;
mod open_links;
mod public_url;
mod sessions;
mod sign_up;
mod signing_keys;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::jwk::JwkSet;
use weir_app::credentials::{Secret, TokenKind};
use weir_app::sign_in::{self, Begun, RandomToken, RefreshToken};
use weir_app::{AppError, Env};
use weir_domain::person::{Email, Person};
use weir_domain::sign_in::LINK_LIFETIME;
use weir_domain::{Refusal, SessionId};
use weir_store::{Db, KeyHash, Purpose, StoreError, StoreFailure, SystemTx};
use zeroize::Zeroizing;

use crate::mail::{Postbox, Postman};
pub use document::Discovery;
use limits::SourceLimits;
use link_desk::{LinkDesk, LinkRequest};
use open_links::{OpenLink, OpenLinks};
pub use public_url::{NotAPublicUrl, PublicUrl};
use sessions::Sessions;
pub use sign_up::FOLLOW_SIGN_UP;
use signing_keys::SigningKeys;
pub use tokens::Tokens;

/// For how long signing keys count as fresh.
const FRESH: Duration = Duration::from_secs(60);

/// Why nobody was signed in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotSignedIn {
    /// The link or token is worth nothing, or not here.
    #[error("The link or token is not valid.")]
    Refused,
    /// The store is needed, and failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A rule is against what they sign up for.
    #[error(transparent)]
    Against(#[from] Refusal),
    /// No token can be made, for a reason that is no caller's business.
    #[error("{0}")]
    Broken(String),
}

impl From<AppError> for NotSignedIn {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => Self::Against(refusal),
            AppError::Store(error) => Self::Store(error),
        }
    }
}

impl From<getrandom::Error> for NotSignedIn {
    fn from(error: getrandom::Error) -> Self {
        Self::Broken(format!("the system has no randomness to give: {error}"))
    }
}

/// Too many links are being asked for at once, whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many links are being asked for")]
pub struct Busy;

/// The built-in provider.
pub struct Provider {
    db: Db,
    env: Env,
    secret: Secret,
    url: PublicUrl,
    keys: SigningKeys,
    sessions: Sessions,
    desk: LinkDesk,
    open_links: OpenLinks,
    /// How often links may be asked for from one place.
    pub sources: SourceLimits,
}

impl Provider {
    /// A provider at that URL. Its tasks end with the last owner of this value.
    pub fn start(
        db: Db,
        env: Env,
        secret: Secret,
        url: PublicUrl,
        postman: Arc<dyn Postman>,
    ) -> Arc<Self> {
        let postbox = Postbox::open(postman);
        let desk = LinkDesk::open(db.clone(), secret.clone(), url.clone(), postbox);
        let keys = SigningKeys::new(db.clone(), env.clone(), secret.clone());
        let sources = SourceLimits::new(env.clock.clone());
        let (sessions, open_links) = (Sessions::default(), OpenLinks::default());
        let provider =
            Arc::new(Self { db, env, secret, url, keys, sessions, desk, open_links, sources });
        tokio::spawn(signing_keys::keep_fresh(Arc::downgrade(&provider)));
        provider
    }

    /// Where it is.
    pub const fn url(&self) -> &PublicUrl {
        &self.url
    }

    /// Has a link sent to an address, if it is a member's, to be followed in that browser. Everything
    /// that depends on the address happens later, so that nobody learns anything from the answer.
    pub fn request_link(&self, email: Email, browser: RandomToken) -> Result<(), Busy> {
        let asked_at = self.env.now();
        self.desk.take(LinkRequest { email, browser, asked_at, organisation: None })
    }

    /// Signs in by a link, in the browser that asked for it, or by an open one in any.
    pub async fn follow_link(
        &self,
        link: &str,
        browser: Option<&str>,
    ) -> Result<Tokens, NotSignedIn> {
        let link = RandomToken::parse(link).ok_or(NotSignedIn::Refused)?;
        let hash = link.hash(&self.secret, TokenKind::Link);
        if let Some(open) = self.open_links.take(&hash, self.env.now()) {
            return self.follow_open(hash, open).await;
        }
        let browser = browser.and_then(RandomToken::parse).ok_or(NotSignedIn::Refused)?;
        let (env, secret) = (self.env.clone(), self.secret.clone());
        self.grant(move |tx, refresh| {
            sign_in::follow_link(tx, &env, &secret, &link, &browser, refresh)
        })
        .await
    }

    /// What fails for a while uses the link up for no longer than that.
    async fn follow_open(&self, hash: KeyHash, link: OpenLink) -> Result<Tokens, NotSignedIn> {
        let signed_in = self.begin_session(link.email.clone().into()).await;
        if let Err(NotSignedIn::Store(_) | NotSignedIn::Broken(_)) = signed_in {
            self.open_links.keep(hash, link);
        }
        signed_in
    }

    /// A link for an address that is good once, in any browser, for whoever runs the service to hand over
    /// or to use. It is never sent by mail: whoever reads it there would be signed in, and whoever is made
    /// to follow it too. Only this process honours it.
    pub fn open_link(&self, email: Email) -> Result<Zeroizing<String>, NotSignedIn> {
        let link = RandomToken::random()?;
        let expires_at = self.env.now().plus(LINK_LIFETIME);
        let hash = link.hash(&self.secret, TokenKind::Link);
        self.open_links.keep(hash, OpenLink { email, expires_at });
        Ok(link_desk::to_follow(&self.url, &link))
    }

    /// Signs in someone who proved who they are to an issuer that is trusted.
    pub async fn begin_session(&self, person: Person) -> Result<Tokens, NotSignedIn> {
        let (env, secret) = (self.env.clone(), self.secret.clone());
        self.grant(move |tx, refresh| sign_in::begin_session(tx, &env, &secret, &person, refresh))
            .await
    }

    /// Goes on with a session.
    pub async fn refresh(&self, presented: &str) -> Result<Tokens, NotSignedIn> {
        let presented = RefreshToken::parse(presented, &self.secret).ok_or(NotSignedIn::Refused)?;
        let (id, now, secret) = (presented.session(), self.env.now(), self.secret.clone());
        let granted = self.grant(move |tx, _| sign_in::refresh(tx, &secret, now, &presented)).await;
        if granted == Err(NotSignedIn::Refused) {
            self.sessions.forget(id);
        }
        granted
    }

    /// Ends the session of a refresh token, on this node at once. What is no token of any session is
    /// none of any that could be ended.
    pub async fn sign_out(&self, presented: &str) -> Result<(), StoreError> {
        let Some(presented) = RefreshToken::parse(presented, &self.secret) else { return Ok(()) };
        let id = presented.session();
        self.db.system(Purpose::SignIn, move |tx| sign_in::sign_out(tx, &presented)).await?;
        self.sessions.forget(id);
        Ok(())
    }

    /// Whose session that is; none where it ended. Another node's sign-out is noticed within 30 seconds.
    pub async fn session(&self, id: SessionId) -> Result<Option<Person>, StoreError> {
        let now = self.env.now();
        if let Some(known) = self.sessions.recall(id, now) {
            return Ok(known);
        }
        let news = self.sessions.news();
        let found =
            self.db.system(Purpose::Authenticate, move |tx| sign_in::session(tx, id, now)).await?;
        self.sessions.remember(id, &found, now, news);
        Ok(found)
    }

    /// The keys that its tokens can be verified with.
    pub async fn jwks(&self) -> Result<JwkSet, NotSignedIn> {
        Ok(self.keys.fresh().await?.published())
    }

    /// What others have to know to verify its tokens.
    pub fn discovery(&self) -> Discovery {
        Discovery::of(&self.url)
    }

    /// Begins or goes on with a session, and makes its tokens.
    async fn grant<E: StoreFailure + Into<NotSignedIn>>(
        &self,
        mut begin: impl FnMut(&mut dyn SystemTx, &RandomToken) -> Result<Option<Begun>, E>
        + Send
        + 'static,
    ) -> Result<Tokens, NotSignedIn> {
        // Before anything is used up: without a key there is nothing to give for it.
        let keys = self.keys.fresh().await?;
        let refresh = RandomToken::random()?;
        let begun = self.db.system(Purpose::SignIn, move |tx| begin(tx, &refresh)).await;
        let begun = begun.map_err(Into::into)?.ok_or(NotSignedIn::Refused)?;
        Tokens::of(&begun, &self.url, &keys, &self.env, &self.secret)
    }
}
