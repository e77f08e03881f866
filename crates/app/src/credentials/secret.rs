//! The server's secret: what credentials are hashed and sealed with.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use weir_store::KeyHash;
use zeroize::Zeroizing;

use super::ApiKeyText;

/// How many random bytes sealing takes.
pub const NONCE: usize = 24;

/// What API keys are sealed for. It is empty for as long as there are stores: those of the first ones
/// were sealed for nothing in particular.
const API_KEYS: &[u8] = b"";

/// The server's secret. Whoever has it and the store can read every API key.
#[derive(Clone)]
pub struct Secret {
    hashing: Zeroizing<[u8; 32]>,
    sealing: Zeroizing<[u8; 32]>,
}

/// A secret that could be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret must have at least 16 bytes")]
pub struct SecretTooShort;

/// What a token is good for. The same bytes have another hash for each, so that none passes for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Signing in, once.
    Link,
    /// Telling the browser that asked for a link.
    Browser,
    /// Going on with a session.
    Refresh,
    /// Telling that a refresh token was made here.
    RefreshMark,
    /// Making the refresh token that follows another.
    RefreshNext,
    /// Sending the forms of a session's pages.
    Form,
}

impl TokenKind {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::Link => b"sign-in link",
            Self::Browser => b"browser",
            Self::Refresh => b"refresh token",
            Self::RefreshMark => b"mark of a refresh token",
            Self::RefreshNext => b"refresh token that follows",
            Self::Form => b"forms of a session",
        }
    }
}

impl Secret {
    /// Derives the keys from the secret that the operator gives or the store keeps.
    pub fn new(secret: &[u8]) -> Result<Self, SecretTooShort> {
        if secret.len() < 16 {
            return Err(SecretTooShort);
        }
        Ok(Self {
            hashing: Zeroizing::new(keyed_hash(secret, b"weir api key hash")),
            sealing: Zeroizing::new(keyed_hash(secret, b"weir api key seal")),
        })
    }

    /// The hash under which a key is looked up. Looking up by a keyed hash also means that no
    /// comparison ever runs along the characters of a key.
    pub fn hash(&self, key: &ApiKeyText) -> KeyHash {
        KeyHash(keyed_hash(self.hashing.as_slice(), key.reveal().as_bytes()))
    }

    /// The hash under which a token of that kind is kept.
    pub fn hash_token(&self, kind: TokenKind, token: &[u8]) -> KeyHash {
        // No label has the form of an API key, so that no key for a kind is the hash of one.
        let key = Zeroizing::new(keyed_hash(self.hashing.as_slice(), kind.label()));
        KeyHash(keyed_hash(key.as_slice(), token))
    }

    /// Seals a key for the store.
    pub fn seal(&self, key: &ApiKeyText, nonce: [u8; NONCE]) -> Vec<u8> {
        self.seal_for(API_KEYS, key.reveal().as_bytes(), nonce)
    }

    /// Opens a sealed key; none where it was sealed with another secret or was tampered with.
    pub fn open(&self, sealed: &[u8]) -> Option<ApiKeyText> {
        ApiKeyText::parse(std::str::from_utf8(&self.open_for(API_KEYS, sealed)?).ok()?)
    }

    /// Seals any bytes. They can be opened only for what they were sealed for, which is no secret.
    pub fn seal_bytes(&self, context: &str, bytes: &[u8], nonce: [u8; NONCE]) -> Vec<u8> {
        self.seal_for(&named(context), bytes, nonce)
    }

    /// Opens bytes that were sealed in that context; none where they were sealed in another one or with
    /// another secret, or were tampered with.
    pub fn open_bytes(&self, context: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        self.open_for(&named(context), sealed)
    }

    fn seal_for(&self, context: &[u8], bytes: &[u8], nonce: [u8; NONCE]) -> Vec<u8> {
        let payload = Payload { msg: bytes, aad: context };
        // Sealing fails only for texts of gigabytes.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).unwrap_or_default();
        [nonce.as_slice(), &sealed].concat()
    }

    fn open_for(&self, context: &[u8], sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: sealed, aad: context };
        self.cipher().decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&Key::from(*self.sealing))
    }
}

/// A context that is never that of API keys.
fn named(context: &str) -> Vec<u8> {
    [b"weir ", context.as_bytes()].concat()
}

fn keyed_hash(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac =
        <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("HMAC takes keys of any length");
    mac.update(message);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_can_be_opened_by_the_secret_that_sealed_it() {
        let secret = Secret::new(b"sixteen bytes or more").unwrap();
        let key = ApiKeyText::from_random(&[7; 32]);
        let sealed = secret.seal(&key, [1; NONCE]);
        assert_eq!(secret.open(&sealed), Some(key.clone()));
        let mut tampered = sealed.clone();
        tampered[30] ^= 1;
        assert_eq!(secret.open(&tampered), None);
        assert_eq!(secret.open(&sealed[..10]), None);
        let other = Secret::new(b"another secret of the same").unwrap();
        assert_eq!(other.open(&sealed), None);
        assert_ne!(other.hash(&key), secret.hash(&key));
    }

    /// Stores hold keys that were sealed and hashed so; they have to stay readable for ever.
    #[test]
    fn keys_of_existing_stores_stay_readable() {
        const SEALED: &str = "010101010101010101010101010101010101010101010101f570d39f2b293020e581ce53\
            e50f540a7973b9e0c9b490c947be4fee43785f282d3f54968cfe9b5d705404155a6fd3558670bd9fdcced562bf\
            10399ba9ba2b876272c5e6a9e9";
        const HASH: &str = "35707a1ada48049773b4dcb16f4c1b67058b687cc223986f41b2bc46a98d5828";
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let secret = Secret::new(b"sixteen bytes or more").unwrap();
        let key = ApiKeyText::from_random(&[7; 32]);
        assert_eq!(hex(&secret.seal(&key, [1; NONCE])), SEALED);
        assert_eq!(hex(&secret.hash(&key).0), HASH);
    }

    #[test]
    fn bytes_are_opened_only_for_what_they_were_sealed_for() {
        let secret = Secret::new(b"sixteen bytes or more").unwrap();
        let sealed = secret.seal_bytes("signing key a", b"private", [2; NONCE]);
        let opened =
            |context: &str| secret.open_bytes(context, &sealed).map(|bytes| bytes.to_vec());
        assert_eq!(opened("signing key a").as_deref(), Some(&b"private"[..]));
        assert_eq!(opened("signing key b"), None);
        assert_eq!(opened(""), None);
        let key = secret.seal(&ApiKeyText::from_random(&[7; 32]), [1; NONCE]);
        assert!(secret.open_bytes("", &key).is_none());
        let text = ApiKeyText::from_random(&[7; 32]);
        let disguised = secret.seal_bytes("", text.reveal().as_bytes(), [3; NONCE]);
        assert_eq!(secret.open(&disguised), None);
    }

    #[test]
    fn a_token_of_one_kind_is_none_of_another() {
        let secret = Secret::new(b"sixteen bytes or more").unwrap();
        let kinds = [
            TokenKind::Link,
            TokenKind::Browser,
            TokenKind::Refresh,
            TokenKind::RefreshMark,
            TokenKind::RefreshNext,
            TokenKind::Form,
        ];
        let key = ApiKeyText::from_random(&[7; 32]);
        let mut hashes: Vec<_> =
            kinds.iter().map(|kind| secret.hash_token(*kind, key.reveal().as_bytes()).0).collect();
        hashes.push(secret.hash(&key).0);
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), kinds.len() + 1);
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(Secret::new(b"fifteen bytes..").is_err());
    }
}
