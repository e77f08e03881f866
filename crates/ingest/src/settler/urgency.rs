//! Whether settling may take its time, and where its work is done then.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tokio::sync::oneshot;
use tokio::task::JoinError;
use weir_store::Purpose;

use super::{Abandoned, LARGE, Settler};

impl Settler {
    /// What the store is asked for.
    pub(super) fn purpose(&self) -> Purpose {
        if self.is_at_leisure() { Purpose::SettleAtLeisure } else { Purpose::Settle }
    }

    /// Does what takes a while on another thread, so that no request waits behind it.
    pub(super) async fn apart<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Abandoned> {
        let outcome = if self.is_at_leisure() {
            let (say, said) = oneshot::channel();
            self.leisure.submit(move || {
                let _ = say.send(catch_unwind(AssertUnwindSafe(work)));
            });
            said.await.map_err(|_| Abandoned)?
        } else {
            match tokio::task::spawn_blocking(work).await.map_err(JoinError::try_into_panic) {
                Ok(result) => Ok(result),
                Err(Ok(panic)) => Err(panic),
                // The runtime is ending.
                Err(Err(_)) => return Err(Abandoned),
            }
        };
        outcome.map_err(|panic| resume_unwind(panic))
    }

    /// Requests come first, unless someone waits for what is settled now or it falls behind: a thread
    /// that gives way to others may get next to nothing.
    fn is_at_leisure(&self) -> bool {
        !self.hurried && self.spool.depth() <= LARGE
    }
}
