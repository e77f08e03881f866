//! The benchmark of ingestion: acknowledged uplinks against refused ones.

use jiff::Timestamp;

use crate::cli::Plan;
use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::figures::{Ingestion, Round, Stretch};
use crate::fleet;
use crate::load::{self, Others};
use crate::sender::Sender;
use crate::uplink::Tenant;

/// Measures a service that knows the reseller and nothing else. The readings begin at `since`; how it
/// goes is told line by line.
pub async fn measure(
    endpoint: &Endpoint,
    plan: &Plan,
    since: Timestamp,
    tell: &dyn Fn(&str),
) -> Result<Ingestion, Failure> {
    fleet::register(endpoint, plan.devices).await?;
    tell(&format!("registered {} devices", plan.devices));
    let mut run = Run {
        endpoint,
        senders: Sender::deal(endpoint, plan, since),
        acknowledged: 0,
        others: Others::default(),
    };
    // The first uplink of a meter makes the service look it up: that is no part of the rate.
    run.round(plan.warm_up).await?;
    let mut rounds = Vec::new();
    for number in 1..=plan.rounds {
        let round = run.round(plan.half_round).await?;
        tell(&format!(
            "round {number}: refused {:.0}/s, acknowledged {:.0}/s, settled after {:.2} s",
            round.refused.per_second, round.acknowledged.per_second, round.settling_seconds
        ));
        rounds.push(round);
    }
    let mut figures = Ingestion::of(rounds);
    figures.acknowledged_uplinks = run.acknowledged;
    figures.counted_messages = fleet::count_messages(endpoint, plan.devices).await?;
    if let Some(said) = &run.others.first {
        tell(&format!("the first answer of another status than expected: {said}"));
    }
    figures.other_answers = run.others.by_status;
    Ok(figures)
}

struct Run<'a> {
    endpoint: &'a Endpoint,
    senders: Vec<Sender>,
    acknowledged: u64,
    others: Others,
}

impl Run<'_> {
    /// Refusals, then ingestion, then the wait until all of it is settled: the next round's refusals
    /// must not pay for this round's readings.
    async fn round(&mut self, time: std::time::Duration) -> Result<Round, Failure> {
        let Self { endpoint, senders, .. } = self;
        let mut refused = load::send(endpoint, senders, Tenant::Wrong, time).await?;
        let mut acknowledged = load::send(endpoint, senders, Tenant::Right, time).await?;
        let settling = fleet::wait_until_settled(endpoint).await?;
        let round = Round {
            refused: Stretch::of(&mut refused),
            acknowledged: Stretch::of(&mut acknowledged),
            settling_seconds: settling.as_secs_f64(),
        };
        self.acknowledged += acknowledged.latencies.len() as u64;
        self.others.absorb(refused.others);
        self.others.absorb(acknowledged.others);
        Ok(round)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::net::TcpListener;

    use super::*;
    use crate::testing::{Faults, serve};

    /// More meters than a page of the list holds, and an uneven share for each connection.
    async fn measure_with(faults: Faults) -> Ingestion {
        let (half_round, warm_up) = (Duration::from_millis(30), Duration::ZERO);
        let plan = Plan { connections: 12, devices: 1_205, rounds: 2, half_round, warm_up };
        let endpoint = serve(faults).await;
        measure(&endpoint, &plan, "2026-01-05T06:00:00Z".parse().unwrap(), &|_| ()).await.unwrap()
    }

    #[tokio::test]
    async fn a_good_service_has_what_it_acknowledged() {
        let figures = measure_with(Faults::default()).await;
        assert!(figures.is_right(), "{figures:?}");
        // Every connection sends at least once in the warm-up and in each of two rounds.
        assert!(figures.acknowledged_uplinks >= 36, "{figures:?}");
        assert_eq!(figures.rounds.len(), 2);
        assert!(figures.ratio > 0.0 && figures.refused.p99_ms >= figures.refused.p50_ms);
    }

    #[tokio::test]
    async fn a_service_that_forgets_is_found_out() {
        let figures = measure_with(Faults { forgets: 1, sheds: 0 }).await;
        assert!(!figures.is_right());
        assert_eq!(figures.counted_messages + 1, figures.acknowledged_uplinks);
        assert!(figures.other_answers.is_empty());
    }

    #[tokio::test]
    async fn other_answers_are_counted_and_are_no_acknowledgements() {
        let figures = measure_with(Faults { forgets: 0, sheds: 3 }).await;
        assert!(!figures.is_right());
        assert_eq!(figures.counted_messages, figures.acknowledged_uplinks);
        assert_eq!(figures.other_answers, [(503, 3)].into());
    }

    #[tokio::test]
    async fn a_service_that_hangs_up_gives_no_figures() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = Endpoint { address: listener.local_addr().unwrap(), api_key: String::new() };
        tokio::spawn(async move { while listener.accept().await.is_ok() {} });
        let (half_round, warm_up) = (Duration::ZERO, Duration::ZERO);
        let plan = Plan { connections: 1, devices: 1, rounds: 1, half_round, warm_up };
        let measured = measure(&endpoint, &plan, Timestamp::UNIX_EPOCH, &|_| ()).await;
        let failure = measured.unwrap_err();
        assert!(matches!(failure, Failure::Unreadable(_) | Failure::Io { .. }), "{failure}");
    }
}
