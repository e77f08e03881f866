//! One file per command.

mod api_key;
mod check;
mod migrate;
mod openapi;
mod reseller;
mod serve;

use weir_app::AppError;
use weir_app::credentials::Secret;
use weir_domain::name::NotAName;
use weir_domain::{Name, Refusal};
use weir_store::{Db, Purpose, StoreError, SystemTx};

use crate::cli::Command;
use crate::settings::Settings;

/// Why a command was refused, as a sentence for whoever typed it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The settings make no sense.
    #[error(transparent)]
    Settings(#[from] crate::settings::SettingsError),
    /// A rule refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The embedded store cannot be opened.
    #[error(transparent)]
    Sqlite(#[from] weir_store_sqlite::OpenError),
    /// PostgreSQL cannot be used.
    #[error(transparent)]
    Postgres(#[from] weir_store_postgres::OpenError),
    /// The system refuses something.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The secret is too short.
    #[error(transparent)]
    Secret(#[from] weir_app::credentials::SecretTooShort),
    /// Anything else.
    #[error("{0}")]
    Said(String),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => refusal.into(),
            AppError::Store(error) => error.into(),
        }
    }
}

impl From<getrandom::Error> for Failure {
    fn from(error: getrandom::Error) -> Self {
        Self::Said(format!("the system has no randomness to give: {error}"))
    }
}

/// Does what was asked.
pub async fn run(command: Command, settings: Settings, json: bool) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => serve::run(args, settings).await,
        Command::Reseller(command) => reseller::run(command, &settings, json).await,
        Command::ApiKey(command) => api_key::run(command, &settings, json).await,
        Command::Migrate => migrate::run(&settings, json),
        Command::Openapi => openapi::run(),
        Command::Check => check::run(&settings, json),
    }
}

/// The secret that the operator gives, or the one that the store keeps, made at the first need.
pub async fn secret(db: &Db, settings: &Settings) -> Result<Secret, Failure> {
    if let Some(given) = settings.secret()? {
        return Ok(Secret::new(&given)?);
    }
    let mut proposal = [0; 32];
    getrandom::fill(&mut proposal)?;
    let kept = db.system(Purpose::Administer, move |tx| tx.secret_keep(&proposal)).await?;
    Ok(Secret::new(&kept)?)
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
