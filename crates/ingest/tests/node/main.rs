//! Ingestion as a process runs it, on both stores: what it promises when processes die, stores are
//! away, senders hang up and resellers go.

#![expect(clippy::unwrap_used, reason = "what fails here is the test")]

mod backpressure;
mod barrier;
mod closing;
mod days;
mod directory;
mod duplicates;
mod overdraft;
mod position;
mod quota;
mod records;
mod recovery;
mod set_aside;
mod sightings;
mod stop;
mod support;
