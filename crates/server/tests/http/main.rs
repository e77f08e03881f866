//! The HTTP transport, seen from raw sockets.

#![allow(clippy::unwrap_used, reason = "the harness is test code too")]

mod bodies;
mod errors;
mod harness;
mod shutdown;
mod slots;
mod timeouts;
