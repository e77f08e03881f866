//! A frame: one record as bytes.
//!
//! ```text
//! 0   4  sync word
//! 4   4  length of the payload, little endian
//! 8   8  sequence, little endian
//! 16  4  CRC-32C over the spool's id, length, sequence and payload, little endian
//! 20     payload
//! ```

use weir_domain::SpoolId;

/// The longest payload that a spool takes.
pub const MAX_PAYLOAD_BYTES: usize = 1 << 20;

/// The bytes of a frame beside its payload.
pub(super) const OVERHEAD_BYTES: usize = 20;

/// The longest payload of any frame: a record that is set aside also carries where it came from.
pub(super) const MAX_LENGTH: usize = MAX_PAYLOAD_BYTES + (1 << 14);

/// The longest frame.
pub(super) const MAX_FRAME_BYTES: usize = OVERHEAD_BYTES + MAX_LENGTH;

/// Where a frame may begin. The first and third byte never occur in UTF-8 text.
pub(super) const SYNC: [u8; 4] = [0xF9, 0x57, 0xFE, 0x1D];

/// What a spool's checksums begin with.
///
/// The id is known to nobody outside, so a payload cannot be made to hold a frame that passes for one
/// of the spool's own; and blocks of another spool, turned up by a confused file system, do not pass
/// either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seal(u32);

impl Seal {
    /// The seal of this spool.
    pub(super) fn of(id: SpoolId) -> Self {
        Self(crc32c::crc32c(id.uuid().as_bytes()))
    }

    fn checksum(self, length: [u8; 4], sequence: [u8; 8], payload: &[u8]) -> [u8; 4] {
        let mut prefix = [0; 12];
        prefix[..4].copy_from_slice(&length);
        prefix[4..].copy_from_slice(&sequence);
        crc32c::crc32c_append(crc32c::crc32c_append(self.0, &prefix), payload).to_le_bytes()
    }
}

/// A frame that was found whole.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame<'a> {
    pub(super) sequence: u64,
    pub(super) payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Appends the frame's bytes. The payload is at most [`MAX_LENGTH`] long, so its length fits.
    pub(super) fn encode(&self, seal: Seal, bytes: &mut Vec<u8>) {
        debug_assert!(self.payload.len() <= MAX_LENGTH);
        let length = (self.payload.len() as u32).to_le_bytes();
        let sequence = self.sequence.to_le_bytes();
        bytes.extend_from_slice(&SYNC);
        bytes.extend_from_slice(&length);
        bytes.extend_from_slice(&sequence);
        bytes.extend_from_slice(&seal.checksum(length, sequence, self.payload));
        bytes.extend_from_slice(self.payload);
    }

    /// The frame at the beginning of these bytes, if there is a whole and sound one.
    pub(super) fn decode(seal: Seal, bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&SYNC)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (sequence, rest) = rest.split_first_chunk::<8>()?;
        let (checksum, rest) = rest.split_first_chunk::<4>()?;
        let bytes = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        if bytes > MAX_LENGTH {
            return None;
        }
        let payload = rest.get(..bytes)?;
        (seal.checksum(*length, *sequence, payload) == *checksum)
            .then_some(Self { sequence: u64::from_le_bytes(*sequence), payload })
    }

    /// The bytes that the frame takes.
    pub(super) fn encoded_bytes(&self) -> usize {
        OVERHEAD_BYTES + self.payload.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn seal(id: u128) -> Seal {
        Seal::of(SpoolId::from_uuid(Uuid::from_u128(id)))
    }

    fn encoded(sequence: u64, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Frame { sequence, payload }.encode(seal(1), &mut bytes);
        bytes
    }

    #[test]
    fn the_format_on_disk_does_not_change_unnoticed() {
        assert_eq!(
            encoded(2, b"water"),
            [
                0xF9, 0x57, 0xFE, 0x1D, 5, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 122, 253, 41, 255,
                b'w', b'a', b't', b'e', b'r'
            ]
        );
    }

    #[test]
    fn a_frame_of_another_spool_does_not_pass() {
        let bytes = encoded(7, b"water");
        assert!(Frame::decode(seal(1), &bytes).is_some());
        assert_eq!(Frame::decode(seal(2), &bytes), None);
    }

    proptest! {
        #[test]
        fn a_frame_comes_back_whole_or_not_at_all(
            sequence: u64,
            payload in proptest::collection::vec(any::<u8>(), 0..200),
            at: proptest::sample::Index,
            bit in 0_u8..8,
        ) {
            let mut bytes = encoded(sequence, &payload);
            let frame = Frame::decode(seal(1), &bytes);
            prop_assert_eq!(frame, Some(Frame { sequence, payload: &payload }));

            let at = at.index(bytes.len());
            prop_assert_eq!(Frame::decode(seal(1), &bytes[..at]), None);
            bytes[at] ^= 1 << bit;
            prop_assert_eq!(Frame::decode(seal(1), &bytes), None);
        }
    }
}
