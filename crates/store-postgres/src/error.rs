//! What PostgreSQL's errors mean to us. SQLSTATEs decide, never the names of constraints.

use std::error::Error as _;
use std::fmt::Write as _;

use tokio_postgres::Error;
use weir_store::StoreError;

/// Why a store cannot be opened, migrated or diagnosed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The address is none.
    #[error("the address of the database makes no sense: {0}")]
    Address(String),
    /// Nobody answers, or not us.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The server takes no more connections.
    #[error("the database has no connection left for us: {0}")]
    Crowded(String),
    /// The server is older than what the schema needs.
    #[error("the server is PostgreSQL {0}, and 15 is the oldest that will do")]
    TooOld(String),
    /// The schema is not there or not this version's, and this login cannot change that.
    #[error(
        "the schema is missing or old and this login may not migrate: \
         run `weir migrate` with an owner's login"
    )]
    NotMigrated,
    /// A later version of the program has been here.
    #[error("the schema is newer ({found}) than this program ({known}): run a later version")]
    TooNew {
        /// The schema's version.
        found: i32,
        /// The last version that this program knows.
        known: i32,
    },
    /// Serving with this role would show every reseller's data to every reseller.
    #[error("row-level security would not bind {role}: {reason}")]
    Unbound {
        /// The role that statements would run as.
        role: String,
        /// What is missing.
        reason: String,
    },
    /// The schema could not be brought up to date.
    #[error("the schema cannot be migrated: {0}")]
    Migration(String),
    /// This machine has no thread or runtime left for us.
    #[error("no thread for the store: {0}")]
    NoThread(String),
}

/// What a failed statement means to the transaction it was part of.
pub(crate) fn classify(error: &Error) -> StoreError {
    let said = describe(error);
    let Some(state) = error.code() else {
        // Without a SQLSTATE it is either the connection or a value that does not fit its column.
        return if is_loss(error) {
            StoreError::Unavailable(said)
        } else {
            StoreError::Broken(said)
        };
    };
    match state.code() {
        "40001" | "40P01" => StoreError::Contended,
        // Insufficient privilege is also what a violated policy is called.
        "42501" => StoreError::Refused(said),
        // A lock or a statement that took too long, an idle transaction cut off, a server that
        // became a standby: all pass.
        "55P03" | "57014" | "25P03" | "25006" => StoreError::Unavailable(said),
        // A table or column that is gone: a newer program has changed the schema beside this one, and
        // will settle what this one cannot.
        "42P01" | "42703" => StoreError::Unavailable(said),
        code => match &code[..2] {
            "22" | "23" | "44" => StoreError::Refused(said),
            "08" | "53" | "57" | "58" => StoreError::Unavailable(said),
            _ => StoreError::Broken(said),
        },
    }
}

fn is_loss(error: &Error) -> bool {
    error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>())
}

/// The error and what is behind it, in one line.
pub(crate) fn describe(error: &Error) -> String {
    if let Some(said) = error.as_db_error() {
        return format!("{} ({})", said.message(), said.code().code());
    }
    chain(error)
}

/// Any error and its causes, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let _ = write!(text, ": {inner}");
        cause = inner.source();
    }
    text
}

impl From<Error> for OpenError {
    fn from(error: Error) -> Self {
        let said = describe(&error);
        match error.code().map(|state| state.code()) {
            Some("53300") => Self::Crowded(said),
            _ => Self::Unreachable(said),
        }
    }
}

/// Only threads and runtimes fail this way; connections fail as PostgreSQL's errors.
impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        Self::NoThread(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::NoTls;
    use weir_testkit::postgres::Cluster;

    use super::*;

    /// What each SQLSTATE of a real server becomes, by the name of the variant.
    const STATES: &[(&str, &str)] = &[
        ("40001", "Contended"),
        ("40P01", "Contended"),
        ("23505", "Refused"),
        ("23503", "Refused"),
        ("23514", "Refused"),
        ("22003", "Refused"),
        ("42501", "Refused"),
        ("53100", "Unavailable"),
        ("55P03", "Unavailable"),
        ("57014", "Unavailable"),
        ("57P01", "Unavailable"),
        ("08006", "Unavailable"),
        ("25006", "Unavailable"),
        ("42601", "Broken"),
        ("42P01", "Unavailable"),
        ("42703", "Unavailable"),
        ("XX000", "Broken"),
    ];

    #[tokio::test]
    async fn errors_are_told_apart_by_what_can_be_done_about_them() {
        let database = Cluster::shared().empty_database();
        let (client, connection) = tokio_postgres::connect(&database.url(), NoTls).await.unwrap();
        let driver = tokio::spawn(connection);
        for (state, expected) in STATES {
            let raise = format!("DO $$ BEGIN RAISE SQLSTATE '{state}'; END $$");
            let error = classify(&client.batch_execute(&raise).await.unwrap_err());
            assert!(format!("{error:?}").starts_with(expected), "{state}: {error:?}");
        }
        let misfit = client.query("SELECT $1::int", &[&"text"]).await.unwrap_err();
        assert!(matches!(classify(&misfit), StoreError::Broken(_)), "{misfit}");

        let end = "SELECT pg_terminate_backend(pg_backend_pid())";
        for lost in [client.batch_execute(end).await, client.batch_execute(end).await] {
            let error = classify(&lost.unwrap_err());
            assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
        }
        assert!(driver.await.unwrap().is_err());
    }
}
