//! How a use case ends when it does not succeed.

use weir_domain::Refusal;
use weir_store::{StoreError, StoreFailure};

/// The result of a use case.
pub type AppResult<T> = Result<T, AppError>;

/// A use case was refused by a rule, or the store failed below it. Nothing was changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AppError {
    /// A rule refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl StoreFailure for AppError {
    fn store_error(&self) -> Option<&StoreError> {
        match self {
            Self::Store(error) => Some(error),
            Self::Refused(_) => None,
        }
    }
}
