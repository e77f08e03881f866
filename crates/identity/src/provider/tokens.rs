//! The tokens that people get.

use std::fmt;

use jsonwebtoken::{Algorithm, Header};
use serde::Serialize;
use uuid::Uuid;
use weir_app::Env;
use weir_app::credentials::Secret;
use weir_app::sign_in::Begun;
use weir_domain::person::{Identity, Person};
use weir_domain::sign_in::{ACCESS_LIFETIME, SESSION_LIFETIME};
use weir_domain::{SessionId, Timestamp};
use zeroize::Zeroizing;

use super::signing_keys::KeySet;
use super::{NotSignedIn, PublicUrl};

/// What somebody gets who signed in.
#[derive(Clone, PartialEq, Eq)]
pub struct Tokens {
    /// The session that they are of.
    pub session: SessionId,
    /// What requests are made with, as a bearer token.
    pub access: Zeroizing<String>,
    /// For how many seconds that is good.
    pub access_seconds: u64,
    /// What new tokens are asked for with, once.
    pub refresh: Zeroizing<String>,
    /// For how many seconds that is good.
    pub refresh_seconds: u64,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens(…)")
    }
}

impl Tokens {
    /// The tokens of a session that began or goes on.
    pub(super) fn of(
        begun: &Begun,
        url: &PublicUrl,
        keys: &KeySet,
        env: &Env,
        secret: &Secret,
    ) -> Result<Self, NotSignedIn> {
        let now = env.now();
        let key = keys.signer(now).ok_or_else(|| NotSignedIn::Broken("no key signs".into()))?;
        let header = Header { kid: Some(key.id.clone()), ..Header::new(Algorithm::ES256) };
        let claims =
            Claims::of(&begun.session.person, begun.session.id, url, now, env.ids.next(now));
        let access = jsonwebtoken::encode(&header, &claims, &key.private)
            .map_err(|error| NotSignedIn::Broken(format!("no token can be signed: {error}")))?;
        Ok(Self {
            session: begun.session.id,
            access: Zeroizing::new(access),
            access_seconds: ACCESS_LIFETIME.as_secs(),
            refresh: begun.refresh.reveal(secret),
            refresh_seconds: SESSION_LIFETIME.as_secs(),
        })
    }
}

/// What an access token says.
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: &'a str,
    sub: Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_verified: Option<bool>,
    sid: SessionId,
    iat: i64,
    exp: i64,
    jti: Uuid,
}

impl<'a> Claims<'a> {
    fn of(
        person: &'a Person,
        session: SessionId,
        url: &'a PublicUrl,
        now: Timestamp,
        id: Uuid,
    ) -> Self {
        let email = person.email.as_ref().map(|email| email.as_str());
        Self {
            iss: url.as_str(),
            aud: url.as_str(),
            sub: subject(person, url),
            email,
            email_verified: email.map(|_| true),
            sid: session,
            iat: now.epoch_seconds(),
            exp: now.plus(ACCESS_LIFETIME).epoch_seconds(),
            jti: id,
        }
    }
}

/// What a person is called here: the same whenever they sign in, and nothing that tells who they are.
fn subject(person: &Person, url: &PublicUrl) -> Uuid {
    let here = Uuid::new_v5(&Uuid::NAMESPACE_URL, url.as_str().as_bytes());
    let name = match person.identities().first() {
        Some(Identity::Email(email)) => format!("email\n{email}"),
        // Neither has a line break in it.
        Some(Identity::Subject(subject)) => {
            format!("subject\n{}\n{}", subject.issuer(), subject.subject())
        }
        None => String::new(),
    };
    Uuid::new_v5(&here, name.as_bytes())
}

#[cfg(test)]
mod tests {
    use weir_domain::person::{Email, Subject};

    use super::*;

    #[test]
    fn a_person_is_called_the_same_and_like_nobody_else() {
        let here = PublicUrl::parse("https://a.example").unwrap();
        let there = PublicUrl::parse("https://b.example").unwrap();
        let ada = Person::from(Email::parse("ada@example.org").unwrap());
        let eve = Person::from(Email::parse("eve@example.org").unwrap());
        let of_issuer = |issuer: &str, subject: &str| Person {
            email: None,
            subject: Some(Subject::new(issuer, subject).unwrap()),
        };
        let mut all = vec![
            subject(&ada, &here),
            subject(&ada, &there),
            subject(&eve, &here),
            subject(&of_issuer("https://i", "ada@example.org"), &here),
            subject(&of_issuer("https://ia", "da@example.org"), &here),
        ];
        assert_eq!(all[0], subject(&ada, &here));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 5);
    }
}
