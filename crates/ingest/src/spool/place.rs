//! Where spools live: the root, their directories, and the locks that say whose they are.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use uuid::Uuid;
use weir_domain::SpoolId;

use super::segment;

const LOCK: &str = "lock";

/// The right to make, adopt or remove spools under a root, held by one process at a time and for
/// moments only. Without it, a directory that is just being made could not be told from one whose
/// process has died.
#[derive(Debug)]
pub(super) struct Gate(#[expect(dead_code, reason = "held for its lock")] File);

impl Gate {
    /// Waits for the gate of this root, which is made if it is not there.
    pub(super) fn enter(root: &Path) -> io::Result<Self> {
        create_directory(root)?;
        let file = open_lock(root)?;
        file.lock()?;
        Ok(Self(file))
    }
}

/// The right to a spool's directory, held for the life of the process that writes or replays it.
#[derive(Debug)]
pub(super) struct Claim(#[expect(dead_code, reason = "held for its lock")] File);

impl Claim {
    /// Claims a directory; `None` if a living process has it.
    pub(super) fn of(directory: &Path) -> io::Result<Option<Self>> {
        let file = open_lock(directory)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Makes the directory of a new spool and claims it. It outlives a loss of power from then on.
pub(super) fn make(root: &Path, id: SpoolId) -> io::Result<(PathBuf, Claim)> {
    let _gate = Gate::enter(root)?;
    let directory = directory(root, id);
    fs::create_dir(&directory)?;
    let claim = Claim::of(&directory)?.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::WouldBlock,
            "another process took the lock of a spool that was just made",
        )
    })?;
    sync_directory(&directory)?;
    sync_directory(root)?;
    Ok((directory, claim))
}

/// Removes a spool's segments, for good. They go oldest first: what a crash leaves of them looks like
/// a spool that was trimmed.
pub(super) fn clear(root: &Path, id: SpoolId) -> io::Result<()> {
    let directory = directory(root, id);
    for first in segment::list(&directory)? {
        fs::remove_file(segment::path(&directory, first))?;
    }
    sync_directory(&directory)
}

/// Removes a spool's directory.
pub(super) fn remove(_gate: &Gate, root: &Path, id: SpoolId) -> io::Result<()> {
    clear(root, id)?;
    fs::remove_dir_all(directory(root, id))?;
    sync_directory(root)
}

/// The spools under a root, whoever they belong to.
pub(super) fn list(root: &Path) -> io::Result<Vec<SpoolId>> {
    let mut spools = Vec::new();
    for entry in root.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            spools.extend(entry.file_name().to_str().and_then(id_of));
        }
    }
    spools.sort_unstable();
    Ok(spools)
}

/// Where the spool with this id lives.
pub(super) fn directory(root: &Path, id: SpoolId) -> PathBuf {
    root.join(id.to_string())
}

fn id_of(name: &str) -> Option<SpoolId> {
    let id = SpoolId::from_uuid(Uuid::try_parse(name).ok()?);
    // A UUID can be written in several ways; only one of them is the name of a spool.
    (id.to_string() == name).then_some(id)
}

fn open_lock(directory: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(directory.join(LOCK))
}

/// Makes a directory with its parents, each of which outlives a loss of power.
fn create_directory(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(Path::new(""));
    create_directory(parent)?;
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        result => result?,
    }
    sync_directory(parent)
}

/// Makes sure that the names in this directory outlive a loss of power.
pub(super) fn sync_directory(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    File::open(path)?.sync_all()
}
