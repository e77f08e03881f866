//! The benchmark of ingestion: uplinks that are acknowledged, each one fsynced before its answer,
//! against uplinks that are refused for their tenant's name.
//!
//! | looking for | module |
//! |---|---|
//! | every meter once, as fast as that is taken, as on the hour | [`burst`] |
//! | as many uplinks as are taken for a minute, and what waits meanwhile | [`sustained`] |
//! | half as many at moments that are set beforehand, and how long answers take | [`paced`] |
//! | what comes out of it | [`figures`], [`table`] |

mod burst;
pub mod figures;
mod paced;
mod sustained;
pub mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use weir_domain::Timestamp;

use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::feed::Feed;
use crate::figures::Stretch;
use crate::load::{Load, Pace};
use crate::plan;
use crate::store::Kind;
use crate::tally::{Others, Tally};
use crate::uplink::Tenant;
use crate::vitals;
use figures::{Findings, Ingestion};

/// Measures a service that knows the fleet and has heard nothing of it. The readings begin at
/// `since`; how it goes is told line by line.
pub async fn measure(
    endpoint: &Endpoint,
    plan: &plan::Ingestion,
    kind: Kind,
    since: Timestamp,
    tell: &dyn Fn(&str),
) -> Result<Ingestion, Failure> {
    let right = Arc::new(Feed::new(plan.devices, since));
    let mut run = Run {
        endpoint,
        connections: plan.connections,
        wrong: Arc::new(right.again()),
        right,
        acknowledged: 0,
        others: Others::default(),
        tell,
    };
    // The first uplink of a meter makes the service look it up: that is no part of any rate.
    let first_burst = run.burst().await?;
    let burst = match plan.rounds {
        Some(rounds) => Some(run.bursts(rounds, first_burst.seconds).await?),
        None => None,
    };
    let sustained = match plan.sustained {
        Some(time) => Some(run.sustained(time, kind).await?),
        None => None,
    };
    let paced = match plan.paced {
        Some(paced) => Some(run.paced(paced, sustained.as_ref()).await?),
        None => None,
    };
    let findings = run.findings(plan.devices).await?;
    Ok(Ingestion { first_burst, burst, sustained, paced, findings })
}

/// A run against one service.
struct Run<'a> {
    endpoint: &'a Endpoint,
    connections: u32,
    /// Uplinks of the reseller.
    right: Arc<Feed>,
    /// The same, said to be nobody's.
    wrong: Arc<Feed>,
    acknowledged: u64,
    others: Others,
    tell: &'a dyn Fn(&str),
}

impl Run<'_> {
    /// Sends uplinks that are refused.
    async fn refused(&mut self, time: Duration) -> Result<Stretch, Failure> {
        let tally = self.load(Tenant::Wrong).send(Pace::For(time)).await?;
        Ok(self.count(tally))
    }

    /// Sends uplinks that are acknowledged.
    async fn acknowledged(&mut self, pace: Pace) -> Result<Stretch, Failure> {
        let tally = self.load(Tenant::Right).send(pace).await?;
        self.acknowledged += tally.latencies.len() as u64;
        Ok(self.count(tally))
    }

    fn load(&self, tenant: Tenant) -> Load<'_> {
        let feed = match tenant {
            Tenant::Right => &self.right,
            Tenant::Wrong => &self.wrong,
        };
        Load { endpoint: self.endpoint, connections: self.connections, feed, tenant }
    }

    fn count(&mut self, mut tally: Tally) -> Stretch {
        let stretch = Stretch::of(&mut tally);
        self.others.absorb(tally.others);
        stretch
    }

    /// Waits until all is settled: what is measured next must not pay for what was before.
    async fn settled(&self) -> Result<f64, Failure> {
        Ok(vitals::wait_until_settled(self.endpoint).await?.as_secs_f64())
    }

    /// Looks for everything that was acknowledged.
    async fn findings(self, meters: u32) -> Result<Findings, Failure> {
        self.settled().await?;
        if let Some(said) = &self.others.first {
            (self.tell)(&format!("the first answer of another status than expected: {said}"));
        }
        Ok(Findings {
            acknowledged_uplinks: self.acknowledged,
            counted_messages: vitals::count_messages(self.endpoint, meters).await?,
            other_answers: self.others.by_status,
        })
    }
}
