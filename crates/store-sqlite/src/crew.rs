//! Crews: named threads that share one bounded queue.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};

use weir_domain::ResellerId;
use weir_store::{Done, ReadWork, StoreError, StoreResult, SystemWork, WriteWork};

use crate::aside::Aside;
use crate::gate::Binding;
use crate::session::Session;

/// Work in one kind of transaction.
pub(crate) enum Work {
    Read(ResellerId, ReadWork),
    Write(ResellerId, WriteWork),
    System(SystemWork),
    /// The same, on a thread that gives way to others.
    AtLeisure(SystemWork),
}

impl Work {
    fn run(&mut self, session: &Session) -> StoreResult<()> {
        match self {
            Self::Read(reseller, work) => {
                session.transact(Binding::Reseller(*reseller), |tx| work(tx))
            }
            Self::Write(reseller, work) => {
                session.transact(Binding::Reseller(*reseller), |tx| work(tx))
            }
            Self::System(work) | Self::AtLeisure(work) => {
                session.transact(Binding::System, |tx| work(tx))
            }
        }
    }
}

/// Work, and where its end is said.
pub(crate) struct Job {
    pub work: Work,
    pub done: Done,
}

impl Job {
    /// Runs it in a session. Its end is not said yet.
    pub fn run(mut self, session: Session) -> Ran {
        let outcome = self.work.run(&session);
        Ran { session, job: self, outcome }
    }
}

/// A job that was run, and the session that it ran in.
pub(crate) struct Ran {
    pub session: Session,
    job: Job,
    outcome: StoreResult<()>,
}

/// One crew.
pub(crate) struct Crew {
    queue: RwLock<Option<SyncSender<Job>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Crew {
    /// Starts a thread for each named session. The queue holds `capacity` jobs that nobody has begun.
    pub fn start(sessions: Vec<(String, Session)>, capacity: usize) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(capacity);
        let jobs = Arc::new(Mutex::new(jobs));
        let threads = sessions.into_iter().map(|(name, session)| {
            let jobs = jobs.clone();
            thread::Builder::new().name(name).spawn(move || serve(&jobs, session))
        });
        let threads = Mutex::new(threads.collect::<io::Result<_>>()?);
        Ok(Self { queue: RwLock::new(Some(queue)), threads })
    }

    /// Queues a job, or says at once that it cannot be.
    pub fn submit(&self, job: Job) {
        let queue = self.queue.read().unwrap_or_else(PoisonError::into_inner);
        let refused = match queue.as_ref() {
            None => TrySendError::Disconnected(job),
            Some(queue) => match queue.try_send(job) {
                Ok(()) => return,
                Err(refused) => refused,
            },
        };
        let (job, reason) = match refused {
            TrySendError::Full(job) => (job, "its queue is full"),
            TrySendError::Disconnected(job) => (job, "it is shutting down"),
        };
        job.done.say(Err(StoreError::Unavailable(reason.into())));
    }

    /// Ends the threads after the work that is queued, and waits for them.
    pub fn close(&self) {
        self.queue.write().unwrap_or_else(PoisonError::into_inner).take();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        for thread in threads.drain(..) {
            // Work that owns the last handle of the store drops it on a thread of the crew, which
            // cannot wait for itself.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

/// Takes one job after another until the queue is closed and empty.
fn serve(jobs: &Mutex<Receiver<Job>>, mut session: Session) {
    let mut aside = Aside::default();
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        let ran = match job.work {
            Work::AtLeisure(_) => aside.run(session, job),
            _ => Some(job.run(session)),
        };
        let Some(ran) = ran else { return };
        session = ran.session;
        // Here and not where it ran: it may hold the store, which waits for this thread when dropped.
        ran.job.done.say(ran.outcome);
    }
}
