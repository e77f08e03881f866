//! Every meter once, as fast as that is taken: a fleet reports on the hour.

use std::time::{Duration, Instant};

use super::Run;
use super::figures::{Burst, Bursts, Round};
use crate::failure::Failure;
use crate::load::Pace;

impl Run<'_> {
    /// One burst, and the wait until all of it is settled.
    pub(super) async fn burst(&mut self) -> Result<Burst, Failure> {
        let most = self.right.taken() + u64::from(self.right.meters());
        let begun = Instant::now();
        let acknowledged = self.acknowledged(Pace::Until(most)).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let settling_seconds = self.settled().await?;
        (self.tell)(&format!(
            "a burst: acknowledged {:.0}/s in {seconds:.1} s, settled {settling_seconds:.2} s later",
            acknowledged.per_second
        ));
        Ok(Burst { acknowledged, seconds, settling_seconds })
    }

    /// Rounds of refusals and a burst: both in turns, so that whatever else the machine does hits
    /// both alike, and refusals for as long as the burst before took.
    pub(super) async fn bursts(&mut self, rounds: u32, seconds: f64) -> Result<Bursts, Failure> {
        let (mut seconds, mut all) = (seconds, Vec::new());
        for _ in 0..rounds {
            let refused = self.refused(Duration::from_secs_f64(seconds)).await?;
            (self.tell)(&format!("refused {:.0}/s", refused.per_second));
            let burst = self.burst().await?;
            seconds = burst.seconds;
            all.push(Round { refused, burst });
        }
        Ok(Bursts::of(all))
    }
}
