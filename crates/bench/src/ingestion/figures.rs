//! What was measured of ingestion, as numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::figures::{Stretch, median};
use crate::goal::Goal;
use crate::store::Kind;

/// The share of the refusals' rate that bursts are meant to reach.
const BURST_SHARE: f64 = 0.7;

/// The time that 99 of 100 paced uplinks are meant to be acknowledged within.
const PACED_P99_MS: f64 = 30.0;

/// How far above the most of the first half the last quarter may be and still count as flat.
const FLAT: f64 = 1.1;

/// The share of the refusals' rate that sustained ingestion is meant to reach.
const fn sustained_share(kind: Kind) -> f64 {
    match kind {
        Kind::Sqlite => 0.6,
        Kind::Postgres => 0.4,
    }
}

/// What was measured on one store.
#[derive(Debug, Serialize)]
pub struct Ingestion {
    /// The burst right after the start, of devices that the service has to look up.
    pub first_burst: Burst,
    /// Bursts after it.
    pub burst: Option<Bursts>,
    /// As much as is taken for long.
    pub sustained: Option<Sustained>,
    /// Less than that, at set moments.
    pub paced: Option<Paced>,
    /// Whether everything was found again.
    #[serde(flatten)]
    pub findings: Findings,
}

/// A burst.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Burst {
    /// The acknowledged uplinks.
    pub acknowledged: Stretch,
    /// How long it took.
    pub seconds: f64,
    /// How long settling took after the last answer.
    pub settling_seconds: f64,
}

/// One round: refusals, then a burst.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Round {
    /// The answers to the wrong tenant name.
    pub refused: Stretch,
    /// The burst.
    pub burst: Burst,
}

/// Rounds of bursts.
#[derive(Debug, Serialize)]
pub struct Bursts {
    /// The medians of the rounds' refusals.
    pub refused: Stretch,
    /// The medians of the rounds' acknowledged uplinks.
    pub acknowledged: Stretch,
    /// The median of the rounds' ratios of acknowledged to refused: each round is compared with
    /// itself, for a machine may be busier in one round than in another.
    pub ratio: Goal,
    /// The median of the rounds' settling times.
    pub settling_seconds: f64,
    /// The rounds.
    pub rounds: Vec<Round>,
}

impl Bursts {
    /// The figures of some rounds.
    pub fn of(rounds: Vec<Round>) -> Self {
        let ratio = |round: &Round| round.burst.acknowledged.per_second / round.refused.per_second;
        let stretches =
            |of: fn(&Round) -> Stretch| Stretch::median(&rounds.iter().map(of).collect::<Vec<_>>());
        Self {
            refused: stretches(|round| round.refused),
            acknowledged: stretches(|round| round.burst.acknowledged),
            ratio: Goal::at_least(BURST_SHARE, median(rounds.iter().map(ratio))),
            settling_seconds: median(rounds.iter().map(|round| round.burst.settling_seconds)),
            rounds,
        }
    }
}

/// Sending for long.
#[derive(Debug, Serialize)]
pub struct Sustained {
    /// The answers to the wrong tenant name, before and after.
    pub refused: [Stretch; 2],
    /// The acknowledged uplinks.
    pub acknowledged: Stretch,
    /// The ratio of acknowledged to the mean of refused before and after.
    pub ratio: Goal,
    /// What waited to be settled meanwhile.
    pub depths: Depths,
    /// How long settling took after the last answer.
    pub settling_seconds: f64,
}

impl Sustained {
    /// The figures of a stretch between two of refusals.
    pub fn of(
        kind: Kind,
        refused: [Stretch; 2],
        acknowledged: Stretch,
        depths: Depths,
        settling_seconds: f64,
    ) -> Self {
        let mean = f64::midpoint(refused[0].per_second, refused[1].per_second);
        let ratio = Goal::at_least(sustained_share(kind), acknowledged.per_second / mean);
        Self { refused, acknowledged, ratio, depths, settling_seconds }
    }
}

/// How many acknowledged uplinks waited to be settled.
#[derive(Debug, Serialize)]
pub struct Depths {
    /// After a quarter of the time.
    pub quarter: u64,
    /// After half of it.
    pub half: u64,
    /// After three quarters.
    pub three_quarters: u64,
    /// With the last answer.
    pub end: u64,
    /// Whether the last quarter was, on the average, about no deeper than the first half was at its
    /// deepest: settling kept up. A single moment says little, for what waits goes up and down with
    /// every batch that is settled.
    pub is_flat: bool,
    /// Once a second, and at the end.
    pub samples: Vec<u64>,
}

impl Depths {
    /// Of samples that were taken at equal distances.
    pub fn of(samples: Vec<u64>) -> Self {
        let last = samples.len().saturating_sub(1);
        let after = |quarters| samples.get(last * quarters / 4).copied().unwrap_or_default();
        let most = samples.iter().take(last / 2 + 1).max().copied().unwrap_or_default();
        let late = samples.get(last - last / 4..).unwrap_or_default();
        let late = late.iter().sum::<u64>() as f64 / late.len().max(1) as f64;
        Self {
            quarter: after(1),
            half: after(2),
            three_quarters: after(3),
            end: after(4),
            is_flat: late <= most as f64 * FLAT,
            samples,
        }
    }
}

/// Sending at set moments.
#[derive(Debug, Serialize)]
pub struct Paced {
    /// How many were due each second.
    pub due_per_second: f64,
    /// The acknowledged uplinks; their times are counted from when they were due.
    pub acknowledged: Stretch,
    /// What 99 of 100 did not pass.
    pub p99_ms: Goal,
}

impl Paced {
    /// The figures of a stretch at that pace.
    pub fn of(due_per_second: f64, acknowledged: Stretch) -> Self {
        let p99_ms = Goal::at_most(PACED_P99_MS, acknowledged.p99_ms);
        Self { due_per_second, acknowledged, p99_ms }
    }
}

/// Whether everything was found again.
#[derive(Debug, Serialize)]
pub struct Findings {
    /// How many uplinks were acknowledged in the whole run.
    pub acknowledged_uplinks: u64,
    /// How many messages the service says that it received.
    pub counted_messages: u64,
    /// How many answers had another status than expected, by status.
    pub other_answers: BTreeMap<u16, u64>,
}

impl Findings {
    /// Whether all answers were right and the service has exactly what it acknowledged.
    pub fn are_right(&self) -> bool {
        self.other_answers.is_empty() && self.counted_messages == self.acknowledged_uplinks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(per_second: f64) -> Stretch {
        let (p50_ms, p99_ms, p999_ms) = (1.0, 2.0, 3.0);
        Stretch { per_second, p50_ms, p99_ms, p999_ms, client_processors: 0.5 }
    }

    #[test]
    fn every_round_is_compared_with_itself() {
        let round = |refused, acknowledged| {
            let acknowledged = stretch(acknowledged);
            let burst = Burst { acknowledged, seconds: 1.0, settling_seconds: refused };
            Round { refused: stretch(refused), burst }
        };
        // The machine was busy in the second round.
        let bursts = Bursts::of(vec![round(100.0, 60.0), round(10.0, 7.0), round(120.0, 60.0)]);
        assert_eq!((bursts.ratio.figure, bursts.ratio.is_reached), (0.6, false));
        assert_eq!(bursts.refused.per_second, 100.0);
        assert_eq!(bursts.acknowledged.per_second, 60.0);
        assert_eq!(bursts.settling_seconds, 100.0);
    }

    #[test]
    fn what_is_sustained_is_held_against_refusals_on_both_sides_of_it() {
        let refused = [stretch(120.0), stretch(80.0)];
        let of = |kind| Sustained::of(kind, refused, stretch(50.0), Depths::of(vec![1]), 0.1);
        let ratios = [Kind::Sqlite, Kind::Postgres].map(|kind| of(kind).ratio);
        assert_eq!(
            ratios.map(|ratio| (ratio.figure, ratio.is_reached)),
            [(0.5, false), (0.5, true)]
        );
    }

    #[test]
    fn depths_are_flat_unless_they_end_deeper_than_the_first_half_was() {
        let depths = Depths::of(vec![0, 10, 90, 50, 60, 70, 80, 90, 200]);
        let quarters = (depths.quarter, depths.half, depths.three_quarters, depths.end);
        assert_eq!(quarters, (90, 60, 80, 200));
        assert!(!depths.is_flat);
        // The last moment happened to be a deep one.
        assert!(Depths::of(vec![0, 10, 90, 50, 60, 70, 40, 10, 200]).is_flat);
        assert!(!Depths::of(vec![0, 10, 20, 30, 40]).is_flat);
        assert!(Depths::of(vec![0, 0]).is_flat && Depths::of(Vec::new()).is_flat);
    }
}
