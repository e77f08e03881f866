//! The thread that writes: it takes all that is waiting, syncs once, and answers everybody.

use std::io;
use std::sync::Arc;
use std::time::Instant;

use smallvec::SmallVec;
use tokio::sync::{mpsc, oneshot, watch};

use super::error::SpoolError;
use super::frame::OVERHEAD_BYTES;
use super::gathering::Gathering;
use super::log::Log;
use super::open::Shared;
use super::options::Options;

/// The bytes of a record. Those of most fit in without the allocator, for which a block that one thread
/// asks for and another one gives back is much work.
pub type Payload = SmallVec<[u8; 128]>;

/// A record waiting for the disk, and whoever waits for it.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) payload: Payload,
    pub(super) answer: oneshot::Sender<Result<u64, SpoolError>>,
}

/// The state of the writing thread.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) queue: mpsc::Receiver<Entry>,
    pub(super) log: Log,
    pub(super) shared: Arc<Shared>,
    pub(super) durable: watch::Sender<u64>,
    pub(super) options: Options,
    pub(super) batch: Vec<Entry>,
}

impl Writer {
    /// Writes until the queue has ended and is empty.
    pub(super) fn run(mut self) {
        let mut gathering = Gathering::new(Instant::now());
        while let Some(entry) = self.queue.blocking_recv() {
            gathering.wait(Instant::now(), || self.queue.len());
            self.gather(entry);
            gathering.count(self.batch.len(), Instant::now());
            if !self.batch.is_empty() {
                self.commit();
            }
        }
    }

    /// Takes what is waiting, up to the size of a batch. What goes past the depth limit is refused and
    /// ends the batch: whoever is refused may trim, and then has room, so the limit is looked at again.
    fn gather(&mut self, first: Entry) {
        let limit = self.options.max_pending;
        let room = limit.saturating_sub(self.shared.ledger().pending());
        let mut bytes = 0;
        let mut waiting = Some(first);
        while let Some(entry) = waiting {
            if self.batch.len() as u64 >= room {
                return entry.answer(Err(SpoolError::Full { limit }));
            }
            bytes += OVERHEAD_BYTES + entry.payload.len();
            self.batch.push(entry);
            let more = bytes < self.options.batch_bytes;
            waiting = more.then(|| self.queue.try_recv().ok()).flatten();
        }
    }

    fn commit(&mut self) {
        let payloads = self.batch.iter().map(|entry| entry.payload.as_slice());
        match self.log.append(payloads) {
            Ok(extent) => {
                let records = self.batch.len() as u64;
                // Before the answers: who was answered must find the record in a reader.
                self.shared.ledger().acknowledge(extent, records);
                self.durable.send_replace(extent.last);
                let sequences = extent.last + 1 - records..;
                for (entry, sequence) in self.batch.drain(..).zip(sequences) {
                    entry.answer(Ok(sequence));
                }
                if self.shared.recover() {
                    tracing::info!("the spool can be written again");
                }
            }
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: io::Error) {
        if self.shared.falter(&error) {
            tracing::error!(%error, records = self.batch.len(), "the spool could not be written");
        }
        let error = Arc::new(error);
        for entry in self.batch.drain(..) {
            entry.answer(Err(SpoolError::Io(Arc::clone(&error))));
        }
    }
}

impl Entry {
    /// Answers whoever waits. They may have gone away, which changes nothing.
    fn answer(self, result: Result<u64, SpoolError>) {
        let _ = self.answer.send(result);
    }
}
