//! A wall clock that jumps, for a whole program: Debian's `libfaketime`, which the program is started
//! with and which asks a file how far the clock is off.
//!
//! The clock that only ever runs forward stays as it is, as it does when a machine's time is set.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A clock that is off by so many seconds, for the programs that are started with its variables.
#[derive(Debug)]
pub struct ShiftedClock {
    library: PathBuf,
    directory: TempDir,
}

impl ShiftedClock {
    /// A clock that is right.
    pub fn new() -> Self {
        let library =
            library().unwrap_or_else(|| panic!("no libfaketime: `make tools` installs it"));
        let directory = tempfile::tempdir()
            .unwrap_or_else(|error| panic!("no directory for a shifted clock: {error}"));
        let clock = Self { library, directory };
        clock.shift(0);
        clock
    }

    /// Jumps: from now on it is ahead of the machine's clock by so many seconds, or behind.
    pub fn shift(&self, seconds: i64) {
        // At once: nobody may read half of it.
        let new = self.directory.path().join("new");
        fs::write(&new, format!("{seconds:+}\n"))
            .and_then(|()| fs::rename(&new, self.file()))
            .unwrap_or_else(|error| panic!("the clock cannot be shifted: {error}"));
    }

    /// The variables that a program is started with to go by it.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("LD_PRELOAD", self.library.display().to_string()),
            ("FAKETIME_TIMESTAMP_FILE", self.file().display().to_string()),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ]
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("shift")
    }
}

impl Default for ShiftedClock {
    fn default() -> Self {
        Self::new()
    }
}

/// Where Debian puts the library, whatever the machine; the one for programs with several threads.
fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path());
    let file = |folder: PathBuf| folder.join(Path::new("faketime/libfaketimeMT.so.1"));
    folders.map(file).find(|file| file.exists())
}
