//! Records that can never be settled, kept for people to look at.
//!
//! They lie in one file under the root, in the spool's frame format, which all processes append to.
//! A frame's sequence is the record's own; its payload is the spool's id, the length of the reason
//! (two bytes, little endian), the reason, and the record's payload.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use uuid::Uuid;
use weir_domain::SpoolId;

use super::frame::{Frame, MAX_PAYLOAD_BYTES, Seal};
use super::place::{self, Gate};
use super::scan::Frames;

const FILE: &str = "set-aside.log";

/// The frames come from many spools, so they are sealed with no spool's id.
const NO_SPOOL: SpoolId = SpoolId::from_uuid(Uuid::nil());

/// The longest reason; the rest of a longer one is left out.
const MAX_REASON_BYTES: usize = 4096;

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SetAside {
    /// The spool that it came from.
    pub spool: SpoolId,
    /// Its sequence there.
    pub sequence: u64,
    /// Why it could not be settled.
    pub reason: String,
    /// The record.
    pub payload: Vec<u8>,
}

/// Sets a record aside. It outlives a loss of power when this returns.
pub fn set_aside(
    root: &Path,
    spool: SpoolId,
    sequence: u64,
    payload: &[u8],
    reason: &str,
) -> io::Result<()> {
    if payload.len() > MAX_PAYLOAD_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a record longer than a spool takes cannot be set aside",
        ));
    }
    let reason = &reason[..reason.floor_char_boundary(MAX_REASON_BYTES)];
    let mut body = Vec::with_capacity(18 + reason.len() + payload.len());
    body.extend_from_slice(spool.uuid().as_bytes());
    body.extend_from_slice(&(reason.len() as u16).to_le_bytes());
    body.extend_from_slice(reason.as_bytes());
    body.extend_from_slice(payload);
    let mut bytes = Vec::new();
    let frame = Frame { sequence, payload: &body };
    frame.encode(Seal::of(NO_SPOOL), &mut bytes);

    let _gate = Gate::enter(root)?;
    let file = File::options().create(true).truncate(false).write(true).open(root.join(FILE))?;
    let end = file.metadata()?.len();
    let written = file.write_all_at(&bytes, end).and_then(|()| file.sync_all());
    if written.is_err() {
        // What is left of the frame is skipped by readers if this fails as well.
        let _ = file.set_len(end);
    }
    written.and_then(|()| place::sync_directory(root))
}

/// How many records are set aside.
pub fn count(root: &Path) -> io::Result<u64> {
    Ok(read(root)?.len() as u64)
}

/// The number of records that are set aside, for those who ask often: the file is read only when it
/// has changed.
#[derive(Debug)]
pub struct Tally {
    root: PathBuf,
    /// What the file looked like when it was read last, and how many were in it.
    last: Mutex<Option<(Look, u64)>>,
}

/// Whether a file is there, how long it is and when it was changed.
type Look = Option<(u64, Option<SystemTime>)>;

impl Tally {
    /// Of the records under this root.
    pub fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), last: Mutex::default() }
    }

    /// How many there are.
    pub fn count(&self) -> io::Result<u64> {
        let look = match self.root.join(FILE).metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            metadata => metadata.map(|found| Some((found.len(), found.modified().ok())))?,
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, count)) = last.filter(|(looked, _)| *looked == look) {
            return Ok(count);
        }
        let count = count(&self.root)?;
        *last = Some((look, count));
        Ok(count)
    }
}

/// The records that are set aside, in the order in which that happened. One that was set aside twice,
/// because the process died before it could go on, is returned once.
pub fn read(root: &Path) -> io::Result<Vec<SetAside>> {
    let file = match File::open(root.join(FILE)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let end = file.metadata()?.len();
    let mut frames = Frames::new(file, Seal::of(NO_SPOOL), 0);
    frames.extend(end, u64::MAX);
    let mut seen = HashSet::new();
    let mut records = Vec::new();
    while let Some(frame) = frames.step()?.frame {
        let record = SetAside::decode(&frame);
        records.extend(record.filter(|record| seen.insert((record.spool, record.sequence))));
    }
    Ok(records)
}

impl SetAside {
    fn decode(frame: &Frame<'_>) -> Option<Self> {
        let (spool, rest) = frame.payload.split_first_chunk::<16>()?;
        let (length, rest) = rest.split_first_chunk::<2>()?;
        let (reason, payload) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        Some(Self {
            spool: SpoolId::from_uuid(Uuid::from_bytes(*spool)),
            sequence: frame.sequence,
            reason: String::from_utf8_lossy(reason).into_owned(),
            payload: payload.to_vec(),
        })
    }
}
