//! How long records are waited for before a sync, which costs as much for one of them as for hundreds.
//!
//! When few come, nobody waits. When many come, the writer sleeps for a moment before it looks at them,
//! and again until a moment brings no more of them. How many come is told by the time and not by how
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
/// So many share a sync's cost well enough: whoever waits for more lets processors stand idle.
const ENOUGH: usize = 64;
/// Fewer than so many together were not worth the wait: they come from few who wait for their answers.
const WORTHWHILE: usize = 4;
/// How long nobody is waited for after that, nor when none came for so long.
const PAUSE: Duration = Duration::from_millis(50);

/// Whether and for how long records are waited for.
#[derive(Debug)]
pub(super) struct Gathering {
    since: Instant,
    counted: usize,
    many_come: bool,
    /// How many the last sync had, or what it may be taken to have had.
    last: usize,
}

impl Gathering {
    /// Nothing has come yet.
    pub(super) const fn new(now: Instant) -> Self {
        Self { since: now, counted: 0, many_come: false, last: 0 }
    }

    /// So many records are about to be synced together.
    pub(super) fn count(&mut self, records: usize, now: Instant) {
        // Of two syncs, for those whom a large one answered may need longer to send again.
        let together = records.max(std::mem::replace(&mut self.last, records));
        if self.many_come && together < WORTHWHILE {
            (self.many_come, self.since, self.counted) = (false, now + PAUSE, 0);
        }
        if now < self.since {
            return;
        }
        self.counted += records;
        let time = now - self.since;
        if time >= WINDOW {
            let in_window = self.counted as f64 * WINDOW.as_secs_f64() / time.as_secs_f64();
            let many_come = in_window >= MANY as f64;
            if many_come && !self.many_come {
                // Syncs that nobody was waited for tell nothing about what waiting brings.
                self.last = WORTHWHILE;
            }
            (self.many_come, self.since, self.counted) = (many_come, now, 0);
        }
    }

    /// Waits if many come, until those that wait for the disk become no more. Right after a sync that is
    /// so as well, while those whom it answered have not sent anything yet: hence not before half as many
    /// are there as then.
    pub(super) fn wait(&self, now: Instant, waiting: impl Fn() -> usize) {
        if !self.many_come || now.saturating_duration_since(self.since) > PAUSE {
            return;
        }
        let mut before = waiting();
        for _ in 0..MOMENTS {
            if before >= ENOUGH {
                break;
            }
            #[expect(clippy::disallowed_methods, reason = "it holds nobody up for longer")]
            thread::sleep(MOMENT);
            let now = waiting();
            if now <= before && now >= self.last / 2 {
                break;
            }
            before = now;
        }
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
        for number in 1..=5 * per_millisecond {
            let now = begun + Duration::from_millis(1) * number / per_millisecond;
            gathering.count(1, now);
        }
        gathering
    }

    /// How often it looks, when each look finds as many as `arriving` says for its number.
    fn looks(gathering: &Gathering, arriving: impl Fn(usize) -> usize) -> usize {
        let looks = Cell::new(0);
        gathering.wait(gathering.since, || {
            looks.set(looks.get() + 1);
            arriving(looks.get())
        });
        looks.get()
    }

    #[test]
    fn nobody_waits_while_few_come() {
        assert_eq!(looks(&Gathering::new(Instant::now()), |look| look), 0);
        assert_eq!(looks(&after(3), |look| look), 0);
    }

    #[test]
    fn many_are_waited_for_while_they_come_and_not_for_long() {
        let busy = after(5);
        assert_eq!(looks(&busy, |look| look), 1 + MOMENTS);
        assert_eq!(looks(&busy, |look| look.min(3)), 4);
        assert_eq!(looks(&busy, |_| 1), 1 + MOMENTS);
    }

    #[test]
    fn enough_are_not_kept_waiting() {
        let busy = after(5);
        assert_eq!(looks(&busy, |_| ENOUGH), 1);
        assert_eq!(looks(&busy, |look| ENOUGH / 3 * look), 4);
    }

    #[test]
    fn those_just_answered_are_given_time_to_send_again() {
        let mut busy = after(5);
        busy.count(100, busy.since);
        assert_eq!(looks(&busy, |look| if look < 4 { 0 } else { 50 }), 5);
        assert_eq!(looks(&busy, |_| 49), 1 + MOMENTS);
    }

    #[test]
    fn few_who_wait_for_their_answers_are_not_waited_for_soon_again() {
        let mut busy = after(5);
        let tried = busy.since;
        busy.count(WORTHWHILE - 1, tried);
        assert_ne!(looks(&busy, |look| look), 0, "one sync is not enough to tell");
        busy.count(WORTHWHILE - 1, tried);
        assert_eq!(looks(&busy, |look| look), 0);
        for number in 1..500 {
            busy.count(1, tried + PAUSE * number / 500);
            assert_eq!(looks(&busy, |look| look), 0);
        }
        busy.count(MANY, tried + PAUSE + WINDOW);
        assert_eq!(looks(&busy, |look| look), 1 + MOMENTS);
    }

    #[test]
    fn a_steady_stream_is_waited_for_all_the_time() {
        let mut busy = after(5);
        for _ in 0..1_000 {
            let now = busy.since + WINDOW / 2;
            busy.count(10, now);
            assert_ne!(looks(&busy, |look| look), 0);
        }
    }

    #[test]
    fn a_pause_ends_it() {
        let mut busy = after(5);
        let later = busy.since + PAUSE * 2;
        busy.wait(later, || unreachable!("nobody is waited for"));
        busy.count(WORTHWHILE, later);
        assert_eq!(looks(&busy, |look| look), 0);
    }
}
