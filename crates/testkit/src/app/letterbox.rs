//! Letters that the service sends, as a test receives them.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, ready};
use tokio::sync::{Mutex, mpsc};
use weir_identity::mail::{Letter, Postman, Undelivered};

/// How long a test waits for a letter that has to come.
const PATIENCE: Duration = Duration::from_secs(20);

/// Keeps letters until a test looks.
pub struct Letterbox {
    put: mpsc::UnboundedSender<Letter>,
    take: Mutex<mpsc::UnboundedReceiver<Letter>>,
}

impl Default for Letterbox {
    fn default() -> Self {
        let (put, take) = mpsc::unbounded_channel();
        Self { put, take: Mutex::new(take) }
    }
}

impl Letterbox {
    /// The next letter. That none comes fails the test.
    pub async fn next(&self) -> Letter {
        let mut take = self.take.lock().await;
        let letter = tokio::time::timeout(PATIENCE, take.recv()).await;
        letter.expect("a letter in time").expect("a letter")
    }
}

impl Postman for Letterbox {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), Undelivered>> {
        let put = self.put.send(letter.clone());
        ready(put.map_err(|_| Undelivered("nobody looks any more".to_owned()))).boxed()
    }
}
