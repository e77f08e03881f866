//! Waiting for what an earlier process left behind.

use std::time::Duration;

use tokio::sync::watch;

/// How long an uplink waits for it: well below the 5 seconds that network servers wait for us. Past
/// that it is taken in all the same; only a repeat of what is not recovered yet goes without its flag.
const BRIEFLY: Duration = Duration::from_secs(2);

/// Whether the spools of dead processes are settled.
#[derive(Debug, Clone)]
pub struct Recovery(watch::Receiver<bool>);

impl Recovery {
    /// A recovery that is under way, and where to say that it is done.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (done, recovery) = watch::channel(false);
        (done, Self(recovery))
    }

    /// Waits until it is done; whether it is. It is not where the settler has ended before.
    pub async fn wait(&self) -> bool {
        self.0.clone().wait_for(|done| *done).await.is_ok()
    }

    /// Waits until it is done, but not for long.
    pub async fn wait_briefly(&self) {
        if !*self.0.borrow() {
            let _ = Box::pin(tokio::time::timeout(BRIEFLY, self.wait())).await;
        }
    }
}
