//! Issuers of tokens that are trusted, and how far.

mod address;
mod check;
mod error;
mod settings;

use std::fmt;
use std::sync::Arc;

use crate::keys::{Algorithm, Discovery, KeySource};

pub use address::{Address, NotAnAddress};
pub use error::NotAnIssuer;
pub use settings::{Audience, Hidden, IssuerSettings};

/// An issuer whose tokens are trusted. [`Issuer::new`] checks what an operator wrote.
#[derive(Clone)]
pub struct Issuer {
    pub(crate) name: String,
    pub(crate) url: Address,
    pub(crate) keys: Arc<dyn KeySource>,
    pub(crate) algorithms: Vec<Algorithm>,
    pub(crate) audience: Vec<String>,
    pub(crate) email_claim: String,
    /// The claim that says that the address was verified; none where all of them are.
    pub(crate) email_verified_claim: Option<String>,
    pub(crate) sign_in: Option<SignIn>,
    /// Whether it is this service itself, whose tokens belong to sessions.
    pub(crate) is_own: bool,
}

/// What it takes to let people sign in at an issuer.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// What the issuer tells about itself.
    pub discovery: Discovery,
    /// What the issuer calls this service.
    pub client_id: String,
    /// How this service proves it; none for a public client.
    pub client_secret: Option<Hidden>,
    /// What is asked for; `openid` is among it.
    pub scopes: Vec<String>,
    /// What people know the issuer by.
    pub label: String,
}

impl Issuer {
    /// This service itself: its public address is issuer and audience, and all addresses in its tokens
    /// are verified.
    pub fn own(public_url: Address, keys: Arc<dyn KeySource>) -> Self {
        Self {
            name: "weir".to_owned(),
            keys,
            algorithms: vec![Algorithm::Es256],
            audience: vec![public_url.as_str().to_owned()],
            url: public_url,
            email_claim: settings::EMAIL.to_owned(),
            email_verified_claim: Some(settings::EMAIL_VERIFIED.to_owned()),
            sign_in: None,
            is_own: true,
        }
    }

    /// What the operator calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its tokens call it.
    pub fn url(&self) -> &str {
        self.url.as_str()
    }

    /// How people sign in there, where they can.
    pub fn sign_in(&self) -> Option<&SignIn> {
        self.sign_in.as_ref()
    }
}

impl fmt::Debug for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Issuer");
        shown.field("name", &self.name).field("url", &self.url());
        shown.field("algorithms", &self.algorithms).field("audience", &self.audience);
        shown.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
