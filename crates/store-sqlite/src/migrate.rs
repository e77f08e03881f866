//! The schema, brought up to date.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::OpenError;
use crate::connection::{self, Role};

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// The migrations of this program.
pub(crate) use embedded::migrations::runner;

/// Brings the schema of a store up to date, making the file and its directories where they are
/// missing. Returns the names of the migrations that were applied now.
pub fn migrate(path: &Path) -> Result<Vec<String>, OpenError> {
    create(path)?;
    let sqlite = |source| OpenError::Sqlite { path: path.to_owned(), source };
    let mut connection = connection::open(path, Role::Writer).map_err(sqlite)?;
    connection::enable_wal(&connection).map_err(sqlite)?;
    // A migration may have to sort more than there is memory for.
    connection.pragma_update(None, "temp_store", "FILE").map_err(sqlite)?;
    connection.set_transaction_behavior(TransactionBehavior::Immediate);
    // Another process may migrate between our look at the schema and our lock on it. Then ours fails
    // as a whole, and the second look finds nothing left to do.
    apply(&mut connection)
        .or_else(|_| apply(&mut connection))
        .map_err(|source| OpenError::Migration { path: path.to_owned(), source: Box::new(source) })
}

// In one transaction: refinery would otherwise record a migration in a transaction of its own, and a
// crash between the two would leave a schema that it does not know.
fn apply(connection: &mut Connection) -> Result<Vec<String>, refinery::Error> {
    let report = runner().set_grouped(true).run(connection)?;
    Ok(report.applied_migrations().iter().map(ToString::to_string).collect())
}

/// Makes the file and its directories where they are missing.
fn create(path: &Path) -> Result<(), OpenError> {
    if let Some(directory) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        DirBuilder::new()
            .recursive(true)
            .create(directory)
            .map_err(|source| OpenError::Create { path: directory.to_owned(), source })?;
    }
    match private().write(true).create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(OpenError::Create { path: path.to_owned(), source: error })
        }
        _ => Ok(()),
    }
}

/// For its owner alone: the file holds the server's secret. SQLite gives its companions the same
/// permissions.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
