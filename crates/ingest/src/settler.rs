//! Moving acknowledged records from the spool into the store.
//!
//! Records are taken in order, in batches that grow with the load, each one transaction. A batch that
//! the store refuses for a lasting reason is halved until the bad record stands alone; that one is
//! set aside, counted and reported, and the rest goes on. While the store is away, the settler waits
//! and the spool fills.

mod adoption;
mod batch;
mod lot;
mod pace;
mod urgency;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior};
use weir_store::{Db, Leisure, Purpose, StoreError, SystemTx};

use crate::figures::Figures;
use crate::haste::Haste;
use crate::pending::Pending;
use crate::quota::Quota;
use crate::shares::Shares;
use crate::spool::Spool;
use pace::BATCH_BYTES;
pub(crate) use pace::Pace;
use urgency::apart;

/// How long a small batch waits for company, unless someone waits for it: what a device sent meanwhile
/// is then settled at once. Against 20 ms, in a burst, the ratio to refused requests rose from 0.46 to
/// 0.54 on SQLite and from 0.40 to 0.47 on PostgreSQL.
const LINGER: Duration = Duration::from_millis(250);
/// How many records within that time are a flood: taking them in comes first then, for they come once.
const FLOOD: u64 = 2_048;
/// How many records are enough to go on with, flood or not.
const LARGE: u64 = 262_144;
/// How often it is waited for a flood to end before it is settled nevertheless.
const MOST_LINGERS: u32 = 16;
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
    pub(crate) unsettled: Arc<Shares>,
    pub(crate) figures: Arc<Figures>,
    pub(crate) settled: watch::Sender<u64>,
    pub(crate) recovered: watch::Sender<bool>,
    pub(crate) haste: Arc<Haste>,
    pub(crate) pace: Pace,
    /// Where work is done that nobody waits for.
    pub(crate) leisure: Leisure,
    /// Whether what is settled now is what earlier processes left, which everybody waits for.
    pub(crate) is_recovering: bool,
    /// Said when the process has to end, settled or not.
    pub(crate) abandon: watch::Receiver<bool>,
}

/// The process has to end: what is not settled stays in the spool for the next one.
struct Abandoned;

/// What comes next.
enum Next {
    /// There are records, through this one.
    Records(u64),
    /// It is time for a round.
    Round,
    /// The spool is closed and settled.
    Nothing,
}

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
        // Through where it was decided not to wait any longer.
        let mut goal = 0;
        // By the clock and not in quiet moments alone: a busy node may have none.
        let mut rounds = tokio::time::interval(ROUNDS);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            match self.next(through, goal, &mut rounds).await {
                Next::Records(durable) => goal = durable,
                Next::Round => {
                    self.make_a_round(through).await?;
                    continue;
                }
                Next::Nothing => return Ok(()),
            }
            let limit = self.pace.batch();
            let read;
            let reading = self.aside(move || {
                let read = reader.next_batch(limit, BATCH_BYTES);
                (reader, read)
            });
            (reader, read) = reading.await?;
            let batch = match read {
                Ok(batch) => batch,
                Err(error) => {
                    self.report(&format!("the spool cannot be read back: {error}"));
                    self.pause().await?;
                    reader.rewind_to(through + 1);
                    continue;
                }
            };
            self.pay_debts().await?;
            through = batch.through;
            self.settle_batch(self.spool.id(), batch).await?;
            let spool = self.spool.clone();
            if let Err(error) = apart(move || spool.trim(through)).await? {
                self.report(&format!("a settled segment cannot be deleted: {error}"));
            }
            self.settled.send_replace(through);
        }
    }

    /// Waits for records beyond those settled, a little longer for a larger batch unless someone
    /// waits for them.
    async fn next(&self, through: u64, goal: u64, rounds: &mut Interval) -> Next {
        let durable = tokio::select! {
            biased;
            _ = rounds.tick() => return Next::Round,
            durable = self.spool.wait_beyond(through) => match durable {
                Some(durable) => durable,
                None => return Next::Nothing,
            },
        };
        if through < goal {
            return Next::Records(goal);
        }
        self.linger(through, durable).await;
        Next::Records(self.spool.durable())
    }

    /// Lets a batch grow: for a moment, and for as long as a flood lasts, within limits.
    async fn linger(&self, through: u64, mut durable: u64) {
        for _ in 0..MOST_LINGERS {
            if durable - through >= LARGE || self.haste.is_wanted() {
                return;
            }
            tokio::select! {
                () = self.haste.wanted() => continue,
                () = tokio::time::sleep(LINGER) => {}
            }
            let before = std::mem::replace(&mut durable, self.spool.durable());
            if durable - before < FLOOD {
                return;
            }
        }
    }

    /// What is done now and then.
    async fn make_a_round(&mut self, through: u64) -> Result<(), Abandoned> {
        self.recover().await?;
        if let Err(error) = self.quota.end_closed(through, || self.spool.durable()).await {
            tracing::debug!(%error, "leases of closing resellers are looked at later");
        }
        Ok(())
    }

    /// Tells the store of the quota that was borrowed, before what it was spent on is settled.
    async fn pay_debts(&mut self) -> Result<(), Abandoned> {
        while let Err(error) = self.quota.pay_debts().await {
            self.report(&error.to_string());
            self.pause().await?;
        }
        Ok(())
    }

    /// Works in the store until it succeeds.
    async fn persist<R: Send + 'static>(
        &mut self,
        work: impl Fn(&mut dyn SystemTx) -> Result<R, StoreError> + Send + Sync + Clone + 'static,
    ) -> Result<R, Abandoned> {
        let mut waited = false;
        loop {
            let work = work.clone();
            match self.db.system(Purpose::Settle, move |tx| work(tx)).await {
                Ok(result) => {
                    if waited {
                        self.figures.clear_trouble();
                    }
                    return Ok(result);
                }
                Err(error) => {
                    waited = true;
                    self.report(&error.to_string());
                    self.pause().await?;
                }
            }
        }
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
