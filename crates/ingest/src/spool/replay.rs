//! Reading back from a spool whose process has died.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use weir_domain::SpoolId;

use super::batch::{Batch, Filling, Limits};
use super::frame::{OVERHEAD_BYTES, Seal};
use super::scan::Frames;
use super::segment::{self, HEADER_BYTES, Header, Opening};

/// Reads the records of an orphaned spool in their order.
///
/// Nothing but the files is left to say how far the records reach. Each segment's header says through
/// which sequence records were acknowledged before it: what earlier segments hold beyond that is of
/// failed batches and is passed over, and what they lack is missing.
#[derive(Debug)]
pub struct Replay {
    directory: PathBuf,
    seal: Seal,
    segments: Vec<Segment>,
    /// How many segments are read to their end.
    done: usize,
    /// The frames of the segment being read.
    open: Option<Frames>,
    /// The next sequence to read.
    next: u64,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    first: u64,
    /// The last sequence acknowledged before it, if its header is readable.
    acknowledged: Option<u64>,
}

impl Replay {
    pub(super) fn new(directory: &Path, id: SpoolId, settled: u64) -> io::Result<Self> {
        let mut segments = Vec::new();
        for first in segment::list(directory)? {
            let acknowledged = match open(&segment::path(directory, first))?.1 {
                Opening::Readable(header) => Some(header.acknowledged),
                Opening::OtherVersion | Opening::Unreadable => None,
            };
            segments.push(Segment { first, acknowledged });
        }
        Ok(Self {
            directory: directory.to_owned(),
            seal: Seal::of(id),
            segments,
            done: 0,
            open: None,
            next: settled.saturating_add(1),
        })
    }

    /// The next records: at most this many, and no more once they have this many bytes together. The
    /// batch is empty at the end.
    ///
    /// After an error, reading goes on behind the last batch that was returned.
    pub fn next_batch(&mut self, max_records: usize, max_bytes: usize) -> io::Result<Batch> {
        let began = (self.done, self.next);
        self.read(Limits { records: max_records, bytes: max_bytes }).inspect_err(|_| {
            (self.done, self.next) = began;
            self.open = None;
        })
    }

    fn read(&mut self, limits: Limits) -> io::Result<Batch> {
        let mut filling = Filling::new(limits);
        while !filling.is_full() && self.done < self.segments.len() {
            let frames = match &mut self.open {
                Some(frames) => frames,
                None => {
                    let Segment { first, acknowledged } = self.segments[self.done];
                    filling.miss(&mut self.next, acknowledged.unwrap_or(0));
                    self.next = self.next.max(first);
                    let frames = self.frames(first)?;
                    self.open.insert(frames)
                }
            };
            if filling.take(frames, &mut self.next)? {
                self.open = None;
                self.done += 1;
            }
        }
        Ok(filling.finish(self.next))
    }

    /// The frames of the segment that is next.
    fn frames(&self, first: u64) -> io::Result<Frames> {
        let (file, opening) = open(&segment::path(&self.directory, first))?;
        let end = file.metadata()?.len();
        // At least what comes next: a stump too short for any record is damage all the same.
        let fitting = first.saturating_add(end / OVERHEAD_BYTES as u64).max(self.next);
        let mut frames = Frames::new(file, self.seal, opening.first_frame());
        frames.extend(end, self.bound().min(fitting));
        Ok(frames)
    }

    /// The last sequence that can be acknowledged in the segment that is next. A header that cannot
    /// be read says nothing about it, but the one after it does.
    fn bound(&self) -> u64 {
        let later = &self.segments[self.done + 1..];
        let begun = later.first().map_or(u64::MAX, |segment| segment.first - 1);
        let acknowledged = later.iter().find_map(|segment| segment.acknowledged);
        begun.min(acknowledged.unwrap_or(u64::MAX))
    }
}

/// Opens a segment and looks at its header.
pub(super) fn open(path: &Path) -> io::Result<(File, Opening)> {
    let file = File::open(path)?;
    let mut bytes = [0; HEADER_BYTES];
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok((file, Header::decode(&bytes[..read])))
}
