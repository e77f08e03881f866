//! Ends a server when the tests that use it end, however they end.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::programs::Programs;

/// A shell that waits for the end of a pipe which only this process holds open, then stops the
/// server and removes its directory. A killed process closes its pipes too.
#[derive(Debug)]
pub struct Watchdog(Child);

/// `$1` is the directory; the rest is `pg_ctl`, which may have nothing to stop.
const SCRIPT: &str = r#"read -r _; directory=$1; shift
"$@" -w -m immediate stop
rm -rf "$directory""#;

impl Watchdog {
    /// Starts watching, before there is anything to stop.
    pub fn start(programs: &Programs, directory: &Path) -> Self {
        let pg_ctl = programs.pg_ctl(&super::data(directory));
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "watchdog"]).arg(directory);
        shell.arg(pg_ctl.get_program()).args(pg_ctl.get_args()).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Out of reach of an interrupt at the terminal, which is meant for the tests.
        shell.process_group(0);
        Self(shell.spawn().unwrap_or_else(|error| panic!("no shell to watch over it: {error}")))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
