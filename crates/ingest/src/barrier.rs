//! Seeing one's own uplinks: every read and write waits for what was acknowledged before it began.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{Notify, watch};
use weir_store::{Db, Settled, StoreError};

use crate::recovery::Recovery;
use crate::spool::Spool;

/// What a request waits for before it may look at the store.
pub struct Barrier {
    pub(crate) db: Db,
    pub(crate) spool: Arc<Spool>,
    pub(crate) settled: watch::Receiver<u64>,
    pub(crate) recovery: Recovery,
    /// Tells the settler that someone is waiting, so that it does not linger for a larger batch.
    pub(crate) hurry: Arc<Notify>,
    /// How long a request waits before it is refused rather than shown stale data.
    pub(crate) bound: Duration,
}

impl Barrier {
    /// Whether everything acknowledged before is settled; not where the settler has ended, for then
    /// it never will be.
    async fn wait(&self) -> bool {
        if !self.recovery.wait().await {
            return false;
        }
        let acknowledged = self.spool.durable();
        let mut settled = self.settled.clone();
        if *settled.borrow() >= acknowledged {
            return true;
        }
        self.hurry.notify_one();
        settled.wait_for(|settled| *settled >= acknowledged).await.is_ok()
    }
}

impl Settled for Barrier {
    fn settled(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        async {
            // While the store is away nothing gets settled, so there is nothing to wait for.
            if let Some(trouble) = self.db.health().trouble {
                return Err(StoreError::Unavailable(trouble));
            }
            match tokio::time::timeout(self.bound, self.wait()).await {
                Ok(true) => Ok(()),
                Ok(false) | Err(_) => Err(StoreError::Unavailable(
                    "uplinks acknowledged before are not settled yet".into(),
                )),
            }
        }
        .boxed()
    }
}
