//! The threads that run work, one for each connection.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use weir_domain::ResellerId;
use weir_store::{
    Done, Listeners, Purpose, ReadWork, StoreError, StoreResult, SystemWork, Verdict, WriteWork,
};

use crate::address::Address;
use crate::error::OpenError;
use crate::outage::Outage;
use crate::queue::{Lane, Queue};
use crate::session::Session;
use crate::tx::Tx;
use crate::{thread, watch};

/// How often work that loses races is run before it is given up.
const MOST_ATTEMPTS: usize = 20;

/// How long work may wait for a connection before it is refused.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What is to be run, and in which transaction.
pub(crate) enum Work {
    Read(ResellerId, ReadWork),
    Write(ResellerId, WriteWork),
    System(Purpose, SystemWork),
}

struct Job {
    work: Work,
    done: Done,
    since: Instant,
}

/// What all threads of a store share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) address: Address,
    pub(crate) outage: Arc<Outage>,
    pub(crate) listeners: Listeners,
}

/// Some connections with their threads and one queue.
pub(crate) struct Crew {
    queue: Arc<Queue<Job>>,
    outage: Arc<Outage>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Crew {
    /// Starts the threads. They connect when there is work.
    pub(crate) fn start(
        name: &str,
        size: usize,
        queue: usize,
        shared: &Shared,
    ) -> Result<Self, OpenError> {
        let crew = Self {
            queue: Arc::new(Queue::new(queue, size)),
            outage: shared.outage.clone(),
            threads: Mutex::default(),
        };
        for number in 1..=size {
            let mut hand =
                Hand { queue: crew.queue.clone(), shared: shared.clone(), session: None };
            let thread = thread::start(format!("{name}-{number}"), move || hand.work_off())?;
            crew.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
        Ok(crew)
    }

    /// Queues work, or says at once why not.
    pub(crate) fn submit(&self, lane: Lane, work: Work, done: Done) {
        if let Some(refusal) = self.outage.refusal() {
            return done.say(Err(refusal));
        }
        let job = Job { work, done, since: Instant::now() };
        if let Err((job, declined)) = self.queue.push(lane, job) {
            job.done.say(Err(StoreError::Unavailable(declined.to_string())));
        }
    }

    /// Takes no more work, and waits for what is queued.
    pub(crate) fn close(&self) {
        self.queue.close();
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        thread::join_all(threads);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.close();
    }
}

/// One thread and its connection.
struct Hand {
    queue: Arc<Queue<Job>>,
    shared: Shared,
    session: Option<Session>,
}

impl Hand {
    fn work_off(&mut self) {
        while let Some((lane, job)) = self.queue.next() {
            let Job { mut work, done, since } = job;
            let outcome = match self.shared.outage.refusal() {
                Some(refusal) => Err(refusal),
                None if since.elapsed() > LONGEST_WAIT => {
                    Err(StoreError::Unavailable("it is too busy".into()))
                }
                None => self.run(&mut work),
            };
            // What the closure holds must be gone before its caller goes on.
            drop(work);
            done.say(outcome);
            self.tidy();
            self.queue.ended(lane);
        }
    }

    fn run(&mut self, work: &mut Work) -> StoreResult<()> {
        for _ in 0..MOST_ATTEMPTS {
            let session = self.begin(&work.opening())?;
            session.take_time(work.is_at_leisure());
            let ended = end(&session, work, &self.shared.listeners);
            if !session.is_lost() {
                self.session = Some(session);
            }
            match ended {
                Err(StoreError::Contended) => {}
                ended => return ended,
            }
        }
        Err(StoreError::Contended)
    }

    /// Opens a transaction. A connection may have been lost while nobody used it: then a new one is
    /// made, since nothing has happened on the old one that the work could miss.
    fn begin(&mut self, opening: &str) -> StoreResult<Session> {
        if let Some(session) = self.session.take()
            && session.begin(opening).is_ok()
        {
            return Ok(session);
        }
        let session = Session::open(&self.shared.address).map_err(|error| {
            // A server that is merely full still serves the connections that it has.
            if !matches!(error, OpenError::Crowded(_)) {
                self.shared.outage.begin(error.to_string());
            }
            StoreError::Unavailable(error.to_string())
        })?;
        session.begin(opening)?;
        Ok(session)
    }

    /// Ends a transaction that was left open.
    fn tidy(&mut self) {
        self.session.take_if(|session| session.roll_back().is_err() || session.is_lost());
    }
}

/// Runs work in an open transaction and ends that; [`StoreError::Contended`] asks for another go.
fn end(session: &Session, work: &mut Work, listeners: &Listeners) -> StoreResult<()> {
    let mut tx = Tx::new(session, work.reseller(), work.is_deciding());
    let ran = catch_unwind(AssertUnwindSafe(|| work.run(&mut tx)));
    let outcome = match ran {
        // Reading leaves nothing to keep or to undo: the caller need not wait for its end.
        Ok(Verdict::Commit | Verdict::RollBack) if work.is_read() && tx.failure().is_none() => {
            Ok(Vec::new())
        }
        Ok(Verdict::Commit) => tx.commit(),
        Ok(Verdict::RollBack) => tx.roll_back().map(|()| Vec::new()),
        Ok(Verdict::Again) => tx.roll_back().and(Err(StoreError::Contended)),
        Err(panic) => {
            tracing::error!(panic = said(panic.as_ref()), "work inside a transaction panicked");
            tx.roll_back().and(Err(StoreError::Broken("the work panicked".into())))
        }
    };
    for change in outcome? {
        watch::tell(listeners, |listeners| listeners.tell(&change));
    }
    Ok(())
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nothing")
}

impl Work {
    /// What opens its transaction. The reseller is printed from a typed value; `set_config()` or a
    /// `SET` of the session would not reach the workers of Citus.
    fn opening(&self) -> String {
        match self {
            Self::Read(reseller, _) => format!(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {}",
                crate::tx::binding(*reseller)
            ),
            Self::Write(reseller, _) => {
                format!("BEGIN ISOLATION LEVEL READ COMMITTED; {}", crate::tx::binding(*reseller))
            }
            // Settling finds some thousand rows by their keys. Where PostgreSQL knows how many they are,
            // it would rather walk through a whole fleet for them; and a plan that was made while a
            // table was new and empty would walk through it for each of them.
            Self::System(purpose, _) if purpose.is_settling() => {
                "BEGIN ISOLATION LEVEL READ COMMITTED; \
                SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off"
                    .into()
            }
            Self::System(..) => "BEGIN ISOLATION LEVEL READ COMMITTED".into(),
        }
    }

    const fn reseller(&self) -> Option<ResellerId> {
        match self {
            Self::Read(reseller, _) | Self::Write(reseller, _) => Some(*reseller),
            Self::System(..) => None,
        }
    }

    const fn is_read(&self) -> bool {
        matches!(self, Self::Read(..))
    }

    const fn is_at_leisure(&self) -> bool {
        matches!(self, Self::System(Purpose::SettleAtLeisure, _))
    }

    const fn is_deciding(&self) -> bool {
        matches!(self, Self::Write(..) | Self::System(Purpose::Administer, _))
    }

    fn run(&mut self, tx: &mut Tx<'_>) -> Verdict {
        match self {
            Self::Read(_, work) => work(tx),
            Self::Write(_, work) => work(tx),
            Self::System(_, work) => work(tx),
        }
    }
}
