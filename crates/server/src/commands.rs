//! One file per command.

mod api_key;
mod check;
mod member;
mod migrate;
mod openapi;
mod reseller;
mod serve;
mod simulate;

use weir_app::AppError;
use weir_domain::name::NotAName;
use weir_domain::{Name, Refusal};
use weir_store::{Db, Purpose, SystemTx};

use crate::cli::Command;
use crate::failure::Failure;
use crate::settings::Settings;

/// Does what was asked.
pub async fn run(command: Command, settings: Settings, json: bool) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(args, settings).await,
        Command::Reseller(command) => reseller::run(command, &settings, json).await,
        Command::ApiKey(command) => api_key::run(command, &settings, json).await,
        Command::Member(command) => member::run(command, &settings, json).await,
        Command::Migrate => migrate::run(&settings, json),
        Command::Openapi => openapi::run(),
        Command::Check => check::run(&settings, json),
        Command::Simulate(args) => simulate::run(args, json).await,
    }
}

/// Runs an operator's work in one transaction.
async fn administer<R: Send + 'static>(
    db: &Db,
    work: impl FnMut(&mut dyn SystemTx) -> Result<R, AppError> + Send + 'static,
) -> Result<R, Failure> {
    Ok(db.system(Purpose::Administer, work).await?)
}

/// Reads a name given on the command line.
fn name(field: &'static str, text: &str) -> Result<Name, Failure> {
    let refusal = |error: NotAName| Refusal::Invalid { field, reason: error.to_string() };
    Ok(Name::parse(text).map_err(refusal)?)
}

fn names(field: &'static str, texts: &[String]) -> Result<Vec<Name>, Failure> {
    texts.iter().map(|text| name(field, text)).collect()
}
