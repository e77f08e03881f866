//! Who waits for what is not settled yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// How many wait for the settler, which neither lingers nor takes its time then.
#[derive(Debug, Default)]
pub(crate) struct Haste {
    waiting: AtomicUsize,
    begun: Notify,
}

/// Someone who waits, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Waiting {
    haste: Arc<Haste>,
}

impl Haste {
    /// One more waits.
    pub(crate) fn wait(self: &Arc<Self>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        self.begun.notify_one();
        Waiting { haste: self.clone() }
    }

    /// Whether anybody waits.
    pub(crate) fn is_wanted(&self) -> bool {
        self.waiting.load(Ordering::Acquire) > 0
    }

    /// Waits until somebody begins to wait, or has begun since this was asked last.
    pub(crate) async fn wanted(&self) {
        self.begun.notified().await;
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.haste.waiting.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn haste_lasts_as_long_as_anybody_waits() {
        let haste = Arc::new(Haste::default());
        assert!(!haste.is_wanted() && haste.wanted().now_or_never().is_none());
        let (one, other) = (haste.wait(), haste.wait());
        assert!(haste.is_wanted() && haste.wanted().now_or_never().is_some());
        drop(one);
        assert!(haste.is_wanted());
        drop(other);
        assert!(!haste.is_wanted() && haste.wanted().now_or_never().is_none());
    }
}
