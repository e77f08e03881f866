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
        let said = self.said(token)?;
        let claims = self.claims(&said);
        claims.is_meant_for(&said.trusted.issuer.audience)?;
        let verified = claims.verified()?;
        said.is_signed().await?;
        Ok(verified)
    }

    async fn id_token(
        &self,
        provider: &str,
        token: &str,
        nonce: &str,
    ) -> Result<Verified, Unverified> {
        let said = self.said(token)?;
        let issuer = &said.trusted.issuer;
        let sign_in = issuer.sign_in().filter(|_| issuer.name() == provider);
        let claims = self.claims(&said);
        claims.is_issued_to(&sign_in.ok_or(Reason::Issuer)?.client_id)?;
        let verified = claims.verified()?;
        if nonce.is_empty() || verified.nonce.as_deref() != Some(nonce) {
            return Err(Reason::Nonce.into());
        }
        said.is_signed().await?;
        Ok(verified)
    }

    /// What a token says, whoever said it.
    fn said<'a>(&'a self, token: &'a str) -> Result<Said<'a>, Reason> {
        let parts = Parts::of(token)?;
        let header = Header::read(&parts.header)?;
        let object = Object::read(&parts.payload)?;
        let trusted = self.issuers.get(object.text("iss")?).ok_or(Reason::Issuer)?;
        if !trusted.issuer.algorithms.contains(&header.algorithm) {
            return Err(Reason::Algorithm);
        }
        Ok(Said { trusted, header, parts, object })
    }

    fn claims<'a>(&self, said: &'a Said<'_>) -> Claims<'a> {
        Claims { issuer: &said.trusted.issuer, object: &said.object, now: self.clock.now() }
    }
}

/// What a token says, and on whose word. None of it counts before [`Said::is_signed`]; but what cannot be
/// good whoever signed it is not worth asking its issuer for keys.
struct Said<'a> {
    trusted: &'a Trusted,
    header: Header,
    parts: Parts<'a>,
    object: Object,
}

impl Said<'_> {
    /// Whether its issuer said it.
    async fn is_signed(&self) -> Result<(), Unverified> {
        let Self { trusted, header, parts, .. } = self;
        let key = trusted.keys.find(header.key.as_deref(), header.algorithm).await?;
        match key.ok_or(Reason::Key)?.has_signed(parts.message, parts.signature) {
            true => Ok(()),
            false => Err(Reason::Signature.into()),
        }
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
