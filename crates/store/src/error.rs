//! What can go wrong below a use case.

/// The result of a port method.
pub type StoreResult<T> = Result<T, StoreError>;

/// A failure of the store, by what can be done about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached, is overloaded or is shutting down. Nothing was changed; the same
    /// request may succeed later.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The transaction lost a race with another one and can be run again at once.
    #[error("the transaction lost a race with another one")]
    Contended,
    /// The store refuses this data, and will refuse it again: a broken constraint, a foreign row, a
    /// value out of range.
    #[error("the store refuses the data: {0}")]
    Refused(String),
    /// Our own data is not what we wrote.
    #[error("{table} {id} in the store makes no sense: {reason}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A statement of ours that the store cannot run.
    #[error("the store cannot do what it was asked: {0}")]
    Broken(String),
}

impl StoreError {
    /// Whether running the same work later can succeed without anyone changing it.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Contended)
    }
}
