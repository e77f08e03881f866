//! Checking what an operator wrote about an issuer.

use std::sync::Arc;

use super::settings::{EMAIL, EMAIL_VERIFIED};
use super::{Address, Issuer, IssuerSettings, NotAnAddress, NotAnIssuer, SignIn};
use crate::keys::{Algorithm, Discovery, Documents, KeyFile, KeySet, KeySource, KeyUrl};

/// How many bytes a shared secret must have: as many as the hash that it is used with.
pub(super) const SECRET_BYTES: usize = 32;

/// How many characters a name may have: it is part of addresses.
pub(super) const NAME_CHARACTERS: usize = 64;

/// What is asked for when people sign in, where nothing else is said.
const SCOPES: [&str; 2] = ["openid", "email"];

impl Issuer {
    /// Checks the settings of the issuer that the operator gave that name.
    pub fn new(name: &str, settings: &IssuerSettings) -> Result<Self, NotAnIssuer> {
        let of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || name.len() > NAME_CHARACTERS || !name.chars().all(of_name) {
            return Err(NotAnIssuer::Name(name.to_owned()));
        }
        let reading = Reading { name, settings };
        let url = reading.url()?;
        let sign_in = reading.sign_in(&url)?;
        let (keys, algorithms) = (reading.keys(&url)?, reading.algorithms()?);
        let audience = reading.audience()?;
        let email_claim = reading.text("email_claim", &settings.email_claim)?;
        let verified_claim =
            reading.text("email_verified_claim", &settings.email_verified_claim)?;
        if settings.email_is_verified && verified_claim.is_some() {
            let reason = "means nothing where email_is_verified is true";
            return Err(reading.contradiction("email_verified_claim", reason));
        }
        let verified_claim = verified_claim.unwrap_or_else(|| EMAIL_VERIFIED.to_owned());
        Ok(Self {
            name: name.to_owned(),
            url,
            keys,
            algorithms,
            audience,
            email_claim: email_claim.unwrap_or_else(|| EMAIL.to_owned()),
            email_verified_claim: (!settings.email_is_verified).then_some(verified_claim),
            sign_in,
            is_own: false,
        })
    }
}

/// The settings of one issuer while they are checked.
struct Reading<'a> {
    name: &'a str,
    settings: &'a IssuerSettings,
}

impl Reading<'_> {
    fn url(&self) -> Result<Address, NotAnIssuer> {
        let text = self.settings.issuer.as_deref().ok_or_else(|| self.missing("issuer"))?;
        Address::parse(text, self.settings.allow_http).map_err(self.address("issuer"))
    }

    fn keys(&self, url: &Address) -> Result<Arc<dyn KeySource>, NotAnIssuer> {
        let IssuerSettings { jwks_url, jwks_file, secret, .. } = self.settings;
        match (self.discovers(), jwks_url, jwks_file, secret) {
            (true, None, None, None) => Ok(Arc::new(self.discovery(url)?)),
            (false, Some(keys), None, None) => {
                let keys = url.sibling(keys).map_err(self.address("jwks_url"))?;
                Ok(Arc::new(KeyUrl::new(self.documents(url)?, keys)))
            }
            (false, None, Some(path), None) => Ok(Arc::new(KeyFile::new(path.clone()))),
            (false, None, None, Some(secret)) => {
                let secret = secret.reveal().as_bytes();
                if secret.len() < SECRET_BYTES {
                    return Err(NotAnIssuer::ShortSecret(self.name.to_owned()));
                }
                Ok(Arc::new(KeySet::shared(secret)))
            }
            _ => Err(NotAnIssuer::Keys(self.name.to_owned())),
        }
    }

    fn discovers(&self) -> bool {
        let IssuerSettings { jwks_url, jwks_file, secret, .. } = self.settings;
        let has_other = jwks_url.is_some() || jwks_file.is_some() || secret.is_some();
        self.settings.discovery.unwrap_or(!has_other)
    }

    fn discovery(&self, url: &Address) -> Result<Discovery, NotAnIssuer> {
        Ok(Discovery::new(url.clone(), self.documents(url)?))
    }

    fn documents(&self, url: &Address) -> Result<Documents, NotAnIssuer> {
        let client = |reason| NotAnIssuer::Client { name: self.name.to_owned(), reason };
        Documents::of(url).map_err(client)
    }

    fn algorithms(&self) -> Result<Vec<Algorithm>, NotAnIssuer> {
        let is_shared = self.settings.secret.is_some();
        let Some(texts) = &self.settings.algorithms else {
            let public = || Algorithm::PUBLIC.to_vec();
            return Ok(if is_shared { vec![Algorithm::Hs256] } else { public() });
        };
        let parse = |text: &String| {
            Algorithm::parse(text).map_err(|reason| NotAnIssuer::Algorithm {
                name: self.name.to_owned(),
                text: text.clone(),
                reason,
            })
        };
        let algorithms: Vec<_> = texts.iter().map(parse).collect::<Result<_, _>>()?;
        if algorithms.is_empty() {
            return Err(self.empty("algorithms"));
        }
        if algorithms.iter().any(|algorithm| (*algorithm == Algorithm::Hs256) != is_shared) {
            return Err(NotAnIssuer::Confusion(self.name.to_owned()));
        }
        Ok(algorithms)
    }

    fn audience(&self) -> Result<Vec<String>, NotAnIssuer> {
        let Some(audience) = self.settings.audience.clone() else {
            let is_optional = self.settings.client_id.is_some();
            return is_optional.then(Vec::new).ok_or_else(|| self.missing("audience"));
        };
        let list = Vec::from(audience);
        if list.is_empty() || list.iter().any(|text| text.trim().is_empty()) {
            return Err(self.empty("audience"));
        }
        Ok(list)
    }

    fn sign_in(&self, url: &Address) -> Result<Option<SignIn>, NotAnIssuer> {
        let Some(client_id) = self.text("client_id", &self.settings.client_id)? else {
            let of_it = self.settings.client_secret.is_some() || self.settings.scopes.is_some();
            let missing = || self.missing("client_id, which client_secret and scopes belong to");
            return if of_it { Err(missing()) } else { Ok(None) };
        };
        if !self.discovers() {
            return Err(self.contradiction("client_id", "needs discovery = true"));
        }
        let client_secret = self.settings.client_secret.clone();
        if client_secret.as_ref().is_some_and(|secret| secret.reveal().trim().is_empty()) {
            return Err(self.empty("client_secret"));
        }
        let default = || SCOPES.map(str::to_owned).to_vec();
        let scopes = self.settings.scopes.clone().unwrap_or_else(default);
        if !scopes.iter().any(|scope| scope == "openid") {
            return Err(self.contradiction("scopes", "must name openid"));
        }
        let label = self.text("label", &self.settings.label)?;
        Ok(Some(SignIn {
            discovery: self.discovery(url)?,
            client_id,
            client_secret,
            scopes,
            label: label.unwrap_or_else(|| self.name.to_owned()),
        }))
    }

    fn text(
        &self,
        field: &'static str,
        text: &Option<String>,
    ) -> Result<Option<String>, NotAnIssuer> {
        let is_empty = text.as_ref().is_some_and(|text| text.trim().is_empty());
        if is_empty { Err(self.empty(field)) } else { Ok(text.clone()) }
    }

    fn missing(&self, field: &'static str) -> NotAnIssuer {
        NotAnIssuer::Missing { name: self.name.to_owned(), field }
    }

    fn empty(&self, field: &'static str) -> NotAnIssuer {
        NotAnIssuer::Empty { name: self.name.to_owned(), field }
    }

    fn contradiction(&self, field: &'static str, reason: &'static str) -> NotAnIssuer {
        NotAnIssuer::Contradiction { name: self.name.to_owned(), field, reason }
    }

    fn address(&self, field: &'static str) -> impl Fn(NotAnAddress) -> NotAnIssuer {
        let name = self.name.to_owned();
        move |reason| NotAnIssuer::Address { name: name.clone(), field, reason }
    }
}
