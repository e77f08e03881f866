//! How it is run: the `weir` program.
//!
//! [`main`] reads the command line, the settings come from flags, variables and a file
//! ([`settings`]), [`commands`] has one file per command, [`service`] puts the parts of a running
//! service together and takes them apart again, and [`http`] is the transport under the API.

mod archive;
pub mod cli;
pub mod commands;
mod demo;
pub mod failure;
mod household;
pub mod http;
mod key_uses;
mod logging;
mod output;
mod progress;
mod secret;
pub mod service;
pub mod settings;
mod store;

use std::process::ExitCode;

use clap::Parser;

/// Runs the program: exit code 0, or 1 with the reason on stderr and nothing on stdout.
pub fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            output::complain(&format!("weir: {reason}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: cli::Cli) -> Result<(), failure::Failure> {
    let settings = settings::Settings::read(&cli.settings)?;
    logging::start(&settings);
    settings.warn();
    let threads = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = threads.block_on(commands::run(cli.command.unwrap_or_default(), settings, cli.json));
    // What still runs now waits for a store that does not answer. Nobody waits for it.
    threads.shutdown_background();
    done
}
