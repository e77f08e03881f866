//! Whether the database is away.

use std::sync::{Mutex, PoisonError};

use weir_store::StoreError;

/// What the threads of a store last saw of the database. Whoever cannot connect declares an outage;
/// from then on work is refused at once, until the watch, which alone keeps trying, gets through.
#[derive(Debug, Default)]
pub(crate) struct Outage(Mutex<Option<String>>);

impl Outage {
    /// Why the database cannot be used, where it cannot.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The same as an answer to work.
    pub(crate) fn refusal(&self) -> Option<StoreError> {
        self.trouble().map(StoreError::Unavailable)
    }

    /// The database cannot be used.
    pub(crate) fn begin(&self, reason: String) {
        let mut trouble = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if trouble.is_none() {
            tracing::warn!(reason, "the database is away");
        }
        *trouble = Some(reason);
    }

    /// The database can be used.
    pub(crate) fn end(&self) {
        if self.0.lock().unwrap_or_else(PoisonError::into_inner).take().is_some() {
            tracing::info!("the database is back");
        }
    }
}
