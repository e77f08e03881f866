//! A disk that fails when it is told to.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use weir_ingest::spool::disk::{Disk, LocalDisk, SegmentFile};

/// What goes wrong, once, at the next call that it fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// A segment cannot be made: the disk is full.
    Create,
    /// A write takes only so many bytes. The rest may follow.
    ShortWrite(usize),
    /// A write leaves only so many bytes behind and fails: the disk is full.
    Write(usize),
    /// A sync fails. What was written since the last one is there, or reads as zeros.
    Sync { lost: bool },
    /// The directory cannot be synced.
    SyncDirectory,
    /// A segment cannot be cut.
    Truncate,
    /// A file cannot be removed.
    Remove,
}

/// Local files with faults. A sync that does not fail does nothing: no test cuts the power.
#[derive(Debug, Clone, Default)]
pub struct FaultyDisk(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    faults: Vec<Fault>,
    syncs: usize,
    stall: Option<(Sender<()>, Receiver<()>)>,
}

/// The other end of a sync that waits.
pub struct Stall {
    entered: Receiver<()>,
    release: Sender<()>,
}

impl Stall {
    /// Waits until the sync has begun.
    pub fn entered(&self) {
        self.entered.recv().unwrap();
    }

    /// Lets the sync go on.
    pub fn release(self) {
        self.release.send(()).unwrap();
    }
}

impl FaultyDisk {
    /// Adds a fault.
    pub fn inject(&self, fault: Fault) {
        self.0.lock().unwrap().faults.push(fault);
    }

    /// Forgets the faults that have not happened.
    pub fn mend(&self) {
        self.0.lock().unwrap().faults.clear();
    }

    /// Makes the next sync wait.
    pub fn stall(&self) -> Stall {
        let (enter, entered) = channel();
        let (release, wait) = channel();
        self.0.lock().unwrap().stall = Some((enter, wait));
        Stall { entered, release }
    }

    /// How often a segment was synced.
    pub fn syncs(&self) -> usize {
        self.0.lock().unwrap().syncs
    }

    fn fault<T>(&self, pick: impl Fn(Fault) -> Option<T>) -> Option<T> {
        let faults = &mut self.0.lock().unwrap().faults;
        let at = faults.iter().position(|fault| pick(*fault).is_some())?;
        pick(faults.remove(at))
    }

    fn fail(&self, fault: Fault, kind: ErrorKind) -> io::Result<()> {
        let failing = self.fault(|other| (other == fault).then_some(()));
        failing.map_or(Ok(()), |()| Err(kind.into()))
    }
}

impl Disk for FaultyDisk {
    fn create(&self, path: &Path, bytes: u64) -> io::Result<Box<dyn SegmentFile>> {
        self.fail(Fault::Create, ErrorKind::StorageFull)?;
        LocalDisk.create(path, bytes)?;
        Ok(Box::new(FaultyFile {
            disk: self.clone(),
            file: File::options().write(true).open(path)?,
            unsynced: Vec::new(),
        }))
    }

    fn sync_directory(&self, _: &Path) -> io::Result<()> {
        self.fail(Fault::SyncDirectory, ErrorKind::Other)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.fail(Fault::Remove, ErrorKind::Other)?;
        LocalDisk.remove(path)
    }
}

#[derive(Debug)]
struct FaultyFile {
    disk: FaultyDisk,
    file: File,
    /// Offset and length of the writes since the last sync.
    unsynced: Vec<(u64, usize)>,
}

impl SegmentFile for FaultyFile {
    fn write_at(&mut self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let short = self.disk.fault(|fault| match fault {
            Fault::ShortWrite(kept) => Some((kept.max(1), true)),
            Fault::Write(kept) => Some((kept, false)),
            _ => None,
        });
        let (kept, good) = short.unwrap_or((bytes.len(), true));
        let kept = kept.min(bytes.len());
        self.file.write_all_at(&bytes[..kept], offset)?;
        self.unsynced.push((offset, kept));
        if good { Ok(kept) } else { Err(ErrorKind::StorageFull.into()) }
    }

    fn sync(&mut self) -> io::Result<()> {
        let stall = {
            let mut state = self.disk.0.lock().unwrap();
            state.syncs += 1;
            state.stall.take()
        };
        if let Some((enter, wait)) = stall {
            enter.send(()).unwrap();
            wait.recv().unwrap();
        }
        let written = std::mem::take(&mut self.unsynced);
        let fault = self.disk.fault(|fault| match fault {
            Fault::Sync { lost } => Some(lost),
            _ => None,
        });
        let Some(lost) = fault else { return Ok(()) };
        for (offset, bytes) in written.into_iter().filter(|_| lost) {
            self.file.write_all_at(&vec![0; bytes], offset)?;
        }
        Err(ErrorKind::Other.into())
    }

    fn truncate(&mut self, bytes: u64) -> io::Result<()> {
        self.disk.fail(Fault::Truncate, ErrorKind::Other)?;
        self.file.set_len(bytes)
    }
}
