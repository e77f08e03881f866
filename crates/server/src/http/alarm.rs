//! A timer for a deadline that keeps moving.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// Wakes its task when a deadline has passed.
///
/// Deadlines move with every request and almost always to later, while resetting a timer takes a
/// lock of the runtime. So the timer is left as it is when the deadline moves away, and set again
/// when it has rung too early: a busy connection pays for it once in a while, not per request.
pub(super) struct Alarm {
    sleep: Pin<Box<Sleep>>,
}

impl Alarm {
    pub(super) fn new(first: Instant) -> Self {
        Self { sleep: Box::pin(sleep_until(first)) }
    }

    /// Ready once `due` has passed; without a deadline, never.
    pub(super) fn poll(&mut self, due: Option<Instant>, context: &mut Context<'_>) -> Poll<()> {
        let Some(due) = due else { return Poll::Pending };
        if due < self.sleep.deadline() || self.sleep.is_elapsed() {
            self.sleep.as_mut().reset(due);
        }
        loop {
            ready!(self.sleep.as_mut().poll(context));
            if self.sleep.deadline() >= due {
                return Poll::Ready(());
            }
            self.sleep.as_mut().reset(due);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn rings_at_a_deadline_that_moved_away_or_came_nearer() {
        let start = Instant::now();
        let mut alarm = Alarm::new(start + SECOND);

        let later = start + 5 * SECOND;
        poll_fn(|context| alarm.poll(Some(later), context)).await;
        assert_eq!(start.elapsed().as_secs(), 5);

        let far = start + 60 * SECOND;
        let pending = poll_fn(|context| Poll::Ready(alarm.poll(Some(far), context))).await;
        assert!(pending.is_pending());
        let nearer = start + 7 * SECOND;
        poll_fn(|context| alarm.poll(Some(nearer), context)).await;
        assert_eq!(start.elapsed().as_secs(), 7);
    }

    #[tokio::test(start_paused = true)]
    async fn never_rings_without_a_deadline() {
        let mut alarm = Alarm::new(Instant::now());
        let rung = tokio::time::timeout(60 * SECOND, poll_fn(|context| alarm.poll(None, context)));
        assert!(rung.await.is_err());
    }
}
