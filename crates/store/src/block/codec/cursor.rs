//! Numbers in few bytes, and a way through them.

use super::NotABlock;

/// What has not been read yet.
pub(super) struct Cursor<'b>(pub(super) &'b [u8]);

impl Cursor<'_> {
    /// Whether everything has been read.
    pub(super) const fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    /// The next bytes.
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], NotABlock> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(NotABlock::CutOff)?;
        self.0 = rest;
        Ok(*taken)
    }

    /// The next number.
    pub(super) fn number(&mut self) -> Result<u64, NotABlock> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let [byte] = self.take()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(NotABlock::OutOfRange)
    }
}

/// Writes a number, seven bits a byte, the lowest first.
pub(super) fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A number that may be negative, as one that is not: small ones stay small.
pub(super) const fn unsigned(number: i64) -> u64 {
    (number << 1 ^ number >> 63).cast_unsigned()
}

/// The same backwards.
pub(super) const fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}
