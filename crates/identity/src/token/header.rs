//! What the header of a token may say.

use super::Reason;
use super::object::Object;
use crate::keys::Algorithm;

/// What would bring a key along or lead to one, or asks for something that is not done here. A token that
/// holds its own key proves nothing.
const REFUSED: [&str; 8] = ["crit", "jwk", "jku", "x5u", "x5c", "b64", "zip", "enc"];

/// The kinds of tokens that say who someone is. Others are signed by the same keys and mean other things.
const TYPES: [&str; 4] = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"];

/// The header of a token.
#[derive(Debug)]
pub(super) struct Header {
    /// How it says it is signed.
    pub algorithm: Algorithm,
    /// The name of the key that it says it is signed with.
    pub key: Option<String>,
}

impl Header {
    /// Reads a header.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Reason> {
        let object = Object::read(bytes)?;
        if let Some(name) = REFUSED.into_iter().find(|name| object.value(name).is_some()) {
            return Err(Reason::Header(name));
        }
        let is_known = |kind: &str| TYPES.contains(&kind.to_ascii_lowercase().as_str());
        if !object.optional_text("typ")?.is_none_or(is_known) {
            return Err(Reason::Header("typ"));
        }
        let algorithm = Algorithm::parse(object.text("alg")?).map_err(|_| Reason::Algorithm)?;
        let key = object.optional_text("kid")?.map(str::to_owned);
        Ok(Self { algorithm, key })
    }
}
