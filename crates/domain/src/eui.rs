//! The 64-bit Device EUI.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize, Serializer};

/// A Device EUI: sixteen hexadecimal characters that remember how they were written and compare
/// ignoring case.
///
/// ```
/// use weir_domain::Eui;
/// let registered = Eui::parse("70B3D57ed02a3654").unwrap();
/// assert_eq!(registered, Eui::parse("70b3d57ed02a3654").unwrap());
/// assert_eq!(registered.to_string(), "70B3D57ed02a3654");
/// ```
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct Eui {
    written: [u8; 16],
}

/// The text is not a Device EUI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be exactly 16 hexadecimal characters")]
pub struct NotAnEui;

impl Eui {
    /// Reads an EUI: exactly sixteen hexadecimal characters, nothing around them.
    pub fn parse(text: &str) -> Result<Self, NotAnEui> {
        let written: [u8; 16] = text.as_bytes().try_into().map_err(|_| NotAnEui)?;
        if !written.iter().all(u8::is_ascii_hexdigit) {
            return Err(NotAnEui);
        }
        Ok(Self { written })
    }

    /// The EUI that these 64 bits are, written in lower case.
    pub fn from_bits(bits: u64) -> Self {
        let mut written = [0; 16];
        for (place, nibble) in written.iter_mut().zip((0..16).rev()) {
            *place = b"0123456789abcdef"[(bits >> (nibble * 4)) as usize & 0xf];
        }
        Self { written }
    }

    /// The 64 bits, which is what two spellings of one EUI share.
    pub fn bits(&self) -> u64 {
        self.written.iter().fold(0, |bits, &c| {
            let digit = match c {
                b'0'..=b'9' => c - b'0',
                _ => (c | 0x20) - b'a' + 10,
            };
            bits << 4 | u64::from(digit)
        })
    }

    /// The characters as they were written.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.written).unwrap_or_default()
    }
}

impl PartialEq for Eui {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for Eui {}

impl Hash for Eui {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

impl PartialOrd for Eui {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Eui {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bits().cmp(&other.bits())
    }
}

impl fmt::Display for Eui {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Eui {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Eui({self})")
    }
}

impl Serialize for Eui {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl TryFrom<String> for Eui {
    type Error = NotAnEui;

    fn try_from(text: String) -> Result<Self, NotAnEui> {
        Self::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_sixteen_hex_characters_are_kept_as_written(text in "[0-9a-fA-F]{16}") {
            let eui = Eui::parse(&text).unwrap();
            prop_assert_eq!(eui.to_string(), text.clone());
            prop_assert_eq!(eui, Eui::parse(&text.to_lowercase()).unwrap());
            prop_assert_eq!(eui.bits(), u64::from_str_radix(&text, 16).unwrap());
        }

        #[test]
        fn bits_and_text_are_one_value(bits: u64) {
            prop_assert_eq!(Eui::from_bits(bits).bits(), bits);
            prop_assert_eq!(Eui::from_bits(bits).to_string(), format!("{bits:016x}"));
        }

        #[test]
        fn anything_else_is_refused(text in any::<String>()) {
            let hex = text.len() == 16 && text.chars().all(|c| c.is_ascii_hexdigit());
            prop_assert_eq!(Eui::parse(&text).is_ok(), hex);
        }
    }

    #[test]
    fn space_and_signs_around_it_are_refused() {
        for text in [
            "",
            " 0b3d57ed02a3654",
            "+0b3d57ed02a3654",
            "70b3d57ed02a365",
            "70b3d57ed02a36540",
            "７0b3d57ed02a36",
        ] {
            assert_eq!(Eui::parse(text).unwrap_err(), NotAnEui, "{text:?}");
        }
    }
}
