//! Sending what is planned, when it is planned.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use super::plan::Plan;
use super::service::{INGEST, Service, reason};
use super::tally::Tally;
use crate::failure::Failure;
use crate::progress;

/// What the connections of a run share.
struct Run {
    service: Arc<Service>,
    plan: Arc<Plan>,
    begun: Instant,
    next: AtomicU64,
    bar: ProgressBar,
}

/// Sends a plan over so many connections, and says how long that took. Ctrl-C ends it early.
pub async fn send(
    service: &Arc<Service>,
    plan: &Arc<Plan>,
    connections: usize,
) -> Result<(Tally, Duration), Failure> {
    let run = Arc::new(Run {
        service: service.clone(),
        plan: plan.clone(),
        begun: Instant::now(),
        next: AtomicU64::new(0),
        bar: progress::bar(plan.schedule.total(), "sending", "uplinks"),
    });
    let (stop, stopped) = watch::channel(false);
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        senders.spawn(run.clone().work(stopped.clone()));
    }
    let mut sum = Tally::default();
    let interrupted = tokio::signal::ctrl_c();
    tokio::pin!(interrupted);
    loop {
        tokio::select! {
            done = senders.join_next() => match done {
                Some(tally) => {
                    sum.add(tally.map_err(|error| Failure::Said(error.to_string()))?);
                }
                None => break,
            },
            signal = &mut interrupted, if !*stop.borrow() => {
                signal?;
                stop.send_replace(true);
            }
        }
    }
    run.bar.finish_and_clear();
    Ok((sum, run.begun.elapsed()))
}

impl Run {
    /// One connection: sends whatever is due next, until nothing is left.
    async fn work(self: Arc<Self>, mut stopped: watch::Receiver<bool>) -> Tally {
        let mut tally = Tally::default();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.plan.schedule.total() {
                return tally;
            }
            let due = self.begun + self.plan.schedule.due(number);
            let Some(mut begun) = wait(due, &mut stopped).await else { return tally };
            let place = self.plan.place(number);
            for _ in 0..self.plan.times(number) {
                let answer = self.service.post(INGEST, self.plan.body(place)).await;
                tally.count(place, answer.map_err(|error| reason(&error)), begun.elapsed());
                begun = Instant::now();
            }
            self.bar.inc(1);
        }
    }
}

/// Waits until something is due, and says from when on its latency counts: from the moment that it
/// was due, where connections that were busy kept it waiting; else from now, so that the coarseness
/// of our own timer is not put down to the service. Nothing where there is nothing to wait for any
/// more.
async fn wait(due: Instant, stopped: &mut watch::Receiver<bool>) -> Option<Instant> {
    if Instant::now() >= due {
        return (!*stopped.borrow()).then_some(due);
    }
    tokio::select! {
        () = sleep_until(due) => Some(Instant::now()),
        _ = stopped.wait_for(|stopped| *stopped) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_kept_waiting_counts_from_when_it_was_due() {
        let (stop, mut stopped) = watch::channel(false);
        let due = Instant::now() + Duration::from_secs(5);
        assert_eq!(wait(due, &mut stopped).await, Some(due));
        tokio::time::advance(Duration::from_secs(3)).await;
        assert_eq!(wait(due, &mut stopped).await, Some(due));
        stop.send_replace(true);
        assert_eq!(wait(due, &mut stopped).await, None);
        let far = Instant::now() + Duration::from_secs(1_000_000);
        assert_eq!(wait(far, &mut stopped).await, None);
    }
}
