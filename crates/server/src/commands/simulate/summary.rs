//! What is said in the end.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::audit::Audit;
use super::tally::{Refusals, Tally, Unanswered};

/// How a run went.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// How many meters there were.
    pub devices: usize,
    /// How many of them were registered for it.
    pub registered: usize,
    /// How many uplinks were sent, repeats included.
    pub sent: u64,
    /// How many were answered 200.
    pub acknowledged: u64,
    /// How many of these the service knew already.
    pub duplicates: u64,
    /// What was refused, by status.
    pub refused: BTreeMap<u16, Refusals>,
    /// What got no answer.
    pub unanswered: Unanswered,
    /// How long it took.
    pub seconds: f64,
    /// How many were acknowledged per second.
    pub per_second: f64,
    /// How long that took each; nothing where none was acknowledged.
    pub latency_ms: Option<Latency>,
    /// What the histories hold of it; nothing where looking was interrupted.
    pub check: Option<Audit>,
}

/// How long acknowledging took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Latency {
    /// Half took no longer.
    pub p50: f64,
    /// 90 of 100 took no longer.
    pub p90: f64,
    /// 99 of 100 took no longer.
    pub p99: f64,
    /// None took longer.
    pub max: f64,
}

impl Latency {
    /// The latencies that so many of them do not exceed.
    fn of(mut latencies: Vec<Duration>) -> Option<Self> {
        latencies.sort_unstable();
        let at_most = |percent: usize| {
            let rank = (latencies.len() * percent).div_ceil(100).max(1);
            latencies.get(rank - 1).map(|latency| thousandths(latency.as_secs_f64() * 1_000.0))
        };
        Some(Self { p50: at_most(50)?, p90: at_most(90)?, p99: at_most(99)?, max: at_most(100)? })
    }
}

/// A number that nobody needs to more than three decimals.
fn thousandths(number: f64) -> f64 {
    (number * 1_000.0).round() / 1_000.0
}

impl Summary {
    /// The summary of a run.
    pub fn of(
        tally: Tally,
        took: Duration,
        registered: usize,
        devices: usize,
        check: Option<Audit>,
    ) -> Self {
        let seconds = took.as_secs_f64();
        Self {
            devices,
            registered,
            sent: tally.sent,
            acknowledged: tally.acknowledged,
            duplicates: tally.duplicates,
            refused: tally.refused,
            unanswered: tally.unanswered,
            seconds: thousandths(seconds),
            per_second: thousandths(tally.acknowledged as f64 / seconds.max(f64::EPSILON)),
            latency_ms: Latency::of(tally.latencies),
            check,
        }
    }

    /// The same for people.
    pub fn lines(&self) -> Vec<String> {
        let line = |what: &str, figures: String| format!("{what:<13} {figures}");
        let mut lines = vec![
            line("meters", format!("{} ({} of them new)", self.devices, self.registered)),
            line("sent", format!("{} in {:.1} s", self.sent, self.seconds)),
            line(
                "acknowledged",
                format!(
                    "{} ({:.1} per second), {} of them duplicates",
                    self.acknowledged, self.per_second, self.duplicates
                ),
            ),
        ];
        for (status, Refusals { count, error_code, message }) in &self.refused {
            lines.push(line("refused", format!("{count} with {status} {error_code}: {message}")));
        }
        if self.unanswered.count > 0 {
            let Unanswered { count, reason } = &self.unanswered;
            lines.push(line("unanswered", format!("{count}: {reason}")));
        }
        if let Some(Latency { p50, p90, p99, max }) = self.latency_ms {
            let figures =
                format!("p50 {p50:.1} ms, p90 {p90:.1} ms, p99 {p99:.1} ms, max {max:.1} ms");
            lines.push(line("latency", figures));
        }
        let checked = self.check.map_or("interrupted".to_owned(), |check| {
            let Audit { checked, missing, doubled } = check;
            format!("{checked} readings checked, {missing} missing, {doubled} more than once")
        });
        lines.push(line("history", checked));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_latencies_that_occurred() {
        let millis = |numbers: &[u64]| numbers.iter().copied().map(Duration::from_millis).collect();
        let shuffled: Vec<u64> = (1..=200).map(|n| n * 7 % 201).collect();
        let expected = Latency { p50: 100.0, p90: 180.0, p99: 198.0, max: 200.0 };
        assert_eq!(Latency::of(millis(&shuffled)), Some(expected));
        let lone = Latency { p50: 3.0, p90: 3.0, p99: 3.0, max: 3.0 };
        assert_eq!(Latency::of(millis(&[3])), Some(lone));
        assert_eq!(Latency::of(Vec::new()), None);
    }

    #[test]
    fn a_used_up_quota_is_named() {
        let mut tally = Tally { sent: 5, ..Tally::default() };
        let message = "The requests of this month are used up.".to_owned();
        let refusals = Refusals { count: 5, error_code: "RATE_LIMIT_EXCEEDED".into(), message };
        tally.refused.insert(429, refusals);
        let summary = Summary::of(tally, Duration::from_secs(2), 0, 3, Some(Audit::default()));
        let said = summary.lines().join("\n");
        assert!(said.contains("5 with 429 RATE_LIMIT_EXCEEDED: The requests"), "{said}");
        assert!(!said.contains("latency") && !said.contains("unanswered"), "{said}");
    }
}
