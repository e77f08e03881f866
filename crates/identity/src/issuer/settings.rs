//! Issuers as an operator writes them.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

/// The claim that holds an address, where nothing else is said.
pub(super) const EMAIL: &str = "email";

/// The claim that says that it was verified, where nothing else is said.
pub(super) const EMAIL_VERIFIED: &str = "email_verified";

/// An issuer, as a table of the settings file has it; see [`super::Issuer::new`] for what is checked.
/// A field of another name is an error that names it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IssuerSettings {
    /// What its tokens call it (`iss`), to the letter: an address.
    pub issuer: Option<String>,
    /// Whether it tells at its address where its keys are; it does where no other source is given.
    pub discovery: Option<bool>,
    /// The address of its keys.
    pub jwks_url: Option<String>,
    /// A file with its keys.
    pub jwks_file: Option<PathBuf>,
    /// A secret that is shared with it.
    pub secret: Option<Hidden>,
    /// How its tokens may be signed.
    pub algorithms: Option<Vec<String>>,
    /// Whom its tokens must be meant for: any of these. It may be left out where people only sign in
    /// there; then its tokens open nothing by themselves.
    pub audience: Option<Audience>,
    /// The claim that holds the user's address.
    pub email_claim: Option<String>,
    /// The claim that says that it was verified.
    pub email_verified_claim: Option<String>,
    /// Whether it gives out verified addresses only, and does not say so.
    pub email_is_verified: bool,
    /// Whether it may be reached without TLS though it is on another machine.
    pub allow_http: bool,
    /// What it calls this service, where people sign in there.
    pub client_id: Option<String>,
    /// How this service proves that.
    pub client_secret: Option<Hidden>,
    /// What is asked for when people sign in.
    pub scopes: Option<Vec<String>>,
    /// What people know it by.
    pub label: Option<String>,
}

/// One audience or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Audience {
    /// One.
    One(String),
    /// Several.
    Any(Vec<String>),
}

impl From<Audience> for Vec<String> {
    fn from(audience: Audience) -> Self {
        match audience {
            Audience::One(text) => vec![text],
            Audience::Any(list) => list,
        }
    }
}

/// A secret text. It is wiped from memory when it is dropped, and never printed by accident.
#[derive(Clone)]
pub struct Hidden(Zeroizing<String>);

impl Hidden {
    /// Its characters, for proving that one knows them.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Hidden {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl<'de> Deserialize<'de> for Hidden {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden(…)")
    }
}
