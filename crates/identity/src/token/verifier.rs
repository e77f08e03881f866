//! Verifying tokens.

use std::collections::HashMap;
use std::sync::Arc;

use weir_app::Clock;

use super::claims::Claims;
use super::header::Header;
use super::object::Object;
use super::parts::Parts;
use super::{Reason, Unverified, Verified};
use crate::issuer::{Issuer, NotAnIssuer};
use crate::keys::KeyCache;

/// Verifies tokens of the issuers that are trusted.
pub struct Verifier {
    /// By what their tokens call them.
    issuers: HashMap<String, Trusted>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug)]
struct Trusted {
    issuer: Issuer,
    keys: KeyCache,
}

impl Verifier {
    /// Trusts these issuers, no two of which may call themselves the same.
    pub fn new(
        issuers: impl IntoIterator<Item = Issuer>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, NotAnIssuer> {
        let mut by_url: HashMap<String, Trusted> = HashMap::new();
        for issuer in issuers {
            let keys = KeyCache::new(issuer.name(), issuer.keys.clone(), clock.clone());
            if let Some(other) = by_url.get(issuer.url()) {
                let (one, other) = (other.issuer.name().to_owned(), issuer.name().to_owned());
                return Err(NotAnIssuer::Twice(one, other));
            }
            by_url.insert(issuer.url().to_owned(), Trusted { issuer, keys });
        }
        Ok(Self { issuers: by_url, clock })
    }

    /// Whose a bearer token is.
    pub async fn verify(&self, token: &str) -> Result<Verified, Unverified> {
        let verified = self.bearer(token).await;
        logged(verified)
    }

    /// Who signed in at a provider, by the ID token that it gave out for that sign-in.
    pub async fn verify_id_token(
        &self,
        provider: &str,
        token: &str,
        nonce: &str,
    ) -> Result<Verified, Unverified> {
        let verified = self.id_token(provider, token, nonce).await;
        logged(verified)
    }

    async fn bearer(&self, token: &str) -> Result<Verified, Unverified> {
        let (trusted, object) = self.signed(token).await?;
        let claims = self.claims(trusted, &object);
        claims.is_meant_for(&trusted.issuer.audience)?;
        Ok(claims.verified()?)
    }

    async fn id_token(
        &self,
        provider: &str,
        token: &str,
        nonce: &str,
    ) -> Result<Verified, Unverified> {
        let (trusted, object) = self.signed(token).await?;
        let sign_in = trusted.issuer.sign_in().filter(|_| trusted.issuer.name() == provider);
        let claims = self.claims(trusted, &object);
        claims.is_issued_to(&sign_in.ok_or(Reason::Issuer)?.client_id)?;
        let verified = claims.verified()?;
        let is_of_it = !nonce.is_empty() && verified.nonce.as_deref() == Some(nonce);
        if is_of_it { Ok(verified) } else { Err(Reason::Nonce.into()) }
    }

    /// What a token says, once its issuer is known to have said it.
    async fn signed(&self, token: &str) -> Result<(&Trusted, Object), Unverified> {
        let parts = Parts::of(token)?;
        let header = Header::read(&parts.header)?;
        let object = Object::read(&parts.payload)?;
        let trusted = self.issuers.get(object.text("iss")?).ok_or(Reason::Issuer)?;
        if !trusted.issuer.algorithms.contains(&header.algorithm) {
            return Err(Reason::Algorithm.into());
        }
        let key = trusted.keys.find(header.key.as_deref(), header.algorithm).await?;
        if !key.ok_or(Reason::Key)?.has_signed(parts.message, parts.signature) {
            return Err(Reason::Signature.into());
        }
        Ok((trusted, object))
    }

    fn claims<'a>(&self, trusted: &'a Trusted, object: &'a Object) -> Claims<'a> {
        Claims { issuer: &trusted.issuer, object, now: self.clock.now() }
    }
}

fn logged(verified: Result<Verified, Unverified>) -> Result<Verified, Unverified> {
    if let Err(Unverified::Rejected(reason)) = &verified {
        tracing::debug!(%reason, "a token was rejected");
    }
    verified
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Verifier").field("issuers", &self.issuers).finish_non_exhaustive()
    }
}
