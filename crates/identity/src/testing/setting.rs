//! Issuers that exist in tests alone.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde_json::{Value, json};
use weir_domain::Timestamp;

use super::Signer;
use super::weak::{BITS_512, BITS_1024};
use crate::issuer::{Audience, IssuerSettings};

/// Three issuers with new keys, and the tokens that they would give out at a moment.
///
/// The first publishes keys of every kind, weak ones and others that must not be used among them; the second
/// has a key of the same name; the third shares a secret.
#[derive(Debug)]
pub struct Setting {
    /// When all this happens.
    pub now: Timestamp,
    /// A key of the first issuer for RS256, its only good one.
    pub rsa: Signer,
    /// A key of the first issuer for ES256.
    pub p256: Signer,
    /// Its next one, published already.
    pub next_p256: Signer,
    /// A key of the first issuer for EdDSA.
    pub ed25519: Signer,
    /// Keys that the first issuer publishes and that must not be used.
    pub unfit: Vec<(&'static str, Signer)>,
    /// The second issuer's key, under the name of the first one's.
    pub other: Signer,
    /// The third issuer's secret.
    pub shared: Signer,
    /// Somebody's key, under the name of the first issuer's.
    pub stranger: Signer,
}

impl Setting {
    /// What the first issuer calls itself.
    pub const ISSUER: &'static str = "https://id.example/realm";
    /// What the second issuer calls itself.
    pub const OTHER: &'static str = "https://other.example";
    /// What the issuer with a shared secret calls itself.
    pub const SHARED: &'static str = "https://shared.example";
    /// Whom their tokens are meant for.
    pub const AUDIENCE: &'static str = "weir-api";
    /// Whose their tokens are.
    pub const SUBJECT: &'static str = "user-1";
    /// That user's verified address.
    pub const EMAIL: &'static str = "ada@example.org";

    const SECRET: &'static str = "a secret that is shared with an older provider";

    /// Makes new keys.
    pub fn at(now: Timestamp) -> Self {
        Self {
            now,
            rsa: Signer::rs256("rsa"),
            p256: Signer::es256("p256"),
            next_p256: Signer::es256("next-p256"),
            ed25519: Signer::eddsa("ed25519"),
            unfit: vec![
                ("an RSA key of 512 bits", Signer::weak("weak-512", BITS_512)),
                ("an RSA key of 1024 bits", Signer::weak("weak-1024", BITS_1024)),
                ("a secret that is published", Signer::hs256("oct", Self::SECRET.as_bytes())),
                ("a key for encryption", Signer::es256("for-encryption")),
                ("a key for another algorithm", Signer::eddsa("for-another")),
            ],
            other: Signer::es256("p256"),
            shared: Signer::hs256("shared", Self::SECRET.as_bytes()),
            stranger: Signer::es256("p256"),
        }
    }

    /// What the first issuer publishes.
    pub fn jwks(&self) -> Value {
        let mut keys: Vec<Value> =
            [&self.rsa, &self.p256, &self.next_p256, &self.ed25519].map(Signer::jwk).to_vec();
        keys.extend(self.unfit.iter().map(|(_, signer)| match signer.id() {
            "for-encryption" => altered(signer.jwk(), "use", "enc".into()),
            "for-another" => altered(signer.jwk(), "alg", "ECDH-ES".into()),
            _ => signer.jwk(),
        }));
        json!({ "keys": keys })
    }

    /// What the second issuer publishes.
    pub fn other_jwks(&self) -> Value {
        json!({ "keys": [self.other.jwk()] })
    }

    /// The settings of all three, by name; what they publish lies as files in a directory.
    pub fn issuers(&self, directory: &Path) -> io::Result<BTreeMap<String, IssuerSettings>> {
        let settings = |issuer: &str| IssuerSettings {
            issuer: Some(issuer.to_owned()),
            audience: Some(Audience::One(Self::AUDIENCE.to_owned())),
            ..IssuerSettings::default()
        };
        let published = |issuer, file: &str, jwks: &Value| {
            let path = directory.join(file);
            std::fs::write(&path, jwks.to_string())?;
            io::Result::Ok(IssuerSettings { jwks_file: Some(path), ..settings(issuer) })
        };
        let secret = Some(Self::SECRET.to_owned().into());
        Ok(BTreeMap::from([
            ("first".to_owned(), published(Self::ISSUER, "first.json", &self.jwks())?),
            ("other".to_owned(), published(Self::OTHER, "other.json", &self.other_jwks())?),
            ("shared".to_owned(), IssuerSettings { secret, ..settings(Self::SHARED) }),
        ]))
    }

    /// What a good token of an issuer says.
    pub fn claims(&self, issuer: &str) -> Value {
        json!({
            "iss": issuer,
            "aud": Self::AUDIENCE,
            "sub": Self::SUBJECT,
            "email": Self::EMAIL,
            "email_verified": true,
            "iat": self.seconds(0),
            "exp": self.seconds(300),
        })
    }

    /// So many seconds from now, as tokens have it.
    pub fn seconds(&self, from_now: i64) -> i64 {
        self.now.epoch_seconds() + from_now
    }

    /// Good tokens, one for each way to sign them.
    pub fn good_tokens(&self) -> Vec<(String, String)> {
        let claims = self.claims(Self::ISSUER);
        let mut unnamed = self.rsa.header();
        if let Some(header) = unnamed.as_object_mut() {
            header.remove("kid");
        }
        let several = json!(["another", Self::AUDIENCE]);
        let rows = [
            ("RS256", self.rsa.token(&claims)),
            ("RS256, the only key for it unnamed", self.rsa.token_with(&unnamed, &claims)),
            ("ES256", self.p256.token(&claims)),
            ("ES256, the next key", self.next_p256.token(&claims)),
            ("EdDSA", self.ed25519.token(&claims)),
            ("several audiences", self.p256.token(&altered(claims, "aud", several))),
            ("another issuer", self.other.token(&self.claims(Self::OTHER))),
            ("HS256", self.shared.token(&self.claims(Self::SHARED))),
        ];
        rows.map(|(name, token)| (name.to_owned(), token)).to_vec()
    }

    /// A good token, were it not for how much it holds beside the rest.
    pub fn padded_token(&self, padding: usize) -> String {
        let padding = "x".repeat(padding).into();
        self.p256.token(&altered(self.claims(Self::ISSUER), "padding", padding))
    }
}

/// An object with another value under a name.
pub(super) fn altered(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}
