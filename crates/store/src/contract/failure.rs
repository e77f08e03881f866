//! How a case fails where a call that was to succeed does not.

use std::fmt;
use std::panic::Location;

use crate::{StoreError, StoreFailure};

/// What a case, and every step of it, ends with.
pub type Outcome<T = ()> = Result<T, Failed>;

/// A failure of the store that the case did not expect, and the line of the case that met it.
pub struct Failed {
    error: StoreError,
    at: &'static Location<'static>,
}

impl Failed {
    /// The failure.
    pub const fn error(&self) -> &StoreError {
        &self.error
    }
}

impl From<StoreError> for Failed {
    // `?` passes its own place on, so this is the line of the case and not this one.
    #[track_caller]
    fn from(error: StoreError) -> Self {
        Self { error, at: Location::caller() }
    }
}

impl StoreFailure for Failed {
    fn store_error(&self) -> Option<&StoreError> {
        Some(&self.error)
    }
}

impl fmt::Debug for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at {})", self.error, self.at)
    }
}

/// Holds that the store refused the data.
#[track_caller]
pub(super) fn assert_refused<T: fmt::Debug>(outcome: Outcome<T>) {
    assert_error(outcome, "a refusal", |error| matches!(error, StoreError::Refused(_)));
}

/// Holds that the store was asked for something that it cannot do, and said so.
#[track_caller]
pub(super) fn assert_broken<T: fmt::Debug>(outcome: Outcome<T>) {
    assert_error(outcome, "a broken request", |error| matches!(error, StoreError::Broken(_)));
}

/// Holds that the store did not take the work.
#[track_caller]
pub(super) fn assert_unavailable<T: fmt::Debug>(outcome: Outcome<T>) {
    assert_error(outcome, "an unavailable store", |error| {
        matches!(error, StoreError::Unavailable(_))
    });
}

/// Holds that the store gave up running the work again.
#[track_caller]
pub(super) fn assert_contended<T: fmt::Debug>(outcome: Outcome<T>) {
    assert_error(outcome, "a lost race", |error| *error == StoreError::Contended);
}

#[track_caller]
fn assert_error<T: fmt::Debug>(
    outcome: Outcome<T>,
    expected: &str,
    is_expected: impl FnOnce(&StoreError) -> bool,
) {
    match outcome {
        Err(failed) if is_expected(failed.error()) => {}
        other => panic!("expected {expected}, not {other:?}"),
    }
}
