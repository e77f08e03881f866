//! The parts of a token.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::Reason;

/// How many bytes a token may have.
const MOST_BYTES: usize = 16 * 1_024;

/// The three parts of a signed token (RFC 7515, compact).
#[derive(Debug)]
pub(super) struct Parts<'a> {
    /// The bytes of the header.
    pub header: Vec<u8>,
    /// The bytes of the payload.
    pub payload: Vec<u8>,
    /// What is signed.
    pub message: &'a str,
    /// The signature, in base64.
    pub signature: &'a str,
}

impl<'a> Parts<'a> {
    /// Takes a token apart.
    pub(super) fn of(token: &'a str) -> Result<Self, Reason> {
        if token.len() > MOST_BYTES {
            return Err(Reason::TooLong);
        }
        let (message, signature) = token.rsplit_once('.').ok_or(Reason::Malformed)?;
        let (header, payload) = message.split_once('.').ok_or(Reason::Malformed)?;
        // A dot too many ends up in the payload, where base64 has none; so do padding and spaces.
        let decode = |part| URL_SAFE_NO_PAD.decode(part).map_err(|_| Reason::Malformed);
        let (header, payload) = (decode(header)?, decode(payload)?);
        if decode(signature)?.is_empty() {
            return Err(Reason::Signature);
        }
        Ok(Self { header, payload, message, signature })
    }
}
