//! Connections to the file, each set up the same way.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

/// How long a connection waits for another process that writes.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// More statements than this crate runs often. Filters come in more shapes than that.
const CACHED_STATEMENTS: usize = 256;

/// How many pages the log may have before they are written into the file. Settling writes the same
/// pages of devices and of begun blocks again and again; with SQLite's own 1,000 pages each transaction
/// wrote all of them twice.
const CHECKPOINT_PAGES: u32 = 20_000;
/// SQLite's own.
const PAGE_BYTES: u64 = 4_096;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Reading and writing.
    Writer,
    /// Reading.
    Reader,
}

/// Opens a connection to a file that exists.
pub(crate) fn open(path: &Path, role: Role) -> rusqlite::Result<Connection> {
    // Not the default flags: with them a path that begins with `file:` would be read as a URI.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
    // Settling touches pages of the whole fleet; readers touch few.
    let cache_kibibytes = if role == Role::Writer { 65_536 } else { 8_192 };
    let journal = u64::from(CHECKPOINT_PAGES) * PAGE_BYTES;
    // Delete triggers fire for the rows that a REPLACE removes only where triggers are recursive.
    connection.execute_batch(&format!(
        "PRAGMA foreign_keys = ON;
         PRAGMA recursive_triggers = ON;
         PRAGMA trusted_schema = OFF;
         PRAGMA synchronous = FULL;
         PRAGMA temp_store = MEMORY;
         PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES};
         PRAGMA journal_size_limit = {journal};
         PRAGMA cache_size = -{cache_kibibytes};"
    ))?;
    Ok(connection)
}

/// Lets a connection change nothing any more.
pub(crate) fn forbid_writes(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA query_only = ON")
}

/// Puts the file into WAL mode, in which it stays.
pub(crate) fn enable_wal(connection: &Connection) -> rusqlite::Result<()> {
    // SQLite does not wait for a lock here, so that two processes that start at once may collide.
    let attempts = BUSY_TIMEOUT.as_millis() / 20;
    let mut outcome = Ok(());
    for _ in 0..attempts {
        outcome = connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
        match &outcome {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                std::thread::park_timeout(Duration::from_millis(20));
            }
            _ => break,
        }
    }
    outcome
}
