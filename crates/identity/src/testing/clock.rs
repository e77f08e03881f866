//! A clock that stands still until it is told to move.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use weir_app::Clock;
use weir_domain::Timestamp;

/// A clock that a test owns.
#[derive(Debug)]
pub struct StillClock(AtomicI64);

impl StillClock {
    /// A clock that stands at a moment.
    pub fn at(now: Timestamp) -> Self {
        Self(AtomicI64::new(now.micros()))
    }

    /// Moves it forward.
    pub fn advance(&self, duration: Duration) {
        self.0.fetch_add(duration.as_micros() as i64, Ordering::SeqCst);
    }

    /// Puts it at a moment.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.micros(), Ordering::SeqCst);
    }
}

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}
