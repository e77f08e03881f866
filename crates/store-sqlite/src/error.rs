//! What SQLite's failures mean to those above.

use std::io;
use std::path::PathBuf;

use rusqlite::{Error, ErrorCode};
use weir_store::StoreError;

/// Why a store cannot be opened, migrated or looked at.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or the file cannot be made.
    #[error("{path} cannot be made: {source}")]
    Create {
        /// The directory or the file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// SQLite cannot use the file.
    #[error("{path} cannot be opened: {source}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Error,
    },
    /// The schema cannot be brought up to date, or is newer than this program.
    #[error("the schema of {path} cannot be brought up to date: {source}")]
    Migration {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<refinery::Error>,
    },
    /// The store does not answer its first question.
    #[error("{path} cannot be read: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: StoreError,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers: {0}")]
    Chance(getrandom::Error),
    /// The system gives no thread.
    #[error("the system gives no thread: {0}")]
    Thread(io::Error),
}

/// A failure, by what can be done about it.
///
/// What is not the data's fault and may pass (a full disk, a lock, lost permissions) is
/// [`StoreError::Unavailable`]: work that fails with it is tried again and never set aside.
pub(crate) fn classify(error: &Error) -> StoreError {
    let text = error.to_string();
    let Error::SqliteFailure(failure, _) = error else {
        return match error {
            Error::ToSqlConversionFailure(_) => StoreError::Refused(text),
            Error::SqlInputError { msg, .. } if is_of_another_schema(msg) => {
                StoreError::Unavailable(text)
            }
            _ => StoreError::Broken(text),
        };
    };
    match failure.code {
        ErrorCode::DiskFull
        | ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::ReadOnly
        | ErrorCode::PermissionDenied
        | ErrorCode::OutOfMemory
        | ErrorCode::FileLockingProtocolFailed => StoreError::Unavailable(text),
        ErrorCode::Unknown if is_of_another_schema(&text) => StoreError::Unavailable(text),
        ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch | ErrorCode::TooBig => {
            StoreError::Refused(text)
        }
        _ => StoreError::Broken(text),
    }
}

/// Whether a statement names what is not there: a newer program has changed the schema beside this one,
/// and will settle what this one cannot. SQLite has no code for it.
fn is_of_another_schema(message: &str) -> bool {
    message.contains("no such table") || message.contains("no such column")
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    fn classified(code: i32) -> StoreError {
        classify(&Error::SqliteFailure(ffi::Error::new(code), None))
    }

    #[test]
    fn what_may_pass_is_told_from_what_stays_refused() {
        for code in [
            ffi::SQLITE_FULL,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_BUSY_SNAPSHOT,
            ffi::SQLITE_READONLY,
        ] {
            assert!(matches!(classified(code), StoreError::Unavailable(_)), "{code}");
        }
        for code in
            [ffi::SQLITE_CONSTRAINT_TRIGGER, ffi::SQLITE_CONSTRAINT_DATATYPE, ffi::SQLITE_MISMATCH]
        {
            assert!(matches!(classified(code), StoreError::Refused(_)), "{code}");
        }
        for code in [ffi::SQLITE_ERROR, ffi::SQLITE_AUTH, ffi::SQLITE_CORRUPT] {
            assert!(matches!(classified(code), StoreError::Broken(_)), "{code}");
        }
    }

    #[test]
    fn a_schema_that_was_changed_by_a_newer_program_may_pass() {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE here (known INTEGER)").unwrap();
        for sql in ["SELECT 1 FROM gone", "SELECT gone FROM here"] {
            let error = classify(&connection.prepare(sql).unwrap_err());
            assert!(matches!(error, StoreError::Unavailable(_)), "{sql}: {error:?}");
        }
        let error = classify(&connection.prepare("SELEC").unwrap_err());
        assert!(matches!(error, StoreError::Broken(_)), "{error:?}");
    }
}
