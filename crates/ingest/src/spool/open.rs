//! A living spool: what the process that writes it holds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot, watch};
use weir_domain::SpoolId;

use super::disk::{Disk, LocalDisk};
use super::error::SpoolError;
use super::frame::{MAX_PAYLOAD_BYTES, Seal};
use super::ledger::Ledger;
use super::log::Log;
use super::options::Options;
use super::place::{self, Claim, Gate};
use super::reader::Reader;
use super::receipt::Receipt;
use super::segment;
use super::writer::{Entry, Payload, Writer};

/// For how long a failed write means that the next one would fail too.
const TROUBLE: Duration = Duration::from_secs(5);

/// A spool of this process. Dropping it closes it and leaves its directory to be adopted.
#[derive(Debug)]
pub struct Spool {
    id: SpoolId,
    root: PathBuf,
    shared: Arc<Shared>,
    durable: watch::Receiver<u64>,
    /// Taken away when the spool closes: that ends the queue and, behind it, the writer.
    queue: RwLock<Option<mpsc::Sender<Entry>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// What the spool, its writer and its readers share. The claim on the directory lasts as long as any
/// of them.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) directory: PathBuf,
    pub(super) seal: Seal,
    ledger: Mutex<Ledger>,
    /// When and why the last batch failed, if it did.
    failure: Mutex<Option<(Instant, String)>>,
    #[expect(dead_code, reason = "held for its lock")]
    claim: Claim,
}

impl Shared {
    /// The ledger. It is changed by single statements that cannot panic halfway, so what a poisoned
    /// lock guards is sound.
    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a batch failed; whether the one before it did not.
    pub(super) fn falter(&self, error: &io::Error) -> bool {
        let failure = Some((Instant::now(), error.to_string()));
        std::mem::replace(&mut *self.failure(), failure).is_none()
    }

    /// Notes that a batch was written; whether the one before it failed.
    pub(super) fn recover(&self) -> bool {
        self.failure().take().is_some()
    }

    fn failure(&self) -> MutexGuard<'_, Option<(Instant, String)>> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Spool {
    /// Makes a new spool under this root and starts its writer. The id must be new.
    pub fn create(root: &Path, id: SpoolId, options: Options) -> io::Result<Self> {
        Self::create_on(Arc::new(LocalDisk), root, id, options)
    }

    /// The same, with another disk under its segments.
    pub fn create_on(
        disk: Arc<dyn Disk>,
        root: &Path,
        id: SpoolId,
        options: Options,
    ) -> io::Result<Self> {
        let (directory, claim) = place::make(root, id)?;
        let (queue, entries) = mpsc::channel(options.queue.max(1));
        let (announce, durable) = watch::channel(0);
        let log = Log::new(disk, directory.clone(), id, options.segment_bytes);
        let shared = Arc::new(Shared {
            directory,
            seal: Seal::of(id),
            ledger: Mutex::default(),
            failure: Mutex::default(),
            claim,
        });
        let writer = Writer {
            queue: entries,
            log,
            shared: Arc::clone(&shared),
            durable: announce,
            options,
            batch: Vec::new(),
        };
        let writer =
            thread::Builder::new().name("weir-spool".into()).spawn(move || writer.run())?;
        Ok(Self {
            id,
            root: root.to_owned(),
            shared,
            durable,
            queue: RwLock::new(Some(queue)),
            writer: Mutex::new(Some(writer)),
        })
    }

    /// The id that was born with this spool.
    pub fn id(&self) -> SpoolId {
        self.id
    }

    /// Puts a record on the disk and returns its sequence once it is synced. Sequences start at 1 and
    /// rise; batches that failed leave gaps between them.
    ///
    /// The record is queued when the future is first polled. Dropping the future afterwards does not
    /// take it back: it may or may not be kept.
    pub async fn append(&self, payload: impl Into<Payload>) -> Result<u64, SpoolError> {
        self.submit(payload.into())?.await
    }

    /// Queues a record. What becomes of it is said by the receipt.
    pub fn submit(&self, payload: Payload) -> Result<Receipt, SpoolError> {
        if payload.len() > MAX_PAYLOAD_BYTES {
            return Err(SpoolError::TooLong { bytes: payload.len() });
        }
        let (answer, receipt) = oneshot::channel();
        self.enqueue(Entry { payload, answer })?;
        Ok(Receipt(receipt))
    }

    fn enqueue(&self, entry: Entry) -> Result<(), SpoolError> {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        let queue = queue.as_ref().ok_or(SpoolError::Closed)?;
        queue.try_send(entry).map_err(|refused| match refused {
            TrySendError::Full(_) => SpoolError::QueueFull,
            TrySendError::Closed(_) => SpoolError::Closed,
        })
    }

    /// The last acknowledged sequence; 0 before the first.
    pub fn durable(&self) -> u64 {
        *self.durable.borrow()
    }

    /// Waits until a record beyond this sequence is acknowledged and returns the last one; `None`
    /// when the spool is closed and there will be none.
    pub async fn wait_beyond(&self, sequence: u64) -> Option<u64> {
        let mut durable = self.durable.clone();
        let reached = durable.wait_for(|durable| *durable > sequence).await;
        reached.ok().map(|durable| *durable)
    }

    /// How many acknowledged records are not settled.
    pub fn depth(&self) -> u64 {
        self.shared.ledger().pending()
    }

    /// Why records cannot be written, where the last ones could not. That is believed for a few
    /// seconds only: whoever keeps senders away because of it would never learn that it is over.
    pub fn trouble(&self) -> Option<String> {
        let failure = self.shared.failure();
        let recent = failure.as_ref().filter(|(at, _)| at.elapsed() < TROUBLE);
        recent.map(|(_, error)| error.clone())
    }

    /// A reader of the acknowledged records that are still there, from the first.
    pub fn reader(&self) -> Reader {
        Reader::new(Arc::clone(&self.shared))
    }

    /// Says that all records up to this sequence are settled, and deletes the segments that hold
    /// nothing else. A segment that could not be deleted is tried again the next time.
    pub fn trim(&self, through: u64) -> io::Result<()> {
        let spent = {
            let mut ledger = self.shared.ledger();
            ledger.settle(through);
            ledger.spent()
        };
        // Outside of the ledger's lock: the writer does not wait for a file system that deletes.
        for first in spent {
            match fs::remove_file(segment::path(&self.shared.directory, first)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => self.shared.ledger().forget(first),
            }
        }
        Ok(())
    }

    /// Takes no more records, and waits until those in the queue are written and answered. This
    /// blocks for as long as the disk takes.
    pub fn close(&self) {
        let mut queue = self.queue.write().unwrap_or_else(PoisonError::into_inner);
        drop(queue.take());
        drop(queue);
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.take().is_some_and(|writer| writer.join().is_err()) {
            tracing::error!("the spool's writer panicked");
        }
    }

    /// Closes the spool and deletes its records, which all have to be settled. From then on its
    /// position may be forgotten: whoever adopts the directory finds nothing to replay.
    pub fn clear(&self) -> io::Result<()> {
        self.close();
        let depth = self.depth();
        if depth > 0 {
            return Err(io::Error::other(format!(
                "the spool still holds {depth} records that are not settled"
            )));
        }
        place::clear(&self.root, self.id)
    }

    /// Closes the spool and removes its directory. Refused while records are not settled: the
    /// directory then stays and is adopted by the next process. What was removed cannot be read.
    pub fn remove(&self) -> io::Result<()> {
        self.clear()?;
        place::remove(&Gate::enter(&self.root)?, &self.root, self.id)
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.close();
    }
}
