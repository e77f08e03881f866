//! Key pairs that sign tokens.

use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256,
    RsaEncoding, RsaKeyPair,
};
use aws_lc_rs::{error, hmac};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::weak::WeakKey;

/// Someone who signs tokens, and the name of their key.
#[derive(Debug)]
pub struct Signer {
    id: String,
    pair: Pair,
}

enum Pair {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Secret(Vec<u8>),
    Weak(WeakKey),
}

impl Signer {
    /// A new key for RS256.
    pub fn rs256(id: &str) -> Self {
        Self::new(id, Pair::Rsa(made(RsaKeyPair::generate(KeySize::Rsa2048))))
    }

    /// A new key for ES256.
    pub fn es256(id: &str) -> Self {
        Self::new(id, Pair::P256(made(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING))))
    }

    /// A new key for EdDSA.
    pub fn eddsa(id: &str) -> Self {
        Self::new(id, Pair::Ed25519(made(Ed25519KeyPair::generate())))
    }

    /// A secret for HS256.
    pub fn hs256(id: &str, secret: &[u8]) -> Self {
        Self::new(id, Pair::Secret(secret.to_vec()))
    }

    pub(super) fn weak(id: &str, key: WeakKey) -> Self {
        Self::new(id, Pair::Weak(key))
    }

    fn new(id: &str, pair: Pair) -> Self {
        Self { id: id.to_owned(), pair }
    }

    /// The name of the key.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The algorithm that it is for.
    pub fn algorithm(&self) -> &'static str {
        match &self.pair {
            Pair::Rsa(_) | Pair::Weak(_) => "RS256",
            Pair::P256(_) => "ES256",
            Pair::Ed25519(_) => "EdDSA",
            Pair::Secret(_) => "HS256",
        }
    }

    /// The key as it is published; of a secret, the secret.
    pub fn jwk(&self) -> Value {
        let mut jwk = match &self.pair {
            Pair::Rsa(_) => json!({ "kty": "RSA", "n": encode(self.raw()), "e": "AQAB" }),
            Pair::Weak(key) => json!({ "kty": "RSA", "n": encode(key.modulus()), "e": "AQAB" }),
            Pair::P256(_) => {
                let point = self.raw();
                let (x, y) = (encode(&point[1..33]), encode(&point[33..]));
                json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y })
            }
            Pair::Ed25519(_) => json!({ "kty": "OKP", "crv": "Ed25519", "x": encode(self.raw()) }),
            Pair::Secret(secret) => json!({ "kty": "oct", "k": encode(secret) }),
        };
        jwk["kid"] = self.id.clone().into();
        jwk["alg"] = self.algorithm().into();
        jwk["use"] = "sig".into();
        jwk
    }

    /// The public key in its bare form: modulus, point or bytes.
    pub fn raw(&self) -> Vec<u8> {
        match &self.pair {
            Pair::Rsa(pair) => {
                pair.public_key().modulus().big_endian_without_leading_zero().to_vec()
            }
            Pair::P256(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Secret(secret) => secret.clone(),
            Pair::Weak(key) => key.modulus(),
        }
    }

    /// The public key in every form in which keys are handed around, each with its name.
    pub fn public_forms(&self) -> Vec<(&'static str, Vec<u8>)> {
        let der: PublicKeyX509Der<'_> = match &self.pair {
            Pair::Rsa(pair) => made(pair.public_key().as_der()),
            Pair::P256(pair) => made(pair.public_key().as_der()),
            Pair::Ed25519(pair) => made(pair.public_key().as_der()),
            Pair::Secret(_) | Pair::Weak(_) => return vec![("bare", self.raw())],
        };
        let lines = STANDARD.encode(der.as_ref()).into_bytes();
        let lines: Vec<_> = lines.chunks(64).map(|line| String::from_utf8_lossy(line)).collect();
        let pem =
            format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", lines.join("\n"));
        let mut forms = vec![
            ("bare", self.raw()),
            ("DER", der.as_ref().to_vec()),
            ("PEM without its last line break", pem.trim_end().as_bytes().to_vec()),
            ("PEM", pem.into_bytes()),
            ("JWK", self.jwk().to_string().into_bytes()),
        ];
        if let Pair::Rsa(pair) = &self.pair {
            forms.push(("PKCS #1 DER", pair.public_key().as_ref().to_vec()));
        }
        forms
    }

    /// Signs a message.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.pair {
            Pair::Rsa(_) => self.sign_rsa(&RSA_PKCS1_SHA256, message),
            Pair::P256(pair) => made(pair.sign(&SystemRandom::new(), message)).as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Pair::Secret(secret) => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, secret);
                hmac::sign(&key, message).as_ref().to_vec()
            }
            Pair::Weak(key) => key.sign(message),
        }
    }

    /// Signs a message by another way of RSA; as usual with other keys.
    pub(super) fn sign_rsa(&self, encoding: &'static dyn RsaEncoding, message: &[u8]) -> Vec<u8> {
        let Pair::Rsa(pair) = &self.pair else { return self.sign(message) };
        let mut signature = vec![0; pair.public_modulus_len()];
        made(pair.sign(encoding, &SystemRandom::new(), message, &mut signature));
        signature
    }

    /// The header of its tokens.
    pub fn header(&self) -> Value {
        json!({ "alg": self.algorithm(), "typ": "JWT", "kid": self.id })
    }

    /// A token that says that.
    pub fn token(&self, claims: &Value) -> String {
        self.token_with(&self.header(), claims)
    }

    /// A token with another header.
    pub fn token_with(&self, header: &Value, claims: &Value) -> String {
        self.token_of(header.to_string().as_bytes(), claims.to_string().as_bytes())
    }

    /// A token of any bytes.
    pub fn token_of(&self, header: &[u8], payload: &[u8]) -> String {
        assemble(header, payload, |message| self.sign(message))
    }
}

/// A token of any bytes, with any signature of what is to be signed.
pub fn assemble(header: &[u8], payload: &[u8], signature: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let message = format!("{}.{}", encode(header), encode(payload));
    let signature = encode(signature(message.as_bytes()));
    format!("{message}.{signature}")
}

/// Base64 as tokens have it.
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn made<T>(made: Result<T, error::Unspecified>) -> T {
    made.expect("a key that was just made can be used")
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Pair(…)")
    }
}
