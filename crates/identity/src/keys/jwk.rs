//! One key, as JSON has it (RFC 7517).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use serde::Deserialize;

use super::{Algorithm, Key};

/// How many bits an RSA modulus has: fewer can be broken, more cost too much.
const RSA_BITS: std::ops::RangeInclusive<usize> = 2_048..=8_192;

/// How many bytes a coordinate on P-256 and a key on Ed25519 have.
const CURVE_BYTES: usize = 32;

/// A key as it is published. What is not looked at may be anything.
#[derive(Debug, Deserialize)]
pub(super) struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    n: Option<String>,
    e: Option<String>,
}

impl Jwk {
    /// The key, where it is one that signatures of tokens can be checked with.
    pub(super) fn key(self) -> Option<Key> {
        let verifies = self.usage.as_ref().is_none_or(|usage| usage == "sig")
            && self.key_ops.as_ref().is_none_or(|all| all.iter().any(|one| one == "verify"));
        let (algorithm, material) = match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", _) => (Algorithm::Rs256, self.rsa()),
            ("EC", Some("P-256")) => (Algorithm::Es256, self.p256()),
            ("OKP", Some("Ed25519")) => (Algorithm::EdDsa, self.ed25519()),
            // Secrets are shared by other means than publishing them.
            _ => return None,
        };
        let is_for_it = self.alg.as_ref().is_none_or(|alg| alg == algorithm.as_str());
        let material = material.filter(|_| verifies && is_for_it)?;
        Some(Key { id: self.kid, algorithm, material })
    }

    fn rsa(&self) -> Option<DecodingKey> {
        let (modulus, exponent) = (number(&self.n)?, number(&self.e)?);
        let bits = modulus.len() * 8 - modulus.first()?.leading_zeros() as usize;
        // An exponent of one leaves the message as it is: anybody could sign.
        let is_odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
        let is_sound = is_odd(&modulus) && is_odd(&exponent) && exponent != [1];
        (is_sound && RSA_BITS.contains(&bits))
            .then(|| DecodingKey::from_rsa_raw_components(&modulus, &exponent))
    }

    fn p256(&self) -> Option<DecodingKey> {
        let (x, y) = (curve_bytes(&self.x)?, curve_bytes(&self.y)?);
        // That the point lies on the curve is checked with every signature.
        Some(DecodingKey::from_ec_der(&[&[4], x.as_slice(), &y].concat()))
    }

    fn ed25519(&self) -> Option<DecodingKey> {
        curve_bytes(&self.x).map(|x| DecodingKey::from_ed_der(&x))
    }
}

/// A number without leading zeros; not all providers leave them away, nor the padding.
fn number(field: &Option<String>) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(field.as_ref()?.trim_end_matches('=')).ok()?;
    Some(bytes.into_iter().skip_while(|byte| *byte == 0).collect())
}

fn curve_bytes(field: &Option<String>) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(field.as_ref()?.trim_end_matches('=')).ok()?;
    (bytes.len() == CURVE_BYTES).then_some(bytes)
}
