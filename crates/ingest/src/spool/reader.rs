//! Reading back from a living spool.

use std::fs::File;
use std::io;
use std::sync::Arc;

use super::batch::{Batch, Filling, Limits};
use super::ledger::Extent;
use super::open::Shared;
use super::scan::Frames;
use super::segment::{self, HEADER_BYTES};

/// Reads the acknowledged records of a living spool in their order. It holds the spool's directory
/// against adoption even after the spool is dropped.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    /// The next sequence to read.
    next: u64,
    /// The segment that was read last, under its first sequence.
    open: Option<(u64, Frames)>,
}

impl Reader {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, next: 1, open: None }
    }

    /// The next records: at most this many, and no more once they have this many bytes together. The
    /// batch is empty when all that is acknowledged was read.
    ///
    /// After an error, reading goes on behind the last batch that was returned.
    pub fn next_batch(&mut self, max_records: usize, max_bytes: usize) -> io::Result<Batch> {
        let began = self.next;
        self.read(Limits { records: max_records, bytes: max_bytes })
            .inspect_err(|_| self.rewind_to(began))
    }

    /// Reads from this sequence on next, or from the first one behind it that is still there.
    pub fn rewind_to(&mut self, sequence: u64) {
        self.next = sequence.max(1);
        self.open = None;
    }

    fn read(&mut self, limits: Limits) -> io::Result<Batch> {
        let mut filling = Filling::new(limits);
        while !filling.is_full() {
            let extent = self.shared.ledger().locate(self.next);
            let Some(extent) = extent else { break };
            // Sequences between two segments were never acknowledged, or are trimmed.
            self.next = self.next.max(extent.first);
            let exhausted = match frames(&self.shared, &mut self.open, extent)? {
                Some(frames) => filling.take(frames, &mut self.next)?,
                None => true,
            };
            if exhausted {
                filling.miss(&mut self.next, extent.last);
            }
        }
        Ok(filling.finish(self.next))
    }
}

/// The frames of this segment, from where they were left or from its beginning; `None` if somebody
/// deleted its file.
fn frames<'a>(
    shared: &Shared,
    open: &'a mut Option<(u64, Frames)>,
    extent: Extent,
) -> io::Result<Option<&'a mut Frames>> {
    if open.as_ref().is_none_or(|(first, _)| *first != extent.first) {
        *open = match File::open(segment::path(&shared.directory, extent.first)) {
            Ok(file) => {
                let frames = Frames::new(file, shared.seal, HEADER_BYTES as u64);
                Some((extent.first, frames))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
    }
    Ok(open.as_mut().map(|(_, frames)| {
        frames.extend(extent.end, extent.last);
        frames
    }))
}
