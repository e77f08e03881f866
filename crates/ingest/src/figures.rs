//! What settling has done so far, for `/health` and the operator.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Counts since the process started.
#[derive(Debug, Default)]
pub struct Figures {
    settled: AtomicU64,
    set_aside: AtomicU64,
    damaged: AtomicU64,
    missing: AtomicU64,
    trouble: Mutex<Option<String>>,
}

/// The figures at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Records settled.
    pub settled: u64,
    /// Records set aside, for they could never be settled.
    pub set_aside: u64,
    /// Stretches of damaged bytes found in spools.
    pub damaged: u64,
    /// Acknowledged records known to be lost to damage.
    pub missing: u64,
    /// What settling waits for, where it does.
    pub trouble: Option<String>,
}

impl Figures {
    pub(crate) fn count_settled(&self, records: u64) {
        self.settled.fetch_add(records, Ordering::Relaxed);
        self.clear_trouble();
    }

    pub(crate) fn clear_trouble(&self) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn count_set_aside(&self) {
        self.set_aside.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_damage(&self, damaged: u64, missing: u64) {
        if damaged > 0 || missing > 0 {
            tracing::error!(damaged, missing, "the spool is damaged");
            self.damaged.fetch_add(damaged, Ordering::Relaxed);
            self.missing.fetch_add(missing, Ordering::Relaxed);
        }
    }

    /// Notes what settling waits for; whether that is news.
    pub(crate) fn note_trouble(&self, trouble: &str) -> bool {
        let mut noted = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if noted.as_deref() == Some(trouble) {
            return false;
        }
        *noted = Some(trouble.to_owned());
        true
    }

    /// The figures now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            settled: self.settled.load(Ordering::Relaxed),
            set_aside: self.set_aside.load(Ordering::Relaxed),
            damaged: self.damaged.load(Ordering::Relaxed),
            missing: self.missing.load(Ordering::Relaxed),
            trouble: self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}
