//! Why the program did not do what it was asked.

use weir_app::AppError;
use weir_domain::Refusal;
use weir_store::StoreError;

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
