//! What the program writes on stdout and stderr.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Text on stdout.
pub fn print(text: &str) -> Result<(), Failure> {
    write(|out| out.write_all(text.as_bytes()))
}

/// One line of JSON on stdout.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    write(|out| {
        serde_json::to_writer(&mut *out, value)?;
        writeln!(out)
    })
}

/// A line on stderr, for whoever watches.
pub fn note(line: &str) {
    // Where even stderr is gone there is nobody left to tell.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

fn write(write: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = write(&mut out).and_then(|()| out.flush());
    written.map_err(|error| Failure::io("the figures cannot be printed", error))
}
