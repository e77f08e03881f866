//! Seeing one's own uplinks: every read and write waits for what was acknowledged to its reseller
//! before it began. What others flood the spool with does not concern it, unless it lies in front.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use weir_domain::ResellerId;
use weir_store::{Db, Settled, StoreError};

use crate::haste::Haste;
use crate::recovery::Recovery;
use crate::shares::Shares;
use crate::spool::Spool;

/// What a request waits for before it may look at the store.
pub struct Barrier {
    pub(crate) db: Db,
    pub(crate) spool: Arc<Spool>,
    /// Who has which record last.
    pub(crate) unsettled: Arc<Shares>,
    pub(crate) settled: watch::Receiver<u64>,
    pub(crate) recovery: Recovery,
    /// Tells the settler that someone is waiting, so that it does not linger for a larger batch.
    pub(crate) haste: Arc<Haste>,
    /// How long a request waits before it is refused rather than shown stale data.
    pub(crate) bound: Duration,
}

impl Barrier {
    /// Waits until everything that this node acknowledged before is settled, whoever it is of; whether
    /// it is. It is not where the settler has ended, for then it never will be.
    pub async fn wait_for_all(&self) -> bool {
        let acknowledged = self.spool.durable();
        self.recovery.wait().await && self.wait_until(|settled| settled >= acknowledged).await
    }

    /// The same for what was acknowledged to one reseller. Of a large batch its records may be settled
    /// before others that lie in front of them; then it has none left.
    async fn wait_for(&self, reseller: ResellerId) -> bool {
        self.recovery.wait().await && {
            let acknowledged = self.unsettled.last(reseller);
            self.wait_until(|settled| settled >= acknowledged || self.unsettled.last(reseller) == 0)
                .await
        }
    }

    async fn wait_until(&self, is_settled: impl Fn(u64) -> bool) -> bool {
        let mut settled = self.settled.clone();
        if is_settled(*settled.borrow()) {
            return true;
        }
        let _waiting = self.haste.wait();
        settled.wait_for(|settled| is_settled(*settled)).await.is_ok()
    }
}

impl Settled for Barrier {
    fn settled(&self, reseller: ResellerId) -> BoxFuture<'_, Result<(), StoreError>> {
        async move {
            // While the store is away nothing gets settled, so there is nothing to wait for.
            if let Some(trouble) = self.db.health().trouble {
                return Err(StoreError::Unavailable(trouble));
            }
            match tokio::time::timeout(self.bound, self.wait_for(reseller)).await {
                Ok(true) => Ok(()),
                Ok(false) | Err(_) => Err(StoreError::Unavailable(
                    "uplinks acknowledged before are not settled yet".into(),
                )),
            }
        }
        .boxed()
    }
}
