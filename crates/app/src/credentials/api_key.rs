//! The text of an API key.

use std::fmt;

use zeroize::Zeroizing;

const PREFIX: &str = "weir_";
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// ⌈256 / log₂ 62⌉ digits hold 32 bytes.
const KEY_DIGITS: usize = 43;
/// ⌈32 / log₂ 62⌉ digits hold the checksum.
const CHECK_DIGITS: usize = 6;

/// An API key as its owner sees it: `weir_`, 32 random bytes in base 62, and a checksum, so that a
/// mistyped key is told from a wrong one and secret scanners find it. It is wiped from memory when it
/// is dropped, and never printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKeyText(Zeroizing<String>);

impl ApiKeyText {
    /// The key that these random bytes are.
    pub fn from_random(bytes: &[u8; 32]) -> Self {
        let mut text = String::with_capacity(PREFIX.len() + KEY_DIGITS + CHECK_DIGITS);
        text.push_str(PREFIX);
        push_base62(&mut text, bytes, KEY_DIGITS);
        let check = crc32c::crc32c(text.as_bytes());
        push_base62(&mut text, &check.to_be_bytes(), CHECK_DIGITS);
        Self(Zeroizing::new(text))
    }

    /// Reads a key that a caller presents; none where its form or checksum is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?;
        if digits.len() != KEY_DIGITS + CHECK_DIGITS
            || !digits.bytes().all(|b| b.is_ascii_alphanumeric())
        {
            return None;
        }
        let (body, check) = text.split_at(text.len() - CHECK_DIGITS);
        let mut expected = String::with_capacity(CHECK_DIGITS);
        push_base62(&mut expected, &crc32c::crc32c(body.as_bytes()).to_be_bytes(), CHECK_DIGITS);
        (expected == check).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// Its characters, for showing it to its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKeyText(…)")
    }
}

/// Writes a big-endian number with a fixed count of base-62 digits.
fn push_base62(text: &mut String, bytes: &[u8], count: usize) {
    let mut number = bytes.to_vec();
    let mut digits = vec![0_u8; count];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0_u32;
        for byte in &mut number {
            let value = remainder << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *digit = DIGITS[remainder as usize];
    }
    text.extend(digits.into_iter().map(char::from));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_key_has_one_form_and_reads_back(bytes: [u8; 32]) {
            let key = ApiKeyText::from_random(&bytes);
            prop_assert_eq!(key.reveal().len(), 54);
            prop_assert_eq!(ApiKeyText::parse(key.reveal()), Some(key));
        }

        #[test]
        fn a_mistyped_character_is_noticed(bytes: [u8; 32], place in 5..54_usize, other in "[0-9A-Za-z]") {
            let key = ApiKeyText::from_random(&bytes);
            let mut typed = key.reveal().to_owned();
            typed.replace_range(place..=place, &other);
            prop_assert_eq!(ApiKeyText::parse(&typed).is_some(), typed == key.reveal());
        }

        #[test]
        fn any_text_is_read_without_a_panic(text in any::<String>()) {
            let _ = ApiKeyText::parse(&text);
        }
    }

    #[test]
    fn extremes_have_all_their_digits() {
        assert!(
            ApiKeyText::from_random(&[0; 32])
                .reveal()
                .starts_with("weir_0000000000000000000000000000000000000000000")
        );
        assert_ne!(ApiKeyText::from_random(&[255; 32]), ApiKeyText::from_random(&[254; 32]));
    }
}
