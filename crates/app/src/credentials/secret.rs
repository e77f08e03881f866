//! The server's secret: what API keys are hashed and sealed with.

use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use weir_store::KeyHash;
use zeroize::Zeroizing;

use super::ApiKeyText;

const NONCE: usize = 24;

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

    /// Seals a key for the store.
    pub fn seal(&self, key: &ApiKeyText, nonce: [u8; NONCE]) -> Vec<u8> {
        let text = key.reveal().as_bytes();
        // Sealing fails only for texts of gigabytes.
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), text).unwrap_or_default();
        [nonce.as_slice(), &sealed].concat()
    }

    /// Opens a sealed key; none where it was sealed with another secret or was tampered with.
    pub fn open(&self, sealed: &[u8]) -> Option<ApiKeyText> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        let text = Zeroizing::new(self.cipher().decrypt(&XNonce::from(*nonce), sealed).ok()?);
        ApiKeyText::parse(std::str::from_utf8(&text).ok()?)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&Key::from(*self.sealing))
    }
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

    #[test]
    fn a_short_secret_is_refused() {
        assert!(Secret::new(b"fifteen bytes..").is_err());
    }
}
