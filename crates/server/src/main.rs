//! The `weir` program.

use std::process::ExitCode;

/// Measured on ingestion: 12 % more uplinks per second than with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    weir_server::main()
}
