//! A segment's name and header.
//!
//! ```text
//! 0   8  magic
//! 8   4  format version, little endian
//! 12  16 spool id
//! 28  8  first sequence that the segment may hold, little endian
//! 36  8  last sequence acknowledged in earlier segments (0: none), little endian
//! 44  4  CRC-32C over the bytes before, little endian
//! ```
//!
//! In every version the header is these 48 bytes with this checksum, so that an older program can
//! tell a newer format from a damaged file.

use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;
use weir_domain::SpoolId;

/// The length of a header: the first frame begins here.
pub(super) const HEADER_BYTES: usize = 48;

const MAGIC: [u8; 8] = *b"WEIRseg\n";
const VERSION: u32 = 1;

/// What a segment says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) id: SpoolId,
    /// The first sequence that the segment may hold.
    pub(super) first: u64,
    /// The last sequence that was acknowledged when the segment was begun. What lies between it and
    /// `first` belongs to batches that failed; what an earlier segment holds beyond it does too.
    pub(super) acknowledged: u64,
}

/// What the first bytes of a segment turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// A header of ours.
    Readable(Header),
    /// A sound header that is not for us: another format version.
    OtherVersion,
    /// No header: cut, damaged, or never written.
    Unreadable,
}

impl Opening {
    /// Where to look for frames. Whatever is left of an unreadable header is looked at as well: it is
    /// damage, unless it is zeros and was never written.
    pub(super) fn first_frame(&self) -> u64 {
        match self {
            Self::Readable(_) => HEADER_BYTES as u64,
            Self::OtherVersion | Self::Unreadable => 0,
        }
    }
}

impl Header {
    /// The header's bytes.
    pub(super) fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..28].copy_from_slice(self.id.uuid().as_bytes());
        bytes[28..36].copy_from_slice(&self.first.to_le_bytes());
        bytes[36..44].copy_from_slice(&self.acknowledged.to_le_bytes());
        let checksum = crc32c::crc32c(&bytes[..44]);
        bytes[44..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// Reads the beginning of a segment.
    pub(super) fn decode(bytes: &[u8]) -> Opening {
        Self::parse(bytes).unwrap_or(Opening::Unreadable)
    }

    fn parse(bytes: &[u8]) -> Option<Opening> {
        let (covered, checksum) = bytes.get(..HEADER_BYTES)?.split_last_chunk::<4>()?;
        if crc32c::crc32c(covered).to_le_bytes() != *checksum {
            return None;
        }
        let (version, rest) = covered.strip_prefix(&MAGIC)?.split_first_chunk::<4>()?;
        if u32::from_le_bytes(*version) != VERSION {
            return Some(Opening::OtherVersion);
        }
        let (id, rest) = rest.split_first_chunk::<16>()?;
        let (first, rest) = rest.split_first_chunk::<8>()?;
        let (acknowledged, _) = rest.split_first_chunk::<8>()?;
        Some(Opening::Readable(Self {
            id: SpoolId::from_uuid(Uuid::from_bytes(*id)),
            first: u64::from_le_bytes(*first),
            acknowledged: u64::from_le_bytes(*acknowledged),
        }))
    }
}

/// Where the segment with this first sequence lies.
pub(super) fn path(directory: &Path, first: u64) -> PathBuf {
    directory.join(format!("{first:020}.seg"))
}

/// The first sequences of the segments in a directory, ascending.
pub(super) fn list(directory: &Path) -> io::Result<Vec<u64>> {
    let mut segments = Vec::new();
    for entry in directory.read_dir()? {
        segments.extend(entry?.file_name().to_str().and_then(first_of));
    }
    segments.sort_unstable();
    Ok(segments)
}

fn first_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".seg")?;
    (digits.len() == 20).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header { id: SpoolId::from_uuid(Uuid::from_u128(9)), first: 12, acknowledged: 10 }
    }

    #[test]
    fn a_header_comes_back_unless_any_bit_of_it_is_wrong() {
        let bytes = header().encode();
        assert_eq!(Header::decode(&bytes), Opening::Readable(header()));
        for at in 0..HEADER_BYTES {
            assert_eq!(Header::decode(&bytes[..at]), Opening::Unreadable);
            for bit in 0..8 {
                let mut bytes = bytes;
                bytes[at] ^= 1 << bit;
                assert_eq!(Header::decode(&bytes), Opening::Unreadable);
            }
        }
    }

    #[test]
    fn a_newer_format_is_told_from_damage() {
        let mut bytes = header().encode();
        bytes[8] = 2;
        let checksum = crc32c::crc32c(&bytes[..44]);
        bytes[44..].copy_from_slice(&checksum.to_le_bytes());
        assert_eq!(Header::decode(&bytes), Opening::OtherVersion);
    }

    #[test]
    fn only_segments_are_listed_and_in_order() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["lock", "7.seg", "00000000000000000012.seg.old"] {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        for first in [u64::MAX, 2, 10] {
            std::fs::write(path(directory.path(), first), "").unwrap();
        }
        assert_eq!(list(directory.path()).unwrap(), [2, 10, u64::MAX]);
    }
}
