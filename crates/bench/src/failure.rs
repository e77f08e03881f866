//! Why a run gives no figures.

use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a run gives no figures, as a sentence.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The system refuses something.
    #[error("{what}: {error}")]
    Io {
        /// What it refuses, as a sentence.
        what: String,
        /// Why.
        error: std::io::Error,
    },
    /// Connections would have to share meters, and repeat readings.
    #[error("{connections} connections need at least as many devices, not {devices}")]
    TooFewDevices {
        /// The connections.
        connections: u32,
        /// The devices.
        devices: u32,
    },
    /// It would not be whole buildings, or its tenth would not.
    #[error("a fleet has whole buildings: {devices} is no multiple of {step}")]
    OddFleet {
        /// How many devices it should have.
        devices: u32,
        /// What that has to be a multiple of.
        step: u32,
    },
    /// Nobody measured how much the service can take for long.
    #[error("paced is half of what sustained measures: ask for both, or name a --rate")]
    NoRate,
    /// A device would have no readings.
    #[error("{devices} devices need at least as many readings, not {readings}")]
    TooFewReadings {
        /// The devices.
        devices: u32,
        /// The readings.
        readings: u64,
    },
    /// This machine has no such store to offer.
    #[error("there is no store: {0}")]
    NoStore(String),
    /// A store that is there cannot be used.
    #[error("the store cannot be opened: {0}")]
    Unopened(String),
    /// A store does not take what is to be put into it.
    #[error("the store cannot be filled: {0}")]
    Store(#[from] weir_store::StoreError),
    /// A server does not tell how large its database is.
    #[error("the size of the store cannot be told: {0}")]
    Unsized(#[from] tokio_postgres::Error),
    /// The key of the new reseller opens nothing.
    #[error("the reseller's API key is of no use: {0}")]
    Key(String),
    /// There is nothing to measure.
    #[error(
        "there is no program at {0:?}: build it with `cargo build --release -p weir-server`, or \
         name another with --weir"
    )]
    NoProgram(PathBuf),
    /// A command of the program failed.
    #[error("`weir {command}` ended with {status}: {said}")]
    Command {
        /// Its arguments.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote.
        said: String,
    },
    /// A command of the program answered something else than promised.
    #[error("`weir {command}` printed no {wanted}: {error}")]
    Unexpected {
        /// Its arguments.
        command: String,
        /// What it should have printed.
        wanted: &'static str,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The service does not come up, or not down.
    #[error("the service {how}; the end of its log:\n{log}")]
    Service {
        /// What it does.
        how: String,
        /// What it wrote last.
        log: String,
    },
    /// What came back is no answer.
    #[error("an answer cannot be read: {0}")]
    Unreadable(&'static str),
    /// A request that had to succeed did not.
    #[error("{request} was answered {status}: {body}")]
    Refused {
        /// The request.
        request: String,
        /// The status of the answer.
        status: u16,
        /// The answer.
        body: String,
    },
    /// The list of devices is not what it should be.
    #[error("the list of devices cannot be read: {0}")]
    List(serde_json::Error),
    /// No answer comes.
    #[error("{what} took longer than {limit:?}")]
    Silent {
        /// What was waited for.
        what: &'static str,
        /// How long.
        limit: Duration,
    },
    /// A task of the client ended before its work did.
    #[error("a task of the client failed: {0}")]
    Task(#[from] tokio::task::JoinError),
    /// Not one store could be measured.
    #[error("nothing was measured")]
    Nothing,
    /// Somebody stopped it.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The system refuses something, said as a sentence.
    pub fn io(what: impl Into<String>, error: std::io::Error) -> Self {
        Self::Io { what: what.into(), error }
    }
}
