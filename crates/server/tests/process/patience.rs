//! Waiting for what will happen, for so long and no longer.

use std::future::Future;
use std::time::{Duration, Instant};

/// So long that a test which waits for it has failed.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// How soon the service promises that what one node or command did is known to all.
pub const A_SECOND: Duration = Duration::from_secs(1);

/// Fails, rather than hangs, when nothing happens.
pub async fn soon<T>(event: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, event).await.expect("nothing happened for too long")
}

/// Asks again and again until the answer is what is hoped for, and says how long that took.
pub async fn until<T: std::fmt::Debug>(
    mut ask: impl AsyncFnMut() -> T,
    is_hoped_for: impl Fn(&T) -> bool,
) -> (T, Duration) {
    let start = Instant::now();
    loop {
        let answer = ask().await;
        if is_hoped_for(&answer) {
            return (answer, start.elapsed());
        }
        assert!(start.elapsed() < PATIENCE, "it stays at {answer:?}");
        tokio::task::yield_now().await;
    }
}
