//! Ingestion as one process runs it.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use weir_domain::SpoolId;
use weir_store::{Db, Leisure, Purpose};

use crate::barrier::Barrier;
use crate::directory::Directory;
use crate::figures::{Figures, Snapshot};
use crate::haste::Haste;
use crate::intake::Intake;
use crate::pending::Pending;
use crate::quota::Quota;
use crate::recovery::Recovery;
use crate::settler::{Pace, Settler};
use crate::shares::Shares;
use crate::spool::set_aside::Tally;
use crate::spool::{self, Spool};

/// How long whoever is asked to end may take.
const FAREWELL: Duration = Duration::from_millis(500);

/// How many times what is free one reseller may hold, of the places in front of the disk and of those
/// in the spool. In the spool it is much: while the store is away, all that is acknowledged lies there,
/// and most of it may well be one reseller's.
const GREED_FOR_DISK: u64 = 1;
const GREED_FOR_SPOOL: u64 = 8;

/// What can be set about ingestion.
#[derive(Debug, Clone)]
pub struct Options {
    /// The spool's own options.
    pub spool: spool::Options,
    /// How long a read or write waits for acknowledged uplinks to be settled before it is refused.
    pub barrier: Duration,
    /// How many records the first transactions settle at most; later ones follow from how long they
    /// take.
    pub transaction: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            spool: spool::Options::default(),
            barrier: Duration::from_secs(10),
            transaction: 32_768,
        }
    }
}

/// How ingestion is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Acknowledged records that are not settled.
    pub depth: u64,
    /// Records set aside by this and earlier processes.
    pub set_aside: u64,
    /// What settling has done.
    pub figures: Snapshot,
    /// Why no uplink can be taken, where that is so.
    pub trouble: Option<String>,
}

/// Ingestion on one node: its spool, its settler and what they share.
pub struct Node {
    db: Db,
    spool: Arc<Spool>,
    quota: Arc<Quota>,
    figures: Arc<Figures>,
    set_aside: Tally,
    intake: Arc<Intake>,
    barrier: Arc<Barrier>,
    settler: Mutex<Option<JoinHandle<()>>>,
    haste: Arc<Haste>,
    abandon: watch::Sender<bool>,
    capacity: u64,
}

impl Node {
    /// Starts ingestion with a new spool of that id under `root`, and begins to settle what earlier
    /// processes left there. Must be called within a tokio runtime.
    pub fn start(db: Db, root: &Path, id: SpoolId, options: Options) -> io::Result<Self> {
        let capacity = options.spool.max_pending;
        let waiting = Shares::new(options.spool.queue as u64, GREED_FOR_DISK);
        let unsettled = Shares::new(capacity, GREED_FOR_SPOOL);
        let spool = Arc::new(Spool::create(root, id, options.spool)?);
        let pending = Arc::new(Pending::default());
        let quota = Quota::new(db.clone(), id);
        let figures = Arc::new(Figures::default());
        let haste = Arc::new(Haste::default());
        let (settled, settled_through) = watch::channel(0);
        let (recovered, recovery) = Recovery::new();
        let (abandon, abandoned) = watch::channel(false);
        let settler = Settler {
            db: db.clone(),
            root: root.to_owned(),
            spool: spool.clone(),
            pending: pending.clone(),
            quota: quota.clone(),
            unsettled: unsettled.clone(),
            figures: figures.clone(),
            settled,
            recovered,
            haste: haste.clone(),
            pace: Pace::of(options.transaction),
            leisure: Leisure::start("weir-settler")?,
            is_recovering: true,
            abandon: abandoned,
        };
        let barrier = Barrier {
            db: db.clone(),
            spool: spool.clone(),
            unsettled: unsettled.clone(),
            settled: settled_through,
            recovery: recovery.clone(),
            haste: haste.clone(),
            bound: options.barrier,
        };
        let directory = Directory::new(&db, id);
        let intake = Intake {
            db: db.clone(),
            spool: spool.clone(),
            directory,
            pending,
            quota: quota.clone(),
            recovery,
            waiting,
            unsettled,
        };
        Ok(Self {
            db,
            spool,
            quota,
            figures,
            set_aside: Tally::of(root),
            intake: Arc::new(intake),
            barrier: Arc::new(barrier),
            settler: Mutex::new(Some(tokio::spawn(settler.run()))),
            haste,
            abandon,
            capacity,
        })
    }

    /// The way in for uplinks.
    pub fn intake(&self) -> Arc<Intake> {
        self.intake.clone()
    }

    /// What reads and writes wait for.
    pub fn barrier(&self) -> Arc<Barrier> {
        self.barrier.clone()
    }

    /// How it is doing.
    pub fn health(&self) -> Health {
        let depth = self.spool.depth();
        // From there on a single reseller is refused, though others may still find room.
        let full = depth >= self.capacity - self.capacity / (GREED_FOR_SPOOL + 1);
        Health {
            depth,
            set_aside: self.set_aside.count().unwrap_or(0),
            figures: self.figures.snapshot(),
            trouble: match full {
                true => Some(format!("the spool is full: {depth} records wait")),
                false => self.spool.trouble(),
            },
        }
    }

    /// Takes no more uplinks, settles what is acknowledged for at most `patience`, and gives back what
    /// is left of the leases. What could not be settled stays on the disk for the next process.
    pub async fn stop(&self, patience: Duration) {
        let _waiting = self.haste.wait();
        let spool = self.spool.clone();
        let _ = tokio::task::spawn_blocking(move || spool.close()).await;
        let settler = self.settler.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut settler) = settler else { return };
        if tokio::time::timeout(patience, &mut settler).await.is_err() {
            self.abandon.send_replace(true);
            if tokio::time::timeout(FAREWELL, &mut settler).await.is_err() {
                settler.abort();
            }
        }
        let depth = self.spool.depth();
        if depth > 0 {
            tracing::warn!(depth, "acknowledged uplinks wait in the spool for the next start");
            return;
        }
        if let Err(error) = self.leave().await {
            tracing::warn!(%error, "the leases of this node are given back at the next start");
        }
    }

    /// Gives back what is left of the leases and removes the empty spool. The directory goes last: as
    /// long as the store may know of this spool, the next process has to find it.
    async fn leave(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        tokio::time::timeout(FAREWELL, self.quota.close()).await?;
        self.spool.clear()?;
        let id = self.spool.id();
        self.db.system(Purpose::Settle, move |tx| tx.spool_forget(id)).await?;
        self.spool.remove()?;
        Ok(())
    }
}

impl Drop for Node {
    /// A node that was not stopped leaves everything as a crash would.
    fn drop(&mut self) {
        let settler = self.settler.lock().unwrap_or_else(PoisonError::into_inner).take();
        settler.into_iter().for_each(|settler| settler.abort());
    }
}
