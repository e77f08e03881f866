//! Writing batches of frames into segments, and what to do when that fails.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use weir_domain::SpoolId;

use super::disk::{Disk, SegmentFile};
use super::frame::{Frame, Seal};
use super::ledger::Extent;
use super::segment::{self, HEADER_BYTES, Header};

/// The writing end of a spool.
#[derive(Debug)]
pub(super) struct Log {
    disk: Arc<dyn Disk>,
    directory: PathBuf,
    id: SpoolId,
    seal: Seal,
    segment_bytes: u64,
    /// The sequence that the next record gets.
    next: u64,
    /// The last sequence of a batch that did not fail.
    acknowledged: u64,
    active: Option<Active>,
    /// The frames of the current batch, kept for its allocation.
    buffer: Vec<u8>,
}

/// The segment being written.
#[derive(Debug)]
struct Active {
    file: Box<dyn SegmentFile>,
    first: u64,
    /// The byte behind the last acknowledged frame.
    end: u64,
    /// Nothing in it is acknowledged yet.
    fresh: bool,
}

impl Log {
    /// A log without segments; the first batch makes the first one.
    pub(super) fn new(
        disk: Arc<dyn Disk>,
        directory: PathBuf,
        id: SpoolId,
        segment_bytes: u64,
    ) -> Self {
        Self {
            disk,
            directory,
            id,
            seal: Seal::of(id),
            segment_bytes,
            next: 1,
            acknowledged: 0,
            active: None,
            buffer: Vec::new(),
        }
    }

    /// Writes and syncs the records of one batch, and says how far their segment reaches now. They
    /// have the last sequences of it. On an error none of them is acknowledged, and none of their
    /// sequences comes again: a frame of theirs may have reached the disk all the same.
    pub(super) fn append<'a>(
        &mut self,
        payloads: impl Iterator<Item = &'a [u8]>,
    ) -> io::Result<Extent> {
        let first = self.next;
        self.buffer.clear();
        for payload in payloads {
            let sequence = self.next;
            Frame { sequence, payload }.encode(self.seal, &mut self.buffer);
            self.next += 1;
        }
        let committed = self.commit(first);
        match committed {
            Ok(_) => self.acknowledged = self.next - 1,
            Err(_) => self.abandon(),
        }
        committed
    }

    fn commit(&mut self, first: u64) -> io::Result<Extent> {
        let bytes = self.buffer.len() as u64;
        let active = match self.active.take() {
            Some(active) if active.end + bytes <= self.segment_bytes => active,
            _ => self.begin(first)?,
        };
        let active = self.active.insert(active);
        if active.fresh {
            let header = Header { id: self.id, first, acknowledged: self.acknowledged };
            write_all(&mut *active.file, &header.encode(), 0)?;
        }
        write_all(&mut *active.file, &self.buffer, active.end)?;
        active.file.sync()?;
        if active.fresh {
            self.disk.sync_directory(&self.directory)?;
        }
        active.fresh = false;
        active.end += bytes;
        Ok(Extent { first: active.first, last: self.next - 1, end: active.end })
    }

    fn begin(&self, first: u64) -> io::Result<Active> {
        let path = segment::path(&self.directory, first);
        Ok(Active {
            file: self.disk.create(&path, self.segment_bytes)?,
            first,
            end: HEADER_BYTES as u64,
            fresh: true,
        })
    }

    /// Leaves the segment of a failed batch as it was before. It is never written again: after a
    /// failed sync the kernel may call pages clean that never reached the disk, and the next sync
    /// would say nothing about them.
    fn abandon(&mut self) {
        let Some(mut active) = self.active.take() else {
            return;
        };
        let path = segment::path(&self.directory, active.first);
        let restored =
            if active.fresh { self.disk.remove(&path) } else { active.file.truncate(active.end) };
        if let Err(error) = restored {
            // The next segment's header says where acknowledged records end in this one.
            tracing::warn!(%error, path = %path.display(), "a spool segment keeps a failed batch");
        }
    }
}

fn write_all(file: &mut dyn SegmentFile, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write_at(bytes, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = &bytes[written..];
                offset += written as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
