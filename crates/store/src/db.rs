//! The ways into a store.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;
use weir_domain::ResellerId;

use crate::{Listener, Purpose, ReadTx, Scope, StoreError, SystemTx, WriteTx};

/// What a closure decided about its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Keep it.
    Commit,
    /// Undo it.
    RollBack,
    /// Undo it and run the closure again: it lost a race.
    Again,
}

/// Work in a reading transaction of one reseller.
pub type ReadWork = Box<dyn FnMut(&mut dyn ReadTx) -> Verdict + Send>;
/// Work in a writing transaction of one reseller.
pub type WriteWork = Box<dyn FnMut(&mut dyn WriteTx) -> Verdict + Send>;
/// Work in a writing transaction across resellers.
pub type SystemWork = Box<dyn FnMut(&mut dyn SystemTx) -> Verdict + Send>;

/// Where an engine says that work has ended: `Ok` when its last verdict was carried out (committed or
/// rolled back), an error when the transaction itself failed and nothing of it was kept.
#[derive(Debug)]
pub struct Done(oneshot::Sender<Result<(), StoreError>>);

impl Done {
    /// Says it. That nobody may be waiting any more is no concern of the engine.
    pub fn say(self, outcome: Result<(), StoreError>) {
        let _ = self.0.send(outcome);
    }
}

/// Whether the store can be used right now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// `sqlite` or `postgres`.
    pub kind: &'static str,
    /// Why it cannot be used, where it cannot.
    pub trouble: Option<String>,
}

/// A store: crews of named threads with bounded queues that run work in transactions.
///
/// Submitting never blocks; where a queue is full, work is refused with [`StoreError::Unavailable`].
/// Work whose verdict is [`Verdict::Again`], or whose commit loses a race, is run again a bounded
/// number of times. Changes that a transaction announced are told to the listeners after its commit
/// and before `done` is said.
pub trait Engine: Send + Sync + 'static {
    /// Runs work in a reading transaction of one reseller.
    fn read(&self, reseller: ResellerId, work: ReadWork, done: Done);

    /// Runs work in a writing transaction of one reseller.
    fn write(&self, reseller: ResellerId, work: WriteWork, done: Done);

    /// Runs work in a writing transaction across resellers.
    fn system(&self, purpose: Purpose, work: SystemWork, done: Done);

    /// Adds a listener for changes of this and other nodes.
    fn listen(&self, listener: Arc<dyn Listener>);

    /// Whether the store can be used, from what the crews last saw; does not wait.
    fn health(&self) -> Health;

    /// Ends the crews after the work that is queued, and waits for them.
    fn close(&self);
}

/// An error that a use case can end with.
pub trait StoreFailure: From<StoreError> + Send + 'static {
    /// The failure of the store inside it, if that is what it is.
    fn store_error(&self) -> Option<&StoreError>;
}

impl StoreFailure for StoreError {
    fn store_error(&self) -> Option<&StoreError> {
        Some(self)
    }
}

/// What scoped work waits for, so that one sees one's own uplinks.
pub trait Settled: Send + Sync + 'static {
    /// Waits, within a bound, until everything that this node acknowledged to a reseller before the
    /// call is in the store.
    fn settled(&self, reseller: ResellerId) -> BoxFuture<'_, Result<(), StoreError>>;
}

/// A store, and the only ways into it.
#[derive(Clone)]
pub struct Db {
    engine: Arc<dyn Engine>,
    before: Option<Arc<dyn Settled>>,
}

impl Db {
    /// A store.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        Self { engine, before: None }
    }

    /// The same store, where every scoped read and write first waits until what this node
    /// acknowledged is settled.
    #[must_use]
    pub fn behind(&self, settled: Arc<dyn Settled>) -> Self {
        Self { engine: self.engine.clone(), before: Some(settled) }
    }

    /// Reads in one consistent state of the scope's reseller.
    pub async fn read<R, E>(
        &self,
        scope: &Scope,
        mut work: impl FnMut(&mut dyn ReadTx) -> Result<R, E> + Send + 'static,
    ) -> Result<R, E>
    where
        R: Send + 'static,
        E: StoreFailure,
    {
        self.wait(scope).await?;
        let slot = Slot::new();
        let kept = slot.share();
        let work = Box::new(move |tx: &mut dyn ReadTx| kept.keep(work(tx)));
        self.run(slot, |done| self.engine.read(scope.reseller(), work, done)).await
    }

    /// Changes the scope's reseller: `Ok` commits, `Err` rolls back.
    pub async fn write<R, E>(
        &self,
        scope: &Scope,
        mut work: impl FnMut(&mut dyn WriteTx) -> Result<R, E> + Send + 'static,
    ) -> Result<R, E>
    where
        R: Send + 'static,
        E: StoreFailure,
    {
        self.wait(scope).await?;
        let slot = Slot::new();
        let kept = slot.share();
        let work = Box::new(move |tx: &mut dyn WriteTx| kept.keep(work(tx)));
        self.run(slot, |done| self.engine.write(scope.reseller(), work, done)).await
    }

    /// Works across resellers, for one of a few reasons.
    pub async fn system<R, E>(
        &self,
        purpose: Purpose,
        mut work: impl FnMut(&mut dyn SystemTx) -> Result<R, E> + Send + 'static,
    ) -> Result<R, E>
    where
        R: Send + 'static,
        E: StoreFailure,
    {
        let slot = Slot::new();
        let kept = slot.share();
        let work = Box::new(move |tx: &mut dyn SystemTx| kept.keep(work(tx)));
        self.run(slot, |done| self.engine.system(purpose, work, done)).await
    }

    /// Adds a listener for committed changes.
    pub fn listen(&self, listener: Arc<dyn Listener>) {
        self.engine.listen(listener);
    }

    /// Whether the store can be used right now.
    pub fn health(&self) -> Health {
        self.engine.health()
    }

    /// Ends the store's threads after the work that is queued. It blocks.
    pub fn close(&self) {
        self.engine.close();
    }

    async fn wait(&self, scope: &Scope) -> Result<(), StoreError> {
        match &self.before {
            Some(settled) => settled.settled(scope.reseller()).await,
            None => Ok(()),
        }
    }

    async fn run<R, E: StoreFailure>(
        &self,
        slot: Slot<R, E>,
        submit: impl FnOnce(Done),
    ) -> Result<R, E> {
        let (done, ended) = oneshot::channel();
        submit(Done(done));
        ended
            .await
            .unwrap_or_else(|_| Err(StoreError::Unavailable("it is shutting down".into())))?;
        slot.take().unwrap_or_else(|| Err(StoreError::Broken("the work was not run".into()).into()))
    }
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Db").field("health", &self.engine.health()).finish_non_exhaustive()
    }
}

/// Where a closure's result waits for its caller, while its verdict goes to the engine.
struct Slot<R, E>(Arc<Mutex<Option<Result<R, E>>>>);

impl<R, E: StoreFailure> Slot<R, E> {
    fn new() -> Self {
        Self(Arc::default())
    }

    fn share(&self) -> Self {
        Self(self.0.clone())
    }

    fn keep(&self, result: Result<R, E>) -> Verdict {
        let verdict = match &result {
            Ok(_) => Verdict::Commit,
            Err(error) if error.store_error() == Some(&StoreError::Contended) => Verdict::Again,
            Err(_) => Verdict::RollBack,
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        verdict
    }

    fn take(&self) -> Option<Result<R, E>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
