//! How tokens are signed.

use std::fmt;

/// An algorithm that tokens may be signed with. Every kind of key is good for one of them and no more, so
/// that a key can never be used in a way that it was not made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSA (PKCS #1 v1.5) with SHA-256.
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// EdDSA on Ed25519.
    EdDsa,
    /// HMAC with SHA-256 and a shared secret.
    Hs256,
}

/// The text names no algorithm that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be RS256, ES256, EdDSA or HS256")]
pub struct NotAnAlgorithm;

impl Algorithm {
    /// Those with a public key.
    pub const PUBLIC: [Self; 3] = [Self::Rs256, Self::Es256, Self::EdDsa];

    /// Reads a name, to the letter.
    pub fn parse(text: &str) -> Result<Self, NotAnAlgorithm> {
        let all = [Self::Rs256, Self::Es256, Self::EdDsa, Self::Hs256];
        all.into_iter().find(|algorithm| algorithm.as_str() == text).ok_or(NotAnAlgorithm)
    }

    /// Its registered name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
            Self::Hs256 => "HS256",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Algorithm> for jsonwebtoken::Algorithm {
    fn from(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Rs256 => Self::RS256,
            Algorithm::Es256 => Self::ES256,
            Algorithm::EdDsa => Self::EdDSA,
            Algorithm::Hs256 => Self::HS256,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_to_the_letter() {
        for algorithm in Algorithm::PUBLIC.into_iter().chain([Algorithm::Hs256]) {
            assert_eq!(Algorithm::parse(algorithm.as_str()), Ok(algorithm));
        }
        for text in ["", "none", "None", "rs256", "RS256 ", "RS384", "PS256", "ES384", "HS512"] {
            assert_eq!(Algorithm::parse(text), Err(NotAnAlgorithm), "{text:?}");
        }
    }
}
