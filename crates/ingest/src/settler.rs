//! Moving acknowledged records from the spool into the store.
//!
//! Records are taken in order, in batches that grow with the load, each one transaction. A batch that
//! the store refuses for a lasting reason is halved until the bad record stands alone; that one is
//! set aside, counted and reported, and the rest goes on. While the store is away, the settler waits
//! and the spool fills.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, watch};
use weir_domain::SpoolId;
use weir_store::{Db, Purpose, StoreError};

use crate::figures::Figures;
use crate::pending::Pending;
use crate::quota::Quota;
use crate::record::{Addressee, Record};
use crate::settle::{Numbered, settle};
use crate::spool::{Batch, Orphan, Spool, orphans, set_aside};

/// How much one transaction takes at most: short enough that other writes do not queue behind it.
const BATCH_RECORDS: usize = 4_096;
const BATCH_BYTES: usize = 4 << 20;
/// How long a small batch waits for company, unless someone waits for it.
const LINGER: Duration = Duration::from_millis(20);
/// How often leases of closing resellers and spools of dead processes are looked for.
const ROUNDS: Duration = Duration::from_millis(250);
/// How long to wait before the store is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(200);

/// The settler of one node.
pub(crate) struct Settler {
    pub(crate) db: Db,
    pub(crate) root: PathBuf,
    pub(crate) spool: Arc<Spool>,
    pub(crate) pending: Arc<Pending>,
    pub(crate) quota: Arc<Quota>,
    pub(crate) figures: Arc<Figures>,
    pub(crate) settled: watch::Sender<u64>,
    pub(crate) recovered: watch::Sender<bool>,
    pub(crate) hurry: Arc<Notify>,
    /// Said when the process has to end, settled or not.
    pub(crate) abandon: watch::Receiver<bool>,
}

/// The process has to end: what is not settled stays in the spool for the next one.
struct Abandoned;

impl Settler {
    /// Settles what dead processes left, then what this one acknowledges, until the spool is closed
    /// and empty or everything is to be abandoned.
    pub(crate) async fn run(mut self) {
        let _ = self.work().await;
    }

    async fn work(&mut self) -> Result<(), Abandoned> {
        self.recover().await?;
        self.recovered.send_replace(true);
        let mut reader = self.spool.reader();
        let mut through = 0;
        loop {
            match self.next(through).await {
                Next::Records => {}
                Next::Round => {
                    self.make_a_round(through).await?;
                    continue;
                }
                Next::Nothing => return Ok(()),
            }
            let batch = match reader.next_batch(BATCH_RECORDS, BATCH_BYTES) {
                Ok(batch) => batch,
                Err(error) => {
                    self.report(&format!("the spool cannot be read back: {error}"));
                    self.pause().await?;
                    reader.rewind_to(through + 1);
                    continue;
                }
            };
            through = batch.through;
            self.settle_batch(self.spool.id(), batch).await?;
            if let Err(error) = self.spool.trim(through) {
                self.report(&format!("a settled segment cannot be deleted: {error}"));
            }
            self.settled.send_replace(through);
        }
    }

    /// Waits for records beyond those settled, a little longer for a larger batch unless someone
    /// waits for them.
    async fn next(&self, through: u64) -> Next {
        let durable = tokio::select! {
            durable = self.spool.wait_beyond(through) => match durable {
                Some(durable) => durable,
                None => return Next::Nothing,
            },
            () = tokio::time::sleep(ROUNDS) => return Next::Round,
        };
        if durable - through < BATCH_RECORDS as u64 / 2 {
            tokio::select! {
                () = self.hurry.notified() => {}
                () = tokio::time::sleep(LINGER) => {}
            }
        }
        Next::Records
    }

    /// What is done now and then, when everything is settled.
    async fn make_a_round(&mut self, through: u64) -> Result<(), Abandoned> {
        self.recover().await?;
        if self.spool.durable() == through
            && let Err(error) = self.quota.end_closed().await
        {
            tracing::debug!(%error, "leases of closing resellers are looked at later");
        }
        Ok(())
    }

    /// Settles and removes the spools that dead processes left.
    async fn recover(&mut self) -> Result<(), Abandoned> {
        let left = loop {
            match orphans(&self.root, self.spool.id()) {
                Ok(left) => break left,
                Err(error) => {
                    self.report(&format!("spools of earlier processes cannot be read: {error}"));
                    self.pause().await?;
                }
            }
        };
        for orphan in left {
            self.adopt(orphan).await?;
        }
        Ok(())
    }

    async fn adopt(&mut self, orphan: Orphan) -> Result<(), Abandoned> {
        let spool = orphan.id();
        let position = self.persist(move |tx| tx.spool_position(spool)).await?;
        let mut records = 0;
        let mut replay = match orphan.records(position) {
            Ok(replay) => replay,
            Err(error) => return self.give_up(spool, &error),
        };
        loop {
            let batch = match replay.next_batch(BATCH_RECORDS, BATCH_BYTES) {
                Ok(batch) if batch.is_empty() => break,
                Ok(batch) => batch,
                Err(error) => return self.give_up(spool, &error),
            };
            records += batch.records.len();
            self.settle_batch(spool, batch).await?;
        }
        if let Err(error) = orphan.remove() {
            return self.give_up(spool, &error);
        }
        // Only now: a spool that is still there must not lose its position.
        self.persist(move |tx| tx.spool_forget(spool)).await?;
        if records > 0 {
            tracing::info!(%spool, records, "recovered what an earlier process acknowledged");
        }
        Ok(())
    }

    /// Leaves an orphan for the next round: its disk may come back.
    fn give_up(&self, spool: SpoolId, error: &std::io::Error) -> Result<(), Abandoned> {
        self.report(&format!("the spool {spool} of an earlier process cannot be read: {error}"));
        Ok(())
    }

    /// Settles a batch, whatever it takes.
    async fn settle_batch(&mut self, spool: SpoolId, batch: Batch) -> Result<(), Abandoned> {
        self.figures.count_damage(batch.damaged, batch.missing);
        let mut records: Vec<Numbered> = Vec::with_capacity(batch.records.len());
        for (sequence, bytes) in batch.records {
            match Record::decode(&bytes) {
                Ok(record) => records.push((sequence, record)),
                Err(error) => self.set_aside(spool, sequence, &bytes, &error.to_string()).await?,
            }
        }
        let records = Arc::new(records);
        let mut parts = VecDeque::from([(0..records.len(), batch.through)]);
        while let Some((range, through)) = parts.pop_front() {
            match self.settle_part(spool, &records, range.clone(), through).await? {
                Ok(()) => {}
                Err(_) if range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    parts.push_front((middle..range.end, through));
                    parts.push_front((range.start..middle, records[middle - 1].0));
                }
                Err(reason) => {
                    if let Some((sequence, record)) =
                        records.get(range.start).filter(|_| !range.is_empty())
                    {
                        let bytes = record.encode().unwrap_or_default();
                        self.set_aside(spool, *sequence, &bytes, &reason.to_string()).await?;
                        self.forget(record);
                        parts.push_front((range.end..range.end, through));
                    } else {
                        // Not even the position can be stored: no record is to blame.
                        self.report(&reason.to_string());
                        self.pause().await?;
                        parts.push_front((range, through));
                    }
                }
            }
        }
        Ok(())
    }

    /// Settles a part of a batch in one transaction; an error is one that lasts.
    async fn settle_part(
        &mut self,
        spool: SpoolId,
        records: &Arc<Vec<Numbered>>,
        range: Range<usize>,
        through: u64,
    ) -> Result<Result<(), StoreError>, Abandoned> {
        loop {
            let (shared, part) = (records.clone(), range.clone());
            let settled = self.db.system(Purpose::Settle, move |tx| {
                settle(tx, spool, &shared[part.clone()], through)
            });
            match settled.await {
                Ok(()) => {
                    records[range.clone()].iter().for_each(|(_, record)| self.forget(record));
                    self.figures.count_settled(range.len() as u64);
                    return Ok(Ok(()));
                }
                Err(error) if error.is_passing() => {
                    self.report(&error.to_string());
                    self.pause().await?;
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// Works in the store until it succeeds.
    async fn persist<R: Send + 'static>(
        &mut self,
        work: impl Fn(&mut dyn weir_store::SystemTx) -> Result<R, StoreError>
        + Send
        + Sync
        + Clone
        + 'static,
    ) -> Result<R, Abandoned> {
        loop {
            let work = work.clone();
            match self.db.system(Purpose::Settle, move |tx| work(tx)).await {
                Ok(result) => return Ok(result),
                Err(error) => {
                    self.report(&error.to_string());
                    self.pause().await?;
                }
            }
        }
    }

    /// The readings of a record are on their way no more.
    fn forget(&self, record: &Record) {
        if let Addressee::Device(device) = record.to {
            record.readings.iter().for_each(|reading| self.pending.remove(device, reading));
        }
    }

    async fn set_aside(
        &mut self,
        spool: SpoolId,
        sequence: u64,
        bytes: &[u8],
        reason: &str,
    ) -> Result<(), Abandoned> {
        tracing::error!(%spool, sequence, reason, "a record cannot be settled and is set aside");
        while let Err(error) = set_aside::set_aside(&self.root, spool, sequence, bytes, reason) {
            self.report(&format!("a record cannot be set aside: {error}"));
            self.pause().await?;
        }
        self.figures.count_set_aside();
        Ok(())
    }

    fn report(&self, trouble: &str) {
        if self.figures.note_trouble(trouble) {
            tracing::warn!(trouble, "settling waits");
        }
    }

    async fn pause(&mut self) -> Result<(), Abandoned> {
        tokio::select! {
            () = tokio::time::sleep(TRY_AGAIN) => Ok(()),
            _ = self.abandon.wait_for(|abandon| *abandon) => Err(Abandoned),
        }
    }
}

/// What comes next.
enum Next {
    /// There are records.
    Records,
    /// Nothing came for a while.
    Round,
    /// The spool is closed and settled.
    Nothing,
}
