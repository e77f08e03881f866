//! How fast it is: starts the real `weir` program and measures it from outside.
//!
//! One benchmark so far, [`ingestion`]: acknowledged uplinks, each one fsynced before its answer,
//! against the same service's refusals of the same bodies with a wrong tenant name, which cost
//! authentication and parsing but no storage. Both run in turns within one run, so that whatever
//! else the machine does hits both alike. Nothing timed is asserted: the exit status tells only
//! whether all answers were right and every acknowledged uplink was found again.
//!
//! | looking for | module |
//! |---|---|
//! | the benchmark itself | [`ingestion`] |
//! | what is sent: the uplink, and which meter's is next | [`uplink`], [`sender`] |
//! | how it is sent and answered | [`load`], [`connection`], [`answer`] |
//! | the rest of what is asked of the service | [`endpoint`], [`fleet`] |
//! | the service as a child process, and its store | [`program`], [`store`] |
//! | what comes out of it | [`figures`], [`table`], [`output`] |
//!
//! To add a benchmark: a module like [`ingestion`] that measures an [`endpoint`] and returns figures,
//! and its lines in [`table`].

mod answer;
mod cli;
mod connection;
mod endpoint;
mod failure;
mod figures;
mod fleet;
mod ingestion;
mod load;
mod output;
mod program;
mod run;
mod sender;
mod store;
mod table;
#[cfg(test)]
mod testing;
mod uplink;

use std::process::ExitCode;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::Args;
use crate::failure::Failure;

/// One thread is enough for the client, and leaves the other cores to the service.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match measure_unless_interrupted(&Args::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            output::note(&format!("weir-bench: {failure}"));
            ExitCode::FAILURE
        }
    }
}

/// Giving up drops what was started, and with it the service's process and its directory.
async fn measure_unless_interrupted(args: &Args) -> Result<bool, Failure> {
    let refused = |error| Failure::io("signals cannot be awaited", error);
    let mut interrupt = signal(SignalKind::interrupt()).map_err(refused)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(refused)?;
    tokio::select! {
        outcome = run::run(args) => outcome,
        _ = interrupt.recv() => Err(Failure::Interrupted),
        _ = terminate.recv() => Err(Failure::Interrupted),
    }
}
