//! How often links may be asked for from one place.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use weir_app::Clock;
use weir_domain::Timestamp;

/// How many requests a place may make within the window.
pub const REQUESTS: usize = 20;
/// The window.
pub const WINDOW: Duration = Duration::from_mins(15);
/// How many places are remembered. Past it, those that asked longest ago are forgotten.
const MOST: usize = 10_000;

/// The requests of each place within the last [`WINDOW`].
pub struct SourceLimits {
    clock: Arc<dyn Clock>,
    places: Mutex<HashMap<IpAddr, VecDeque<Timestamp>>>,
}

/// A place asked too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many requests come from there")]
pub struct TooMany {
    /// After how long it may ask again.
    pub retry_after: Duration,
}

impl SourceLimits {
    /// Nobody has asked yet.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, places: Mutex::default() }
    }

    /// Counts a request from an address, unless there were too many. What is refused does not count.
    pub fn take(&self, address: IpAddr) -> Result<(), TooMany> {
        let (now, place) = (self.clock.now(), place(address));
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if !places.contains_key(&place) {
            make_room(&mut places, now);
        }
        let asked = places.entry(place).or_default();
        // What lies ahead is of a clock that was set back.
        asked.retain(|at| *at <= now && now < at.plus(WINDOW));
        match asked.front() {
            Some(first) if asked.len() >= REQUESTS => {
                let left = first.plus(WINDOW).micros() - now.micros();
                Err(TooMany { retry_after: Duration::from_micros(left.max(0).cast_unsigned()) })
            }
            _ => {
                asked.push_back(now);
                Ok(())
            }
        }
    }
}

fn make_room(places: &mut HashMap<IpAddr, VecDeque<Timestamp>>, now: Timestamp) {
    if places.len() < MOST {
        return;
    }
    places.retain(|_, asked| asked.back().is_some_and(|last| now < last.plus(WINDOW)));
    if places.len() < MOST {
        return;
    }
    // Many at a time, so that those who come from ever new places do not cost a walk each.
    let mut last: Vec<Timestamp> =
        places.values().filter_map(|asked| asked.back().copied()).collect();
    let (_, forgotten, _) = last.select_nth_unstable(MOST / 10);
    places.retain(|_, asked| asked.back() > Some(&*forgotten));
}

/// The place that an address stands for: itself, or the /64 that a site has of IPv6 addresses.
fn place(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[derive(Default)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(self.0.load(Ordering::SeqCst))
        }
    }

    impl Hand {
        fn advance(&self, duration: Duration) {
            self.0.fetch_add(duration.as_micros() as i64, Ordering::SeqCst);
        }
    }

    fn limits() -> (Arc<Hand>, SourceLimits) {
        let clock = Arc::new(Hand::default());
        (clock.clone(), SourceLimits::new(clock))
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_place_may_ask_so_often_within_the_window() {
        let (clock, limits) = limits();
        let here = address("192.0.2.1");
        for _ in 0..REQUESTS {
            limits.take(here).unwrap();
            clock.advance(Duration::from_secs(1));
        }
        let left = WINDOW - Duration::from_secs(REQUESTS as u64);
        for _ in 0..100 {
            assert_eq!(limits.take(here), Err(TooMany { retry_after: left }));
        }
        limits.take(address("192.0.2.2")).unwrap();
        clock.advance(left);
        limits.take(here).unwrap();
        assert_eq!(limits.take(here).unwrap_err().retry_after, Duration::from_secs(1));
    }

    #[test]
    fn a_site_is_one_place() {
        let (_, limits) = limits();
        for number in 0..REQUESTS {
            limits.take(address(&format!("2001:db8:0:1::{number}"))).unwrap();
        }
        assert!(limits.take(address("2001:db8:0:1:ffff::")).is_err());
        limits.take(address("2001:db8:0:2::")).unwrap();
        for _ in 0..REQUESTS {
            limits.take(address("::ffff:192.0.2.1")).unwrap();
        }
        assert!(limits.take(address("192.0.2.1")).is_err(), "written as IPv6 it is the same");
    }

    #[test]
    fn only_so_many_places_are_remembered() {
        let (clock, limits) = limits();
        let here = address("192.0.2.1");
        (0..REQUESTS).for_each(|_| limits.take(here).unwrap());
        for number in 0..2 * MOST as u32 {
            clock.advance(Duration::from_micros(1));
            limits.take(IpAddr::from(number.to_be_bytes())).unwrap();
        }
        assert!((MOST * 9 / 10..=MOST).contains(&limits.places.lock().unwrap().len()));
        assert!(!limits.places.lock().unwrap().contains_key(&here), "it asked longest ago");
        // Those whose window is over go first, all of them.
        clock.advance(WINDOW);
        let others = (0..=MOST as u32 / 10).map(|number| IpAddr::from((!number).to_be_bytes()));
        others.for_each(|other| limits.take(other).unwrap());
        assert!(limits.places.lock().unwrap().len() <= MOST / 10 + 1);
    }

    #[test]
    fn a_clock_that_is_set_back_locks_nobody_out() {
        let (clock, limits) = limits();
        let here = address("192.0.2.1");
        clock.advance(WINDOW * 100);
        (0..REQUESTS).for_each(|_| limits.take(here).unwrap());
        clock.0.store(0, Ordering::SeqCst);
        limits.take(here).unwrap();
    }
}
