//! A clock that stands still until it is told to move.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use weir_app::Clock;
use weir_domain::Timestamp;

/// A clock that a test owns. It begins at noon (UTC) of 2026-03-29.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl TestClock {
    /// A clock at its beginning.
    pub fn new() -> Self {
        Self(AtomicI64::new(1_774_785_600_000_000))
    }

    /// The moment at which it stands.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }

    /// A moment before that, as payloads write it.
    pub fn ago(&self, duration: Duration) -> String {
        self.now().minus(duration).to_string()
    }

    /// A moment after that, as payloads write it.
    pub fn ahead(&self, duration: Duration) -> String {
        self.now().plus(duration).to_string()
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

impl Default for TestClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Self::now(self)
    }
}
