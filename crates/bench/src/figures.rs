//! What was measured, as numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::load::Tally;

/// The share of the refusals' rate that acknowledged ingestion is meant to reach.
pub const TARGET: f64 = 0.5;

/// One stretch of sending, or the medians of several.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Stretch {
    /// Answers of the expected status per second.
    pub per_second: f64,
    /// Half of them took no longer.
    pub p50_ms: f64,
    /// 99 of 100 took no longer.
    pub p99_ms: f64,
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
            p50_ms: percentile_ms(latencies, 50),
            p99_ms: percentile_ms(latencies, 99),
            client_processors: tally.client.as_secs_f64() / seconds,
        }
    }

    /// The medians of one stretch of every round, figure by figure.
    fn median(rounds: &[Round], stretch: fn(&Round) -> Self) -> Self {
        let of = |figure: fn(Self) -> f64| median(rounds.iter().map(stretch).map(figure));
        Self {
            per_second: of(|it| it.per_second),
            p50_ms: of(|it| it.p50_ms),
            p99_ms: of(|it| it.p99_ms),
            client_processors: of(|it| it.client_processors),
        }
    }
}

/// One round: refusals, then ingestion.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Round {
    /// The answers to the wrong tenant name.
    pub refused: Stretch,
    /// The acknowledged uplinks.
    pub acknowledged: Stretch,
    /// How long settling the acknowledged uplinks took after the last of them.
    pub settling_seconds: f64,
}

/// What was measured on one store.
#[derive(Debug, Serialize)]
pub struct Ingestion {
    /// The medians of the rounds' refusals.
    pub refused: Stretch,
    /// The medians of the rounds' acknowledged uplinks.
    pub acknowledged: Stretch,
    /// The median of the rounds' ratios of acknowledged to refused: each round is compared with
    /// itself, for a machine may be busier in one round than in another.
    pub ratio: f64,
    /// The ratio that is meant to be reached.
    pub target: f64,
    /// The median of the rounds' settling times.
    pub settling_seconds: f64,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// How many uplinks were acknowledged in the whole run.
    pub acknowledged_uplinks: u64,
    /// How many messages the service says that it received.
    pub counted_messages: u64,
    /// How many answers had another status than expected, by status.
    pub other_answers: BTreeMap<u16, u64>,
}

impl Ingestion {
    /// The figures of some rounds, of which nothing is known yet but how they went.
    pub fn of(rounds: Vec<Round>) -> Self {
        let ratio = |round: &Round| round.acknowledged.per_second / round.refused.per_second;
        Self {
            refused: Stretch::median(&rounds, |round| round.refused),
            acknowledged: Stretch::median(&rounds, |round| round.acknowledged),
            ratio: median(rounds.iter().map(ratio)),
            target: TARGET,
            settling_seconds: median(rounds.iter().map(|round| round.settling_seconds)),
            rounds,
            acknowledged_uplinks: 0,
            counted_messages: 0,
            other_answers: BTreeMap::new(),
        }
    }

    /// Whether all answers were right and the service has exactly what it acknowledged.
    pub fn is_right(&self) -> bool {
        self.other_answers.is_empty() && self.counted_messages == self.acknowledged_uplinks
    }
}

/// The middle of some numbers, or between the two in the middle; 0 where there are none.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    let upper = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        count if count % 2 == 0 => f64::midpoint(numbers[upper - 1], numbers[upper]),
        _ => numbers[upper],
    }
}

/// The latency that so many of 100 did not pass; 0 where there are none.
pub fn percentile_ms(latencies: &mut [u32], of_hundred: usize) -> f64 {
    let rank = (latencies.len() * of_hundred).div_ceil(100);
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
        let latencies = (1..=200).rev().map(|n| n * 1_000).collect();
        let (elapsed, client) = (Duration::from_millis(500), Duration::from_millis(100));
        let mut tally = Tally { elapsed, client, latencies, ..Tally::default() };
        let expected =
            Stretch { per_second: 400.0, p50_ms: 100.0, p99_ms: 198.0, client_processors: 0.2 };
        assert_eq!(Stretch::of(&mut tally), expected);
        assert_eq!(percentile_ms(&mut [], 99), 0.0);
        assert_eq!(percentile_ms(&mut [7_000], 50), 7.0);
    }

    #[test]
    fn every_round_is_compared_with_itself() {
        let round = |refused, acknowledged| {
            let stretch = |per_second| Stretch {
                per_second,
                p50_ms: 1.0,
                p99_ms: 2.0,
                client_processors: 0.5,
            };
            let (refused, acknowledged) = (stretch(refused), stretch(acknowledged));
            Round { refused, acknowledged, settling_seconds: refused.per_second }
        };
        // The machine was busy in the second round.
        let figures = Ingestion::of(vec![round(100.0, 60.0), round(10.0, 7.0), round(120.0, 60.0)]);
        assert_eq!(figures.ratio, 0.6);
        assert_eq!(figures.refused.per_second, 100.0);
        assert_eq!(figures.acknowledged.per_second, 60.0);
        assert_eq!(figures.settling_seconds, 100.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }
}
