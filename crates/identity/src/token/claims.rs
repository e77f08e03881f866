//! What the payload of a token must say.

use std::time::Duration;

use serde_json::Value;
use uuid::Uuid;
use weir_domain::person::{Email, Person, Subject};
use weir_domain::{SessionId, Timestamp};

use super::object::Object;
use super::{Reason, Verified};
use crate::issuer::Issuer;

/// How far clocks may be apart.
const LEEWAY: Duration = Duration::from_secs(60);

/// How far from now a moment can lie that anybody means: milliseconds and jokes lie further.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// The payload of a token.
#[derive(Debug)]
pub(super) struct Claims<'a> {
    pub issuer: &'a Issuer,
    pub object: &'a Object,
    pub now: Timestamp,
}

impl Claims<'_> {
    /// Checks everything but the audience, and says whose token it is.
    pub(super) fn verified(&self) -> Result<Verified, Reason> {
        let expires_at = self.expires_at()?;
        self.has_begun()?;
        let subject = Subject::new(self.issuer.url(), self.object.text("sub")?)
            .map_err(|_| Reason::Field("sub"))?;
        Ok(Verified {
            person: Person { email: self.verified_email(), subject: Some(subject) },
            session: self.session()?,
            nonce: self.object.optional_text("nonce")?.map(str::to_owned),
            expires_at,
        })
    }

    /// Whether it is meant for any of these.
    pub(super) fn is_meant_for(&self, audience: &[String]) -> Result<(), Reason> {
        let named = self.audience()?;
        let is_meant = named.iter().any(|name| audience.iter().any(|ours| ours == name));
        is_meant.then_some(()).ok_or(Reason::Audience)
    }

    /// Whether it was issued to that client and no other.
    pub(super) fn is_issued_to(&self, client: &str) -> Result<(), Reason> {
        let named = self.audience()?;
        let is_ours = match self.object.optional_text("azp")? {
            Some(party) => party == client,
            None => named.len() == 1,
        };
        (is_ours && named.contains(&client)).then_some(()).ok_or(Reason::Audience)
    }

    fn audience(&self) -> Result<Vec<&str>, Reason> {
        let malformed = Reason::Field("aud");
        match self.object.value("aud") {
            Some(Value::String(one)) => Ok(vec![one]),
            Some(Value::Array(list)) => {
                list.iter().map(|one| one.as_str().ok_or(malformed)).collect()
            }
            _ => Err(malformed),
        }
    }

    fn expires_at(&self) -> Result<Timestamp, Reason> {
        let at = self.time("exp")?.ok_or(Reason::Field("exp"))?;
        if self.now < at.plus(LEEWAY) { Ok(at) } else { Err(Reason::Expired) }
    }

    fn has_begun(&self) -> Result<(), Reason> {
        for name in ["nbf", "iat"] {
            if self.time(name)?.is_some_and(|at| at > self.now.plus(LEEWAY)) {
                return Err(Reason::Early);
            }
        }
        Ok(())
    }

    /// A moment in whole seconds; none where nothing stands there. The standard would allow fractions, but
    /// no issuer needs them, and readers differ in what they make of them.
    fn time(&self, name: &'static str) -> Result<Option<Timestamp>, Reason> {
        let Some(value) = self.object.value(name) else { return Ok(None) };
        let micros = value.as_i64().and_then(|seconds| seconds.checked_mul(1_000_000));
        let at = Timestamp::from_micros(micros.ok_or(Reason::Field(name))?);
        let is_meant = self.now.minus(CENTURY) <= at && at <= self.now.plus(CENTURY);
        is_meant.then_some(Some(at)).ok_or(Reason::Field(name))
    }

    /// The address, where the issuer vouches for it. One that is not an address is as good as none: the
    /// user is still the subject.
    fn verified_email(&self) -> Option<Email> {
        let is_verified = match &self.issuer.email_verified_claim {
            None => true,
            Some(claim) => match self.object.value(claim) {
                Some(Value::Bool(is_verified)) => *is_verified,
                Some(Value::String(text)) => text == "true",
                _ => false,
            },
        };
        let text = self.object.value(&self.issuer.email_claim).filter(|_| is_verified)?;
        Email::parse(text.as_str()?).ok()
    }

    /// The session; every token of our own has one, and nobody else's has ours.
    fn session(&self) -> Result<Option<SessionId>, Reason> {
        if !self.issuer.is_own {
            return Ok(None);
        }
        let id = Uuid::try_parse(self.object.text("sid")?).map_err(|_| Reason::Field("sid"))?;
        Ok(Some(SessionId::from_uuid(id)))
    }
}
