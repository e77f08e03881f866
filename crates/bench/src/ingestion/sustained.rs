//! As many uplinks as are taken, for long: whether settling keeps up shows in what waits meanwhile.

use std::time::Duration;

use tokio::time::MissedTickBehavior;

use super::Run;
use super::figures::{Depths, Sustained};
use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::load::Pace;
use crate::store::Kind;
use crate::vitals;

/// How often the spool's depth is asked for.
const SAMPLED_EVERY: Duration = Duration::from_secs(1);

/// The part of the time that refusals are sent for, before and after.
const REFUSED_PART: u32 = 6;

impl Run<'_> {
    /// Sends for so long, between two stretches of refusals.
    pub(super) async fn sustained(
        &mut self,
        time: Duration,
        kind: Kind,
    ) -> Result<Sustained, Failure> {
        let before = self.refused(time / REFUSED_PART).await?;
        let (endpoint, mut samples) = (self.endpoint, Vec::new());
        let acknowledged = tokio::select! {
            acknowledged = self.acknowledged(Pace::For(time)) => acknowledged?,
            failure = sample(endpoint, &mut samples) => return Err(failure),
        };
        samples.push(vitals::spool_depth(endpoint).await?);
        let depths = Depths::of(samples);
        let settling_seconds = self.settled().await?;
        let after = self.refused(time / REFUSED_PART).await?;
        let refused = [before, after];
        let sustained = Sustained::of(kind, refused, acknowledged, depths, settling_seconds);
        (self.tell)(&format!(
            "sustained: refused {:.0}/s and {:.0}/s, acknowledged {:.0}/s, {} left to settle at \
             the end, settled {settling_seconds:.2} s later",
            before.per_second, after.per_second, acknowledged.per_second, sustained.depths.end
        ));
        Ok(sustained)
    }
}

/// Asks for the depth of the spool again and again; ends only where that fails.
async fn sample(endpoint: &Endpoint, samples: &mut Vec<u64>) -> Failure {
    let mut ticks = tokio::time::interval(SAMPLED_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match vitals::spool_depth(endpoint).await {
            Ok(depth) => samples.push(depth),
            Err(failure) => return failure,
        }
    }
}
