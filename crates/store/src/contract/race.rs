//! Ways to make transactions meet each other at chosen moments, without sleeping.

use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use super::failure::Outcome;

/// How long a gate that somebody has to open is waited for before the case fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long something is given that a store may well hold back.
pub(super) const A_MOMENT: Duration = Duration::from_millis(100);

/// A gate that is opened once and stays open, so that work that is run again does not wait again.
#[derive(Clone, Default)]
pub(super) struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    /// Lets everyone pass.
    pub(super) fn open(&self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }

    /// Blocks until the gate is open; for work on the store's own threads.
    pub(super) fn wait(&self) {
        assert!(
            self.wait_for(PATIENCE),
            "nobody opened the gate: what should have run beside waits"
        );
    }

    /// Waits until the gate is open.
    pub(super) async fn opened(&self) {
        let gate = self.clone();
        let waited = tokio::task::spawn_blocking(move || gate.wait()).await;
        assert!(waited.is_ok(), "the transaction never got to the gate");
    }

    fn wait_for(&self, time: Duration) -> bool {
        let opened = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.0.1.wait_timeout_while(opened, time, |opened| !*opened);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Two transactions, of which the one that begins first is overtaken by the other after it has read
/// something: it must not decide upon what it read.
#[derive(Clone, Default)]
pub(super) struct Race {
    begun: Gate,
    overtaken: Gate,
}

impl Race {
    /// Where the slower one, having read something, lets its rival pass. A store with a single writer
    /// holds the rival back until the slower one ends; so this waits a moment only, and what holds
    /// afterwards has to hold in either order.
    pub(super) fn let_rival_pass(&self) {
        self.begun.open();
        self.overtaken.wait_for(A_MOMENT);
    }

    /// Runs both.
    pub(super) async fn run<R>(
        self,
        slower: impl Future<Output = Outcome<R>>,
        rival: impl Future<Output = Outcome<R>>,
    ) -> Outcome<[R; 2]> {
        let rival = async {
            self.begun.opened().await;
            let outcome = rival.await;
            self.overtaken.open();
            outcome
        };
        let (slower, rival) = tokio::join!(slower, rival);
        Ok([slower?, rival?])
    }
}

/// Takes a future one step, which hands its work to the store.
pub(super) async fn begin<F: Future>(mut work: Pin<&mut F>) -> Poll<F::Output> {
    std::future::poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await
}

/// Runs `count` of the same at once and collects what they return.
pub(super) async fn crowd<R, F: Future<Output = Outcome<R>>>(
    count: usize,
    work: impl FnMut(usize) -> F,
) -> Outcome<Vec<R>> {
    futures_util::future::try_join_all((0..count).map(work)).await
}
