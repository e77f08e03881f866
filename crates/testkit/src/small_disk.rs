//! A disk of a few megabytes, to be filled up.
//!
//! It is a `tmpfs` in a mount namespace of its own, which a shell holds open. Nothing has to be
//! unmounted: when the value is dropped, or the test process ends, however it ends, the shell does too
//! and takes the namespace and the disk with it.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Ways to a namespace in which one may mount: as root, and as anybody.
const WAYS: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];

/// `$1` is the size and `$2` where; it lasts as long as its standard input.
const SCRIPT: &str = r#"mount -t tmpfs -o "size=$1" tmpfs "$2" && echo mounted && read -r _"#;

/// A disk that is mounted where only programs that are started [`through`](Self::through) it see it.
#[derive(Debug)]
pub struct SmallDisk {
    shell: Child,
    way: &'static [&'static str],
    place: TempDir,
}

impl SmallDisk {
    /// A disk of so many bytes, or why this machine cannot have one.
    pub fn mount(bytes: u64) -> Result<Self, String> {
        let mut reasons = Vec::new();
        for way in WAYS {
            match Self::try_mount(bytes, way) {
                Ok(disk) => return Ok(disk),
                Err(reason) => reasons.push(format!("unshare {}: {reason}", way.join(" "))),
            }
        }
        Err(reasons.join("; "))
    }

    fn try_mount(bytes: u64, way: &'static [&'static str]) -> Result<Self, String> {
        let place = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut shell = Command::new("unshare");
        shell.args(way).args(["sh", "-c", SCRIPT, "disk", &bytes.to_string()]).arg(place.path());
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Out of reach of an interrupt at the terminal, which is meant for the tests.
        let mut shell = shell.process_group(0).spawn().map_err(|error| error.to_string())?;
        let mut said = String::new();
        let heard = shell.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut said));
        if matches!(heard, Some(Ok(1..))) {
            return Ok(Self { shell, way, place });
        }
        let output = shell.wait_with_output().map_err(|error| error.to_string())?;
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    /// Where it is mounted, for those who see it.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The same place for everybody else. Beware: a program that resolves links by itself, as SQLite
    /// does, ends up outside.
    pub fn from_outside(&self) -> PathBuf {
        let root = format!("/proc/{}/root", self.shell.id());
        Path::new(&root).join(self.path().strip_prefix("/").unwrap_or(self.path()))
    }

    /// What to start a program through for it to see the disk.
    pub fn through(&self) -> Vec<String> {
        let mut words = vec!["nsenter".to_owned(), format!("--target={}", self.shell.id())];
        if self.way.contains(&"--user") {
            words.extend(["--user", "--preserve-credentials"].map(str::to_owned));
        }
        words.extend(["--mount", "--"].map(str::to_owned));
        words
    }

    /// Fills it but for so many bytes.
    pub fn fill(&self, room: u64) {
        let mut file = File::create(self.ballast()).unwrap_or_else(|error| panic!("{error}"));
        for size in [1 << 20, 4 << 10, 1] {
            let full = loop {
                if let Err(error) = file.write_all(&vec![0xA5; size]) {
                    break error;
                }
            };
            assert_eq!(full.kind(), ErrorKind::StorageFull, "{full}");
        }
        let kept = file.metadata().map(|it| it.len().saturating_sub(room));
        kept.and_then(|kept| file.set_len(kept)).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Makes room again.
    pub fn free(&self) {
        fs::remove_file(self.ballast()).unwrap_or_else(|error| panic!("{error}"));
    }

    fn ballast(&self) -> PathBuf {
        self.from_outside().join("ballast")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_full_until_there_is_room_and_vanishes() {
        let disk = match SmallDisk::mount(1 << 20) {
            Ok(disk) => disk,
            Err(reason) => {
                return crate::faults::tell(&format!("SKIPPED: no small disk: {reason}"));
            }
        };
        let file = disk.from_outside().join("file");
        disk.fill(4096);
        let refused = fs::write(&file, [0; 8192]).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::StorageFull);
        disk.free();
        fs::write(&file, [7; 8192]).unwrap();
        let words = disk.through();
        let mut cat = Command::new(&words[0]);
        let seen = cat.args(&words[1..]).arg("cat").arg(disk.path().join("file")).output().unwrap();
        assert_eq!(seen.stdout, [7; 8192], "{seen:?}");
        assert!(!disk.path().join("file").exists(), "it is seen from outside");
        drop(disk);
        assert!(!file.exists());
    }
}
