//! What the tests share.

use std::fs;
use std::future::{Future, poll_fn};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::Poll;

use tempfile::TempDir;
use uuid::Uuid;
use weir_domain::SpoolId;
use weir_ingest::spool::{Batch, Options, Spool, SpoolError, orphans};

/// A spool id.
pub fn id(number: u128) -> SpoolId {
    SpoolId::from_uuid(Uuid::from_u128(number))
}

/// Options with small segments.
pub fn small_segments() -> Options {
    Options { segment_bytes: 1024, ..Options::default() }
}

/// Where the segments of a spool lie, oldest first.
pub fn segments(root: &Path, id: SpoolId) -> Vec<PathBuf> {
    let mut segments: Vec<_> = fs::read_dir(root.join(id.to_string()))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "seg"))
        .collect();
    segments.sort();
    segments
}

/// The spool's files as a crash would leave them now, under a root of their own.
pub fn crash(root: &Path, id: SpoolId) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let directory = copy.path().join(id.to_string());
    fs::create_dir(&directory).unwrap();
    for path in segments(root, id) {
        fs::copy(&path, directory.join(path.file_name().unwrap())).unwrap();
    }
    copy
}

/// All that can be replayed of a spool of a dead process.
pub fn replay(root: &Path, id: SpoolId) -> Batch {
    let mut all = Batch { records: Vec::new(), damaged: 0, missing: 0, through: 0 };
    let orphans = orphans(root, self::id(u128::MAX)).unwrap();
    let Some(orphan) = orphans.iter().find(|orphan| orphan.id() == id) else {
        return all;
    };
    let mut replay = orphan.records(0).unwrap();
    loop {
        let batch = replay.next_batch(7, 500).unwrap();
        if batch.is_empty() {
            return all;
        }
        all.records.extend(batch.records);
        all.damaged += batch.damaged;
        all.missing += batch.missing;
        all.through = batch.through;
    }
}

/// The sequences of a batch.
pub fn sequences(batch: &Batch) -> Vec<u64> {
    batch.records.iter().map(|(sequence, _)| *sequence).collect()
}

/// An append whose record is in the queue.
pub struct Started<'a> {
    append: Pin<Box<dyn Future<Output = Result<u64, SpoolError>> + 'a>>,
    result: Option<Result<u64, SpoolError>>,
}

/// Starts appending and does not wait for the answer.
pub async fn start(spool: &Spool, payload: impl Into<Vec<u8>>) -> Started<'_> {
    let mut started = Started { append: Box::pin(spool.append(payload.into())), result: None };
    started.poll().await;
    started
}

impl Started<'_> {
    /// Whether there is no answer yet.
    pub async fn is_waiting(&mut self) -> bool {
        self.poll().await;
        self.result.is_none()
    }

    /// Waits for the answer.
    pub async fn finish(self) -> Result<u64, SpoolError> {
        match self.result {
            Some(result) => result,
            None => self.append.await,
        }
    }

    async fn poll(&mut self) {
        poll_fn(|context| {
            if self.result.is_none()
                && let Poll::Ready(result) = self.append.as_mut().poll(context)
            {
                self.result = Some(result);
            }
            Poll::Ready(())
        })
        .await;
    }
}

/// Appends these records at once, so that they are likely, but not certain, to share a batch.
pub async fn append_all(spool: &Spool, payloads: &[Vec<u8>]) -> Vec<Result<u64, SpoolError>> {
    let mut started = Vec::new();
    for payload in payloads {
        started.push(start(spool, payload.clone()).await);
    }
    let mut results = Vec::new();
    for append in started {
        results.push(append.finish().await);
    }
    results
}
