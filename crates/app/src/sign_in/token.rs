//! What the tokens of signing in look like.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;
use weir_domain::SessionId;
use weir_store::KeyHash;
use zeroize::Zeroizing;

use crate::credentials::{Secret, TokenKind};

/// How many bytes mark a refresh token as ours.
const MARK: usize = 16;

/// 32 random bytes, written in base64 for URLs. It is wiped from memory when it is dropped, and never
/// printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct RandomToken(Zeroizing<[u8; 32]>);

impl RandomToken {
    /// Draws from the system's source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut_slice())?;
        Ok(Self(bytes))
    }

    /// The token that these random bytes are.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads a token that somebody presents.
    pub fn parse(text: &str) -> Option<Self> {
        decode(text).map(|bytes| Self(Zeroizing::new(bytes)))
    }

    /// Its characters, for whoever it is made for.
    pub fn reveal(&self) -> Zeroizing<String> {
        Zeroizing::new(URL_SAFE_NO_PAD.encode(self.0.as_slice()))
    }

    /// The hash under which it is kept.
    pub fn hash(&self, secret: &Secret, kind: TokenKind) -> KeyHash {
        secret.hash_token(kind, self.0.as_slice())
    }
}

impl fmt::Debug for RandomToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomToken(…)")
    }
}

/// A refresh token: `<session>.<32 random bytes and a mark>`.
///
/// The mark tells a token that was made here and used before from one that somebody made up. The first
/// ends its session; the second must not, since a session's id is no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    session: SessionId,
    random: RandomToken,
}

impl RefreshToken {
    /// A token of a session.
    pub const fn new(session: SessionId, random: RandomToken) -> Self {
        Self { session, random }
    }

    /// Reads a token that somebody presents; none where it was not made with this secret.
    pub fn parse(text: &str, secret: &Secret) -> Option<Self> {
        let (session, rest) = text.split_once('.')?;
        // The length leaves out the other forms that the parser knows.
        let session = (session.len() == 36).then(|| Uuid::try_parse(session).ok()).flatten()?;
        let bytes = Zeroizing::new(decode::<{ 32 + MARK }>(rest)?);
        let random = RandomToken(Zeroizing::new(*bytes.first_chunk()?));
        let token = Self::new(SessionId::from_uuid(session), random);
        // Two hashes of the marks are compared, so that nothing can be learned from how long it takes.
        let kind = TokenKind::RefreshMark;
        let (given, right) = (&bytes[32..], token.mark(secret));
        (secret.hash_token(kind, given) == secret.hash_token(kind, &right)).then_some(token)
    }

    /// Its characters, for whoever it is made for.
    pub fn reveal(&self, secret: &Secret) -> Zeroizing<String> {
        let bytes = Zeroizing::new([self.random.0.as_slice(), &self.mark(secret)].concat());
        Zeroizing::new(format!("{}.{}", self.session, URL_SAFE_NO_PAD.encode(&*bytes)))
    }

    /// The session that it goes on with.
    pub const fn session(&self) -> SessionId {
        self.session
    }

    /// The hash under which it is kept.
    pub fn hash(&self, secret: &Secret) -> KeyHash {
        self.random.hash(secret, TokenKind::Refresh)
    }

    /// The token that takes its place. It follows from this one, so that whoever presents this one twice,
    /// as two pages do that refresh at once, gets the same one twice.
    #[must_use]
    pub fn next(&self, secret: &Secret) -> Self {
        let KeyHash(next) = self.random.hash(secret, TokenKind::RefreshNext);
        Self::new(self.session, RandomToken::from_random(next))
    }

    fn mark(&self, secret: &Secret) -> [u8; MARK] {
        let marked =
            Zeroizing::new([self.session.uuid().as_bytes(), self.random.0.as_slice()].concat());
        let KeyHash(hash) = secret.hash_token(TokenKind::RefreshMark, &marked);
        let mut mark = [0; MARK];
        mark.copy_from_slice(&hash[..MARK]);
        mark
    }
}

/// Reads exactly that many bytes.
fn decode<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    // The length is looked at first, for a text that somebody presents may be long.
    let fits = text.len() == (LENGTH * 8).div_ceil(6);
    let read = fits.then(|| URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()).flatten()?;
    (read == LENGTH).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secret() -> Secret {
        Secret::new(b"sixteen bytes or more").unwrap()
    }

    proptest! {
        #[test]
        fn what_is_revealed_reads_back(bytes: [u8; 32], session: u128) {
            let token = RandomToken::from_random(bytes);
            prop_assert_eq!(token.reveal().len(), 43);
            prop_assert_eq!(RandomToken::parse(&token.reveal()), Some(token.clone()));
            let refresh = RefreshToken::new(SessionId::from_uuid(Uuid::from_u128(session)), token);
            let text = refresh.reveal(&secret());
            prop_assert_eq!(RefreshToken::parse(&text, &secret()), Some(refresh));
        }

        #[test]
        fn a_refresh_token_that_is_made_up_or_changed_is_none(place in 0..101_usize, other in "[0-9a-zA-Z_.-]") {
            let session = SessionId::from_uuid(Uuid::from_u128(7));
            let text = RefreshToken::new(session, RandomToken::from_random([9; 32])).reveal(&secret());
            prop_assert_eq!(text.len(), 101);
            let mut changed = text.to_string();
            changed.replace_range(place..=place, &other);
            prop_assert_eq!(RefreshToken::parse(&changed, &secret()).is_some(), changed == *text);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            prop_assert_eq!(RefreshToken::parse(&text, &secret()), None);
            let _ = RandomToken::parse(&text);
        }
    }

    #[test]
    fn another_secret_made_none_of_these() {
        let session = SessionId::from_uuid(Uuid::from_u128(7));
        let text = RefreshToken::new(session, RandomToken::from_random([9; 32])).reveal(&secret());
        let other = Secret::new(b"another secret of the same").unwrap();
        assert_eq!(RefreshToken::parse(&text, &other), None);
    }

    #[test]
    fn nothing_is_printed_by_accident() {
        let token = RefreshToken::new(
            SessionId::from_uuid(Uuid::from_u128(7)),
            RandomToken::from_random([9; 32]),
        );
        assert!(format!("{token:?}").contains("RandomToken(…)"));
    }
}
