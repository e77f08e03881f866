//! Named threads that end.

use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::error::OpenError;

/// Starts a thread with a name.
pub(crate) fn start(
    name: impl Into<String>,
    run: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, OpenError> {
    Ok(Builder::new().name(name.into()).spawn(run)?)
}

/// Waits for threads to end, but not for itself: a store may be dropped by work that it runs.
pub(crate) fn join_all(threads: impl IntoIterator<Item = JoinHandle<()>>) {
    let own = std::thread::current().id();
    for thread in threads.into_iter().filter(|thread| thread.thread().id() != own) {
        let _ = thread.join();
    }
}

/// Waits for a future on a thread of its own, because the caller may itself be on a runtime, where
/// waiting is not allowed.
pub(crate) fn apart<T: Send>(
    name: &str,
    work: impl Future<Output = Result<T, OpenError>> + Send,
) -> Result<T, OpenError> {
    std::thread::scope(|scope| {
        let thread = Builder::new().name(name.into());
        let thread = thread.spawn_scoped(scope, || wait_for(runtime()?, work))?;
        thread.join().unwrap_or_else(|_| Err(OpenError::NoThread(format!("{name} panicked"))))
    })
}

/// Runs a future to its end. What it left behind, such as a name that is still looked up, is not
/// waited for.
fn wait_for<T>(runtime: Runtime, work: impl Future<Output = T>) -> T {
    let value = runtime.block_on(work);
    runtime.shutdown_background();
    value
}

/// A runtime that lives on the thread that makes it.
pub(crate) fn runtime() -> Result<Runtime, OpenError> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// A thread that runs one future until it is told to end.
pub(crate) struct Background {
    running: Mutex<Option<(oneshot::Sender<()>, JoinHandle<()>)>>,
}

impl Background {
    /// Starts it. The future is made on its thread, which it never leaves.
    pub(crate) fn start<F: Future<Output = ()>>(
        name: &str,
        work: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Self, OpenError> {
        let (stop, stopped) = oneshot::channel();
        let runtime = runtime()?;
        let thread = start(name, move || {
            wait_for(runtime, async {
                tokio::select! {
                    _ = stopped => {}
                    () = work() => {}
                }
            });
        })?;
        Ok(Self { running: Mutex::new(Some((stop, thread))) })
    }

    /// Ends it where it stands, and waits for it.
    pub(crate) fn close(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stop, thread)) = running {
            drop(stop);
            join_all([thread]);
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.close();
    }
}
