//! What the program writes on stdout and stderr.

use std::io::Write;

use serde::Serialize;

/// One JSON value on stdout.
pub fn json(value: &impl Serialize) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}

/// Lines on stdout.
pub fn lines(lines: impl IntoIterator<Item = String>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    lines.into_iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// A sentence on stderr.
pub fn complain(sentence: &str) {
    // Where even stderr is gone there is nobody left to tell.
    let _ = writeln!(std::io::stderr().lock(), "{sentence}");
}
