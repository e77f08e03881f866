//! How long records are waited for before a sync, which costs as much for one of them as for hundreds.
//!
//! When few come, nobody waits. When many come, the writer sleeps for a moment before it looks at them,
//! and again for as long as each moment brings more. How many come is told by the time and not by how
//! many the last sync had: where the writer shares a processor with those who answer requests, every
//! record wakes it and is synced alone, and it would never find out that it had better wait.

use std::thread;
use std::time::{Duration, Instant};

/// Over how much time it is counted how many come.
const WINDOW: Duration = Duration::from_millis(5);
/// How many within that time are many.
const MANY: usize = 20;
/// How long a moment is.
const MOMENT: Duration = Duration::from_micros(250);
/// How many moments are waited at most: about two milliseconds, as the system wakes a little late.
const MOMENTS: usize = 7;

/// Whether and for how long records are waited for.
#[derive(Debug)]
pub(super) struct Gathering {
    since: Instant,
    counted: usize,
    many_come: bool,
}

impl Gathering {
    /// Nothing has come yet.
    pub(super) const fn new(now: Instant) -> Self {
        Self { since: now, counted: 0, many_come: false }
    }

    /// So many records came until now.
    pub(super) fn count(&mut self, records: usize, now: Instant) {
        self.counted += records;
        let time = now.saturating_duration_since(self.since);
        if time >= WINDOW {
            let in_window = self.counted as f64 * WINDOW.as_secs_f64() / time.as_secs_f64();
            self.many_come = in_window >= MANY as f64;
            (self.since, self.counted) = (now, 0);
        }
    }

    /// Waits if many come, for as long as those that wait for the disk become more. Where the first
    /// moment brings none, they come from few who wait for their answers: nobody waits for them then.
    pub(super) fn wait(&mut self, waiting: impl Fn() -> usize) {
        if !self.many_come {
            return;
        }
        let first = waiting();
        let mut before = first;
        for _ in 0..MOMENTS {
            #[expect(clippy::disallowed_methods, reason = "it holds nobody up for longer")]
            thread::sleep(MOMENT);
            let now = waiting();
            if now <= before {
                break;
            }
            before = now;
        }
        self.many_come = before > first;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts records that are synced one by one, so many in each millisecond.
    fn after(per_millisecond: u32) -> Gathering {
        let begun = Instant::now();
        let mut gathering = Gathering::new(begun);
        for number in 1..=20 * per_millisecond {
            let now = begun + Duration::from_millis(1) * number / per_millisecond;
            gathering.count(1, now);
        }
        gathering
    }

    /// How often it looks, when each look finds as many as `arriving` says for its number.
    fn looks(gathering: &mut Gathering, arriving: impl Fn(usize) -> usize) -> usize {
        let looks = Cell::new(0);
        gathering.wait(|| {
            looks.set(looks.get() + 1);
            arriving(looks.get())
        });
        looks.get()
    }

    #[test]
    fn nobody_waits_while_few_come() {
        assert_eq!(looks(&mut Gathering::new(Instant::now()), |look| look), 0);
        assert_eq!(looks(&mut after(3), |look| look), 0);
    }

    #[test]
    fn many_are_waited_for_while_they_come_and_not_for_long() {
        let mut busy = after(5);
        assert_eq!(looks(&mut busy, |look| look), 1 + MOMENTS);
        assert_eq!(looks(&mut busy, |look| look.min(3)), 4);
        assert_eq!(looks(&mut busy, |look| look), 1 + MOMENTS);
    }

    #[test]
    fn few_who_wait_for_their_answers_are_not_waited_for() {
        let mut busy = after(5);
        assert_eq!(looks(&mut busy, |_| 3), 2);
        assert_eq!(looks(&mut busy, |look| look), 0);
    }

    #[test]
    fn a_pause_ends_it() {
        let mut busy = after(5);
        busy.count(1, Instant::now() + Duration::from_secs(1));
        assert_eq!(looks(&mut busy, |look| look), 0);
    }
}
