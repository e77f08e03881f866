//! Mail: the links that sign people in.
//!
//! Letters are sent in the background, a few at a time, from a queue that has an end. Whoever asked
//! learns nothing of how it went; the log does, without the link and without the address.

mod letter;
mod log;
mod smtp;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, StreamExt};
use tokio::sync::mpsc;

pub use letter::Letter;
pub use log::LogPostman;
pub use smtp::{NotUsable, Security, SmtpPostman, SmtpSettings};

/// How many letters may wait. What finds no place is not sent, and may be asked for again.
const QUEUE: usize = 64;
/// How many letters are on their way at once.
const AT_ONCE: usize = 4;
/// How long a letter may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a letter was not delivered, in words that hold nothing of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Undelivered(pub String);

/// Delivers letters.
pub trait Postman: Send + Sync + 'static {
    /// Delivers one.
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), Undelivered>>;
}

/// Where letters wait for the postman.
#[derive(Debug, Clone)]
pub struct Postbox(mpsc::Sender<Letter>);

impl Postbox {
    /// Has letters delivered, in a task that ends with the last owner of this value.
    pub fn open(postman: Arc<dyn Postman>) -> Self {
        let (queue, letters) = mpsc::channel(QUEUE);
        tokio::spawn(work(postman, letters));
        Self(queue)
    }

    /// Posts a letter. It never waits.
    pub fn post(&self, letter: Letter) {
        if self.0.try_send(letter).is_err() {
            tracing::warn!("a sign-in link is not sent: too many wait for the mail server");
        }
    }
}

async fn work(postman: Arc<dyn Postman>, letters: mpsc::Receiver<Letter>) {
    let letters = stream::unfold(letters, async |mut letters| {
        let letter = letters.recv().await?;
        Some((letter, letters))
    });
    let deliver = async |letter: Letter| {
        let delivered = tokio::time::timeout(PATIENCE, postman.deliver(&letter)).await;
        let reason = match delivered {
            Ok(Ok(())) => return,
            Ok(Err(undelivered)) => undelivered.to_string(),
            Err(_) => "the mail server takes too long".to_owned(),
        };
        tracing::error!(host = letter.host(), reason, "a sign-in link could not be sent");
    };
    letters.for_each_concurrent(AT_ONCE, deliver).await;
}

#[cfg(test)]
mod tests;
