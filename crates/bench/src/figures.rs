//! What was measured of one stretch of sending, as numbers.

use serde::Serialize;

use crate::tally::Tally;

/// One stretch of sending, or the medians of several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stretch {
    /// Answers of the expected status per second.
    pub per_second: f64,
    /// Half of them took no longer.
    pub p50_ms: f64,
    /// 99 of 100 took no longer.
    pub p99_ms: f64,
    /// 999 of 1,000 took no longer.
    pub p999_ms: f64,
    /// How much of one processor the client itself took.
    pub client_processors: f64,
}

impl Stretch {
    /// The figures of a tally.
    pub fn of(tally: &mut Tally) -> Self {
        let seconds = tally.elapsed.as_secs_f64();
        let latencies = &mut tally.latencies;
        Self {
            per_second: latencies.len() as f64 / seconds,
            p50_ms: percentile_ms(latencies, 500),
            p99_ms: percentile_ms(latencies, 990),
            p999_ms: percentile_ms(latencies, 999),
            client_processors: tally.client.as_secs_f64() / seconds,
        }
    }

    /// The medians of some stretches, figure by figure.
    pub fn median(stretches: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(stretches.iter().map(figure));
        Self {
            per_second: of(|it| it.per_second),
            p50_ms: of(|it| it.p50_ms),
            p99_ms: of(|it| it.p99_ms),
            p999_ms: of(|it| it.p999_ms),
            client_processors: of(|it| it.client_processors),
        }
    }
}

/// The middle of some numbers, or between the two in the middle; 0 where there are none.
pub fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let upper = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        count if count % 2 == 0 => f64::midpoint(numbers[upper - 1], numbers[upper]),
        _ => numbers[upper],
    }
}

/// The latency that so many of 1,000 did not pass; 0 where there are none.
pub fn percentile_ms(latencies: &mut [u32], of_thousand: usize) -> f64 {
    let rank = (latencies.len() * of_thousand).div_ceil(1_000);
    match rank.checked_sub(1) {
        Some(index) => f64::from(*latencies.select_nth_unstable(index).1) / 1_000.0,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_stretch_is_a_rate_and_the_ranks_of_its_latencies() {
        let latencies = (1..=2_000).rev().map(|n| n * 100).collect();
        let (elapsed, client) = (Duration::from_millis(500), Duration::from_millis(100));
        let mut tally = Tally { elapsed, client, latencies, ..Tally::default() };
        let expected = Stretch {
            per_second: 4_000.0,
            p50_ms: 100.0,
            p99_ms: 198.0,
            p999_ms: 199.8,
            client_processors: 0.2,
        };
        assert_eq!(Stretch::of(&mut tally), expected);
        assert_eq!(percentile_ms(&mut [], 990), 0.0);
        assert_eq!(percentile_ms(&mut [7_000], 500), 7.0);
    }

    #[test]
    fn a_median_is_the_middle_of_each_figure() {
        let stretch = |per_second, p50_ms| Stretch {
            per_second,
            p50_ms,
            p99_ms: 0.0,
            p999_ms: 0.0,
            client_processors: 0.0,
        };
        let middle = Stretch::median(&[stretch(3.0, 1.0), stretch(1.0, 2.0), stretch(2.0, 3.0)]);
        assert_eq!(middle, stretch(2.0, 2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }
}
