//! A provider at which people can sign in.

use std::sync::Arc;
use std::time::Duration;

use oauth2::RedirectUrl;
use reqwest::Client;
use tokio::sync::Mutex;
use weir_domain::Timestamp;

use super::endpoints::Endpoints;
use super::visit::Visit;
use super::{SocialError, http};
use crate::issuer::{Issuer, NotAnIssuer, SignIn};
use crate::provider::PublicUrl;

/// How long a provider's word about its endpoints is good.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);

/// How long a provider that did not give it is left alone.
const PAUSE: Duration = Duration::from_secs(5);

/// A provider at which people can sign in.
pub(super) struct Partner {
    issuer: Issuer,
    sign_in: SignIn,
    callback: RedirectUrl,
    http: Client,
    known: Mutex<Known>,
}

/// What is known of a provider's endpoints, and until when it is left alone. They outlive its outages.
struct Known {
    endpoints: Option<Arc<Endpoints>>,
    until: Timestamp,
}

impl Partner {
    /// An issuer as a provider that sends people back to an address beneath the public one of this
    /// service.
    pub fn new(
        issuer: &Issuer,
        sign_in: &SignIn,
        public_url: &PublicUrl,
    ) -> Result<Self, NotAnIssuer> {
        let unusable = |reason| NotAnIssuer::Client { name: issuer.name().to_owned(), reason };
        let callback =
            RedirectUrl::new(public_url.at(&format!("/auth/{}/callback", issuer.name())));
        let callback = callback.map_err(|error| unusable(error.to_string()))?;
        let http = http::client(&issuer.url).map_err(|error| unusable(error.to_string()))?;
        let known = Mutex::new(Known { endpoints: None, until: Timestamp::from_micros(i64::MIN) });
        Ok(Self { issuer: issuer.clone(), sign_in: sign_in.clone(), callback, http, known })
    }

    /// What the operator calls it.
    pub fn name(&self) -> &str {
        self.issuer.name()
    }

    /// What people know it by.
    pub fn label(&self) -> &str {
        &self.sign_in.label
    }

    /// Who it says it is.
    pub fn url(&self) -> &str {
        self.issuer.url()
    }

    /// Us, on a visit there.
    pub async fn visit(&self, now: Timestamp) -> Result<Visit<'_>, SocialError> {
        let endpoints = self.endpoints(now).await?;
        let Self { sign_in, callback, http, .. } = self;
        Ok(Visit::new(self.name(), sign_in, callback, http, &endpoints))
    }

    /// Its endpoints. Whoever comes while someone asks waits for their answer.
    async fn endpoints(&self, now: Timestamp) -> Result<Arc<Endpoints>, SocialError> {
        let mut known = self.known.lock().await;
        if known.until <= now {
            match Endpoints::ask(&self.sign_in).await {
                Ok(endpoints) => {
                    *known = Known { endpoints: Some(endpoints.into()), until: now.plus(MAX_AGE) };
                }
                Err(error) => {
                    known.until = now.plus(PAUSE);
                    let provider = self.name();
                    tracing::warn!(provider, error, "a provider does not say where to sign in");
                }
            }
        }
        known.endpoints.clone().ok_or(SocialError::Unreachable)
    }
}
