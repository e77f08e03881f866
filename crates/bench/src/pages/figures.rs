//! What was measured of pages, as numbers.

use serde::Serialize;

use crate::figures::percentile_ms;
use crate::goal::Goal;

/// How soon a page is meant to be there, in milliseconds.
pub const SOON_MS: f64 = 100.0;

/// How large a page is meant to be at most, with all that it names.
pub const LARGEST: f64 = 150_000.0;

/// A page when it was seen for the first time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct First {
    /// How long it took until all of it was there.
    pub ms: f64,
    /// How many bytes that was.
    pub bytes: usize,
}

/// How long a page took, and how large it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Page {
    /// Its path.
    pub path: String,
    /// How long it took the first time, with the styles and scripts that it names.
    pub first_ms: Goal,
    /// Half of the later answers took no longer.
    pub median_ms: f64,
    /// 99 of 100 took no longer.
    pub p99_ms: Goal,
    /// How many bytes it has, with the styles and scripts that it names.
    pub bytes: Goal,
}

impl Page {
    /// Of its first time, and of later ones in microseconds.
    pub fn of(path: &str, first: First, latencies: &mut [u32]) -> Self {
        Self {
            path: path.to_owned(),
            first_ms: Goal::at_most(SOON_MS, first.ms),
            median_ms: percentile_ms(latencies, 500),
            p99_ms: Goal::at_most(SOON_MS, percentile_ms(latencies, 990)),
            bytes: Goal::at_most(LARGEST, first.bytes as f64),
        }
    }

    /// Whether it is as quick and as small as it is meant to be.
    pub const fn is_reached(&self) -> bool {
        self.first_ms.is_reached && self.p99_ms.is_reached && self.bytes.is_reached
    }
}

/// What was measured on one store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pages {
    /// How long it took from following the link to having all of the first page, right after the start.
    pub from_link_ms: Goal,
    /// The pages.
    pub pages: Vec<Page>,
}

impl Pages {
    /// Of how long following the link took, and of the pages that were seen then.
    pub fn of(sign_in_ms: f64, pages: Vec<Page>) -> Self {
        let first = pages.first().map_or(f64::NAN, |page| page.first_ms.figure);
        Self { from_link_ms: Goal::at_most(SOON_MS, sign_in_ms + first), pages }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(first: First, latency: u32) -> Page {
        Page::of("/", first, &mut vec![latency; 200])
    }

    #[test]
    fn a_page_has_to_be_quick_the_first_time_and_later_and_small() {
        let good = First { ms: 100.0, bytes: 150_000 };
        assert!(page(good, 100_000).is_reached());
        assert!(!page(good, 100_001).is_reached());
        assert!(!page(First { ms: 100.1, ..good }, 1).is_reached());
        assert!(!page(First { bytes: 150_001, ..good }, 1).is_reached());
    }

    #[test]
    fn the_first_page_counts_from_the_link_on() {
        let pages = Pages::of(40.0, vec![page(First { ms: 50.0, bytes: 1 }, 1)]);
        assert_eq!(pages.from_link_ms, Goal::at_most(100.0, 90.0));
        assert!(!Pages::of(1.0, Vec::new()).from_link_ms.is_reached);
    }
}
