//! What can be wrong with an issuer.

use super::NotAnAddress;
use super::check::{NAME_CHARACTERS, SECRET_BYTES};
use crate::keys::NotAnAlgorithm;

/// What is wrong with an issuer's settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnIssuer {
    /// A name that cannot be part of an address.
    #[error(
        "the issuer {0:?} must be called by lower-case letters, digits and hyphens, at most {NAME_CHARACTERS}"
    )]
    Name(String),
    /// A field that has to be there.
    #[error("the issuer {name} lacks {field}")]
    Missing {
        /// The issuer.
        name: String,
        /// The field.
        field: &'static str,
    },
    /// An address that cannot be used.
    #[error("{field} of the issuer {name} {reason}")]
    Address {
        /// The issuer.
        name: String,
        /// The field.
        field: &'static str,
        /// Why not.
        reason: NotAnAddress,
    },
    /// No source of keys, or several.
    #[error(
        "the issuer {0} must have exactly one of discovery = true, jwks_url, jwks_file and secret"
    )]
    Keys(String),
    /// A secret that could be guessed.
    #[error("secret of the issuer {0} must have at least {SECRET_BYTES} bytes")]
    ShortSecret(String),
    /// An algorithm of no known name.
    #[error("algorithms of the issuer {name}: {text:?} {reason}")]
    Algorithm {
        /// The issuer.
        name: String,
        /// The text.
        text: String,
        /// Why not.
        reason: NotAnAlgorithm,
    },
    /// Algorithms that its keys cannot be for.
    #[error(
        "algorithms of the issuer {0} must be HS256 alone with a secret, and without one never"
    )]
    Confusion(String),
    /// A field with nothing in it, or with nothing but spaces.
    #[error("{field} of the issuer {name} must not be empty")]
    Empty {
        /// The issuer.
        name: String,
        /// The field.
        field: &'static str,
    },
    /// Fields that contradict each other.
    #[error("{field} of the issuer {name} {reason}")]
    Contradiction {
        /// The issuer.
        name: String,
        /// The field.
        field: &'static str,
        /// Why it cannot be.
        reason: &'static str,
    },
    /// Two that tokens could not be told apart by.
    #[error("the issuers {0} and {1} have the same address in issuer")]
    Twice(String, String),
    /// TLS cannot be had on this machine.
    #[error("the issuer {name} cannot be reached from this machine: {reason}")]
    Client {
        /// The issuer.
        name: String,
        /// Why not.
        reason: String,
    },
}
