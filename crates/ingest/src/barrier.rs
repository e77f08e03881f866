//! Seeing one's own uplinks: every read and write waits for what was acknowledged before it began.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{Notify, watch};
use weir_store::{Settled, StoreError};

use crate::recovery::Recovery;
use crate::spool::Spool;

/// What a request waits for before it may look at the store.
pub struct Barrier {
    pub(crate) spool: Arc<Spool>,
    pub(crate) settled: watch::Receiver<u64>,
    pub(crate) recovery: Recovery,
    /// Tells the settler that someone is waiting, so that it does not linger for a larger batch.
    pub(crate) hurry: Arc<Notify>,
    /// How long a request waits before it is refused rather than shown stale data.
    pub(crate) bound: Duration,
}

impl Barrier {
    async fn wait(&self) {
        self.recovery.wait().await;
        let acknowledged = self.spool.durable();
        let mut settled = self.settled.clone();
        if *settled.borrow() >= acknowledged {
            return;
        }
        self.hurry.notify_one();
        let _ = settled.wait_for(|settled| *settled >= acknowledged).await;
    }
}

impl Settled for Barrier {
    fn settled(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async {
            tokio::time::timeout(self.bound, self.wait()).await.map_err(|_| {
                StoreError::Unavailable("uplinks acknowledged before are not settled yet".into())
            })
        }
        .boxed()
    }
}
