//! What the crews last saw.

use std::sync::{Arc, Mutex, PoisonError};

use weir_store::StoreError;

/// Why work of one kind last failed for want of the store; nothing since the last success.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    /// Remembers a failure, if it is one of the store and not of the work.
    pub fn note(&self, error: &StoreError) {
        if let StoreError::Unavailable(reason) = error {
            self.set(Some(reason.clone()));
        }
    }

    /// Forgets it: something succeeded.
    pub fn clear(&self) {
        self.set(None);
    }

    /// What it is.
    pub fn current(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, trouble: Option<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }
}
