//! Time and chance, as arguments.

use std::sync::{Arc, Mutex, PoisonError};

use uuid::{ContextV7, Uuid};
use weir_domain::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// Makes ids.
pub trait Ids: Send + Sync {
    /// A new UUIDv7 of that moment; later ones sort after earlier ones.
    fn next(&self, now: Timestamp) -> Uuid;
}

/// The environment of a use case.
#[derive(Clone)]
pub struct Env {
    /// Its clock.
    pub clock: Arc<dyn Clock>,
    /// Its ids.
    pub ids: Arc<dyn Ids>,
}

impl Env {
    /// The system's clock and random ids.
    pub fn system() -> Self {
        Self { clock: Arc::new(SystemClock), ids: Arc::new(TimeOrderedIds::default()) }
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
    fn now(&self) -> Timestamp {
        jiff::Timestamp::now().into()
    }
}

/// Random ids that sort by the moment they were made in, also within one millisecond.
#[derive(Debug)]
pub struct TimeOrderedIds(Mutex<ContextV7>);

impl Default for TimeOrderedIds {
    fn default() -> Self {
        Self(Mutex::new(ContextV7::new()))
    }
}

impl Ids for TimeOrderedIds {
    fn next(&self, now: Timestamp) -> Uuid {
        let micros = now.micros().max(0) as u64;
        let (seconds, nanos) = (micros / 1_000_000, (micros % 1_000_000 * 1_000) as u32);
        let context = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Uuid::new_v7(uuid::Timestamp::from_unix(&*context, seconds, nanos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_sort_in_the_order_they_were_made() {
        let ids = TimeOrderedIds::default();
        let now = Timestamp::from_micros(1_700_000_000_123_456);
        let made: Vec<_> = (0..1_000).map(|_| ids.next(now)).collect();
        assert!(made.is_sorted());
        assert_eq!(made[0].get_version_num(), 7);
    }
}
