//! What the spool's writer asks of a disk, so that tests can make it fail.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

use super::place;

/// The file system, as the writer sees it.
pub trait Disk: fmt::Debug + Send + Sync + 'static {
    /// Makes a new file with room for this many bytes, which read as zeros.
    fn create(&self, path: &Path, bytes: u64) -> io::Result<Box<dyn SegmentFile>>;

    /// Makes sure that the names in this directory outlive a loss of power.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// A segment being written.
pub trait SegmentFile: fmt::Debug + Send {
    /// Writes some or all of the bytes at this offset, and says how many.
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize>;

    /// Makes sure that what was written outlives a loss of power. After an error nobody knows which
    /// part of it does.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to this length.
    fn truncate(&mut self, bytes: u64) -> io::Result<()>;
}

/// The disk of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalDisk;

impl Disk for LocalDisk {
    fn create(&self, path: &Path, bytes: u64) -> io::Result<Box<dyn SegmentFile>> {
        let file = File::create_new(path)?;
        match allocate(&file, bytes) {
            Ok(()) => Ok(Box::new(file)),
            Err(error) => {
                // A full disk may have given part of the room: it has to be given back.
                let _ = fs::remove_file(path);
                Err(error)
            }
        }
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        place::sync_directory(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

impl SegmentFile for File {
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        FileExt::write_at(self, bytes, offset)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }
}

/// Allocates the room of a segment, where the file system can do that.
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, bytes.max(1)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(()),
        result => Ok(result?),
    }
}
