//! Why tokens are rejected.

/// Why a token was rejected: for the log, and without anything that the token says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// More bytes than any issuer needs.
    #[error("it is too long")]
    TooLong,
    /// Not three parts in base64url.
    #[error("it does not have three parts in base64url")]
    Malformed,
    /// A header or payload that is no JSON object, or has a name twice.
    #[error("its header or payload is no JSON object in which every name stands once")]
    NotAnObject,
    /// A header that asks for something that is not done here.
    #[error("its header holds {0}, which is not taken")]
    Header(&'static str),
    /// An algorithm that is unknown, or not the issuer's.
    #[error("its algorithm is not one of its issuer's")]
    Algorithm,
    /// Nobody who is trusted.
    #[error("its issuer is not trusted")]
    Issuer,
    /// No key, or not the one.
    #[error("its key is not one of its issuer's")]
    Key,
    /// A signature of somebody else, or of something else.
    #[error("its signature is wrong")]
    Signature,
    /// A field of header or payload that is missing or of the wrong kind.
    #[error("its field {0} is missing or malformed")]
    Field(&'static str),
    /// Too late.
    #[error("it has expired")]
    Expired,
    /// Too early.
    #[error("it is not valid yet")]
    Early,
    /// Meant for somebody else.
    #[error("it is meant for another audience")]
    Audience,
    /// Of another sign-in.
    #[error("it belongs to another sign-in")]
    Nonce,
}
