//! Half of what is taken for long, at moments that are set beforehand: how long answers take when the
//! service is busy and not overrun.

use super::Run;
use super::figures::{Paced, Sustained};
use crate::failure::Failure;
use crate::load::Pace;
use crate::plan;

impl Run<'_> {
    /// Sends at the pace that the plan says, else at half of the sustained rate.
    pub(super) async fn paced(
        &mut self,
        plan: plan::Paced,
        sustained: Option<&Sustained>,
    ) -> Result<Paced, Failure> {
        let half = sustained.map(|sustained| sustained.acknowledged.per_second / 2.0);
        let per_second = plan.per_second.or(half).ok_or(Failure::NoRate)?.max(1.0);
        let count = (per_second * plan.time.as_secs_f64()).ceil() as u64;
        let acknowledged = self.acknowledged(Pace::At { per_second, count }).await?;
        (self.tell)(&format!(
            "paced at {per_second:.0}/s: p50 {:.1} ms, p99 {:.1} ms, p99.9 {:.1} ms",
            acknowledged.p50_ms, acknowledged.p99_ms, acknowledged.p999_ms
        ));
        Ok(Paced::of(per_second, acknowledged))
    }
}
