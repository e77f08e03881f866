//! How fast it is: starts the real `weir` program and measures it from outside.
//!
//! [`ingestion`]: acknowledged uplinks, each one fsynced before its answer, against the same
//! service's refusals of the same bodies with a wrong tenant name, which cost authentication and
//! parsing but no storage. Both are sent in turns within one run, so that whatever else the machine
//! does hits both alike: a burst in which every meter sends once, as much as is taken for a minute,
//! and half of that at set moments.
//!
//! [`size`]: how many bytes on the disk a reading takes, of ten million.
//!
//! [`reads`]: pages of the list with every filter, statistics, billing, days and history of a reseller
//! with 100,000 devices and 20 million readings, each beside its time with a tenth of them, so that
//! growth shows.
//!
//! [`pages`]: the pages of the demonstration, as somebody sees them who has just started it: the first time
//! with all that a page needs, and again and again.
//!
//! Figures are held against targets, and nothing timed is asserted: the exit status tells only whether
//! all answers were right and every acknowledged uplink was found again.
//!
//! # Running it
//!
//! `make bench` measures everything, which takes its time: filling stores with the whole fleet takes
//! minutes, and gigabytes of disk. With the programs built in release mode, a part of it is
//!
//! ```text
//! weir-bench --only reads --store sqlite --fleet 10000
//! weir-bench --only burst,sustained --seconds 10 --rounds 1
//! weir-bench --only paced --rate 5000
//! weir-bench --only size --size-readings 1000000
//! weir-bench --only pages
//! ```
//!
//! # Finding one's way
//!
//! | looking for | module |
//! |---|---|
//! | the benchmarks themselves | [`ingestion`], [`size`], [`reads`], [`pages`] |
//! | how much of each | [`cli`], [`plan`] |
//! | the meters, and what they say | [`fleet`], [`hourly`] |
//! | how they get into a store | [`registry`] |
//! | what is sent: the uplink, and which meter's is next | [`uplink`], [`feed`] |
//! | how it is sent and answered | [`load`], [`tally`], [`connection`], [`answer`], [`chunks`] |
//! | what the service is asked beside that | [`endpoint`], [`vitals`] |
//! | the service as a child process, its store, and both in their place | [`program`], [`store`], [`stage`], [`processors`] |
//! | what comes out of it | [`figures`], [`goal`], [`table`], [`output`] |
//!
//! To add a benchmark: a module like [`size`] that returns figures, a part in [`cli::Part`] and in
//! [`plan::Plan`], a field of [`run::Report`], and its lines in [`table`].

mod answer;
mod chunks;
mod cli;
mod connection;
mod endpoint;
mod failure;
mod feed;
mod figures;
mod fleet;
mod goal;
mod hourly;
mod ingestion;
mod load;
mod output;
mod pages;
mod plan;
mod processors;
mod program;
mod reads;
mod registry;
mod run;
mod size;
mod stage;
mod store;
mod table;
mod tally;
#[cfg(test)]
mod testing;
mod uplink;
mod vitals;

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
