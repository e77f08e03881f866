//! Whether settling may take its time, and where its work is done.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tokio::sync::oneshot;
use tokio::task::JoinError;
use weir_store::Purpose;

use super::{Abandoned, Settler};

impl Settler {
    /// What the store is asked for.
    pub(super) fn purpose(&self) -> Purpose {
        if self.is_at_leisure() { Purpose::SettleAtLeisure } else { Purpose::Settle }
    }

    /// Requests come first, unless someone waits for what is settled now or it falls behind by more than
    /// what is read back at once: a thread that gives way to others may get next to nothing.
    pub(super) fn is_at_leisure(&self) -> bool {
        !self.is_recovering
            && !self.haste.is_wanted()
            && self.spool.depth() <= self.pace.batch() as u64
    }

    /// Does what takes a while on another thread, which gives way to others if there is time. Whatever
    /// takes a lock that requests take as well is not for that thread, for they would wait for it.
    pub(super) async fn aside<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Abandoned> {
        if !self.is_at_leisure() {
            return apart(work).await;
        }
        let (say, said) = oneshot::channel();
        self.leisure.submit(move || {
            let _ = say.send(catch_unwind(AssertUnwindSafe(work)));
        });
        match said.await {
            Ok(outcome) => outcome.map_err(|panic| resume_unwind(panic)),
            Err(_) => {
                tracing::error!("the thread for settling at leisure has ended");
                Err(Abandoned)
            }
        }
    }
}

/// Does what takes a while on another thread, so that no request waits behind it.
pub(super) async fn apart<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Abandoned> {
    match tokio::task::spawn_blocking(work).await.map_err(JoinError::try_into_panic) {
        Ok(result) => Ok(result),
        Err(Ok(panic)) => resume_unwind(panic),
        // The runtime is ending.
        Err(Err(_)) => Err(Abandoned),
    }
}
