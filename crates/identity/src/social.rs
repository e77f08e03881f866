//! Signing in at someone else's provider: the authorization code flow of OpenID Connect with PKCE, state
//! and nonce.
//!
//! [`Social::start`] sends a browser to the provider, [`Social::finish`] takes it back. What has to be
//! remembered in between lies sealed in a cookie of that browser, so that any node can finish what another
//! one began, and nobody can finish it in another browser. The ID token that comes of it is verified where
//! all tokens are, by [`Verifier`].

mod answer;
mod endpoints;
mod error;
mod flow;
mod http;
mod page;
mod partner;
mod visit;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use url::Url;
use weir_app::Env;
use weir_app::credentials::Secret;
use weir_domain::person::Person;

pub use answer::ProviderAnswer;
pub use error::SocialError;
use flow::{Chance, Flow};
pub use page::Page;
use partner::Partner;

use crate::issuer::{Issuer, NotAnIssuer};
use crate::provider::PublicUrl;
use crate::token::Verifier;

/// How long someone may take to sign in at the provider.
pub const FLOW_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// The providers at which people can sign in.
pub struct Social {
    partners: BTreeMap<String, Partner>,
    verifier: Arc<Verifier>,
    secret: Secret,
    env: Env,
}

/// What a browser is told that wants to sign in.
pub struct Started {
    /// Where it goes.
    pub location: Url,
    /// What it keeps until it comes back, for at most [`FLOW_LIFETIME`].
    pub flow: String,
}

/// Someone who came back.
#[derive(Debug)]
pub struct Finished {
    /// Who they are.
    pub person: Person,
    /// Where they wanted to go.
    pub page: Option<Page>,
}

impl Social {
    /// Signing in at those of the issuers that we are a client of. They send people back to an address
    /// beneath the public one of this service. It fails where TLS cannot be had on this machine.
    pub fn new<'a>(
        issuers: impl IntoIterator<Item = &'a Issuer>,
        public_url: &PublicUrl,
        verifier: Arc<Verifier>,
        secret: Secret,
        env: Env,
    ) -> Result<Self, NotAnIssuer> {
        let providers = issuers.into_iter().filter_map(|issuer| Some((issuer, issuer.sign_in()?)));
        let partners = providers.map(|(issuer, sign_in)| {
            let partner = Partner::new(issuer, sign_in, public_url)?;
            Ok((issuer.name().to_owned(), partner))
        });
        Ok(Self { partners: partners.collect::<Result<_, _>>()?, verifier, secret, env })
    }

    /// The names of the providers, each with what people call it.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.partners.values().map(|partner| (partner.name(), partner.label()))
    }

    /// Begins to sign someone in who wants to see that page afterwards.
    pub async fn start(&self, provider: &str, page: Option<Page>) -> Result<Started, SocialError> {
        let partner = self.partner(provider)?;
        let now = self.env.now();
        let visit = partner.visit(now).await?;
        let chance = Chance::random()?;
        let flow = Flow::new(&chance, page, now.plus(FLOW_LIFETIME));
        let location = visit.authorization(chance.state(), &flow);
        Ok(Started { location, flow: flow.seal(&self.secret, provider, &chance) })
    }

    /// Finishes what was begun in this browser, with what the provider gave it to bring along.
    pub async fn finish(
        &self,
        provider: &str,
        sealed: Option<&str>,
        answer: &ProviderAnswer,
    ) -> Result<Finished, SocialError> {
        let partner = self.partner(provider)?;
        let now = self.env.now();
        let flow = sealed.and_then(|flow| Flow::open(&self.secret, provider, &answer.state, flow));
        let flow = flow.filter(|flow| now < flow.until).ok_or(SocialError::NotBegunHere)?;
        let code = answer.code(partner.url())?;
        let token = partner.visit(now).await?.exchange(code, &flow).await?;
        let verified = self.verifier.verify_id_token(provider, &token, &flow.nonce).await?;
        Ok(Finished { person: verified.person, page: flow.page.clone() })
    }

    fn partner(&self, name: &str) -> Result<&Partner, SocialError> {
        self.partners.get(name).ok_or(SocialError::UnknownProvider)
    }
}

impl fmt::Debug for Social {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.partners.keys()).finish()
    }
}

#[cfg(test)]
mod tests;
