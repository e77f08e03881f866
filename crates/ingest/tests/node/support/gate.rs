//! A store whose doors can be closed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;
use tokio::sync::watch;
use weir_domain::ResellerId;
use weir_store::{
    Db, Done, Engine, Health, Listener, Listeners, Purpose, ReadWork, StoreError, SystemTx,
    SystemWork, Verdict, WriteWork,
};

/// A way into the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Scoped reads.
    Read,
    /// Scoped writes.
    Write,
    /// Settling.
    Settle,
}

/// What happens at a door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Work goes through.
    Open,
    /// The store is away: work is refused at once.
    Away,
    /// Work waits until the door is opened.
    Held,
    /// Work is done, and its answer waits until the door is opened.
    Unanswered,
    /// Work is done, and its answer is lost.
    Lost,
}

type Job = Box<dyn FnOnce(&Arc<dyn Engine>, Way) + Send>;

/// An engine behind doors. Administering always goes through.
pub struct Gate {
    inner: Arc<dyn Engine>,
    listeners: Listeners,
    runtime: Handle,
    waiting: [Mutex<Vec<Job>>; 3],
    ways: [watch::Sender<Way>; 3],
    calls: [watch::Sender<u64>; 3],
    at_leisure: AtomicU64,
}

impl Gate {
    pub fn before(inner: Arc<dyn Engine>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            listeners: Listeners::default(),
            runtime: Handle::current(),
            waiting: Default::default(),
            ways: std::array::from_fn(|_| watch::channel(Way::Open).0),
            calls: std::array::from_fn(|_| watch::channel(0).0),
            at_leisure: AtomicU64::new(0),
        })
    }

    /// Sets what happens at a door. Opening it lets in whoever waits.
    pub fn set(&self, door: Door, way: Way) {
        let mut waiting = self.waiting[door as usize].lock().unwrap();
        self.ways[door as usize].send_replace(way);
        if way != Way::Held {
            waiting.drain(..).for_each(|job| job(&self.inner, way));
        }
    }

    /// Sets what happens at all doors.
    pub fn set_all(&self, way: Way) {
        [Door::Read, Door::Write, Door::Settle].into_iter().for_each(|door| self.set(door, way));
    }

    /// How often a door was knocked at.
    pub fn calls(&self, door: Door) -> u64 {
        *self.calls[door as usize].borrow()
    }

    /// How often something was settled at leisure, or was to be.
    pub fn settled_at_leisure(&self) -> u64 {
        self.at_leisure.load(Ordering::Acquire)
    }

    /// Waits until a door was knocked at more than so many times.
    pub async fn called_beyond(&self, door: Door, calls: u64) {
        let mut receiver = self.calls[door as usize].subscribe();
        super::soon(receiver.wait_for(|count| *count > calls)).await.unwrap();
    }

    /// Tells those who listen behind this gate that they may have missed something.
    pub fn tell_missed(&self) {
        self.listeners.tell_missed();
    }

    fn pass(&self, door: Door, job: Job) {
        let mut waiting = self.waiting[door as usize].lock().unwrap();
        let way = *self.ways[door as usize].borrow();
        match way {
            Way::Held => waiting.push(job),
            way => {
                drop(waiting);
                job(&self.inner, way);
            }
        }
        self.calls[door as usize].send_modify(|count| *count += 1);
    }

    /// Does the work in full, and answers late or with a failure.
    fn answer_later(
        &self,
        door: Door,
        work: impl Future<Output = Result<(), StoreError>> + Send + 'static,
        done: Done,
    ) {
        let mut way = self.ways[door as usize].subscribe();
        self.runtime.spawn(async move {
            let outcome = work.await;
            let left = way.wait_for(|way| *way != Way::Unanswered).await.map(|way| *way);
            done.say(match left {
                Ok(Way::Lost) => Err(away()),
                _ => outcome,
            });
        });
    }
}

fn away() -> StoreError {
    StoreError::Unavailable("a test took it away".into())
}

fn outcome(verdict: Verdict) -> Result<(), StoreError> {
    match verdict {
        Verdict::Commit => Ok(()),
        Verdict::RollBack => Err(StoreError::Broken("rolled back".into())),
        Verdict::Again => Err(StoreError::Contended),
    }
}

/// The engine as tests hold it: the doors, and what the doors are of.
pub struct Gated(pub Arc<Gate>);

impl Engine for Gated {
    fn read(&self, reseller: ResellerId, work: ReadWork, done: Done) {
        self.0.pass(
            Door::Read,
            Box::new(move |inner, way| match way {
                Way::Away | Way::Lost => done.say(Err(away())),
                _ => inner.read(reseller, work, done),
            }),
        );
    }

    fn write(&self, reseller: ResellerId, mut work: WriteWork, done: Done) {
        let gate = self.0.clone();
        self.0.pass(
            Door::Write,
            Box::new(move |inner, way| match way {
                Way::Away => done.say(Err(away())),
                Way::Unanswered | Way::Lost => {
                    let db = Db::new(inner.clone());
                    let work = async move {
                        let scoped =
                            move |tx: &mut dyn SystemTx| outcome(work(tx.scoped(reseller)?));
                        db.system(Purpose::Administer, scoped).await
                    };
                    gate.answer_later(Door::Write, work, done);
                }
                Way::Open | Way::Held => inner.write(reseller, work, done),
            }),
        );
    }

    fn system(&self, purpose: Purpose, mut work: SystemWork, done: Done) {
        if !purpose.is_settling() {
            return self.0.inner.system(purpose, work, done);
        }
        if purpose == Purpose::SettleAtLeisure {
            self.0.at_leisure.fetch_add(1, Ordering::AcqRel);
        }
        let gate = self.0.clone();
        self.0.pass(
            Door::Settle,
            Box::new(move |inner, way| match way {
                Way::Away => done.say(Err(away())),
                Way::Unanswered | Way::Lost => {
                    let db = Db::new(inner.clone());
                    let work = async move { db.system(purpose, move |tx| outcome(work(tx))).await };
                    gate.answer_later(Door::Settle, work, done);
                }
                Way::Open | Way::Held => inner.system(purpose, work, done),
            }),
        );
    }

    fn listen(&self, listener: Arc<dyn Listener>) {
        self.0.listeners.add(listener.clone());
        self.0.inner.listen(listener);
    }

    fn health(&self) -> Health {
        self.0.inner.health()
    }

    fn close(&self) {
        self.0.inner.close();
    }
}
