//! The answers in SQLite.
//!
//! One file in WAL mode. One thread writes, a few read; each has a connection of its own, set up in
//! `connection.rs` and kept to one reseller by `gate.rs`. Other processes (the commands) may write
//! beside it: writers wait for each other, and the change log carries the news.
//!
//! # To answer one more question
//!
//! A port method is a statement or two in the file of its aggregate, and a function in `row.rs` for
//! what comes out. Reads name the gate views (`gate.device`); writes name the tables, find their rows
//! by identity and set values. What changes the customer, end user, kind or life of devices does so
//! inside `Tx::recount`. A new table of a reseller's data needs a migration with the table, its three
//! guards, and a line each in `VIEWS` and `GUARDED` of `gate.rs`.

mod api_key;
mod aside;
mod check;
mod connection;
mod crew;
mod customer;
mod day;
mod device;
mod end_user;
mod error;
mod fleet_count;
mod gate;
mod glance;
mod health;
#[cfg(test)]
mod isolation;
mod member;
mod migrate;
mod ownership;
#[cfg(test)]
mod plan;
#[cfg(test)]
mod property;
mod quota;
mod reading;
mod reseller;
mod row;
mod session;
mod sighting;
mod sign_in;
mod system;
mod tx;
#[cfg(test)]
mod upgrade;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use weir_domain::ResellerId;
use weir_store::{
    Done, Engine, Health, Listener, Listeners, Page, Purpose, ReadWork, StoreError, StoreResult,
    SystemWork, WriteWork,
};

pub use crate::check::{Diagnosis, check};
use crate::connection::Role;
use crate::crew::{Crew, Job, Work};
pub use crate::error::OpenError;
use crate::health::Trouble;
pub use crate::migrate::migrate;
use crate::session::{Session, Shared};
use crate::watch::Watch;

/// How a store is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many threads read.
    pub readers: usize,
    /// How much work may wait for the readers, and how much for the writer.
    pub queue: usize,
    /// How often to look for changes of other processes.
    pub watch_every: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { readers: 3, queue: 1024, watch_every: Duration::from_millis(200) }
    }
}

/// A store in one SQLite file.
pub struct Sqlite {
    readers: Crew,
    writer: Crew,
    watch: Watch,
    listeners: Listeners,
    reading: Trouble,
    writing: Trouble,
}

impl Sqlite {
    /// Opens a store, making the file and its directories where they are missing, and brings its
    /// schema up to date.
    pub fn open(path: &Path, options: Options) -> Result<Arc<Self>, OpenError> {
        migrate(path)?;
        let listeners = Listeners::default();
        let word = getrandom::u64().map_err(OpenError::Chance)?;
        let origin = getrandom::u64().map_err(OpenError::Chance)?.cast_signed();
        let shared = Shared { word, origin, listeners: listeners.clone() };
        let (reading, writing) = (Trouble::default(), Trouble::default());
        let session = |role| {
            let trouble = if role == Role::Writer { &writing } else { &reading };
            Session::open(path, role, shared.clone(), trouble.clone())
                .map_err(|source| OpenError::Sqlite { path: path.to_owned(), source })
        };
        let watcher = session(Role::Reader)?;
        let position = watch::position(&watcher)
            .map_err(|source| OpenError::Unreadable { path: path.to_owned(), source })?;
        let readers = (1..=options.readers.max(1))
            .map(|number| Ok((format!("weir-sqlite-reader-{number}"), session(Role::Reader)?)))
            .collect::<Result<_, OpenError>>()?;
        let writers = vec![("weir-sqlite-writer".to_owned(), session(Role::Writer)?)];
        Ok(Arc::new(Self {
            readers: Crew::start(readers, options.queue).map_err(OpenError::Thread)?,
            writer: Crew::start(writers, options.queue).map_err(OpenError::Thread)?,
            watch: Watch::start(watcher, position, options.watch_every)
                .map_err(OpenError::Thread)?,
            listeners,
            reading,
            writing,
        }))
    }
}

impl Engine for Sqlite {
    fn read(&self, reseller: ResellerId, work: ReadWork, done: Done) {
        self.readers.submit(Job { work: Work::Read(reseller, work), done });
    }

    fn write(&self, reseller: ResellerId, work: WriteWork, done: Done) {
        self.writer.submit(Job { work: Work::Write(reseller, work), done });
    }

    fn system(&self, purpose: Purpose, work: SystemWork, done: Done) {
        let work = match purpose {
            Purpose::SettleAtLeisure => Work::AtLeisure(work),
            Purpose::Settle | Purpose::Authenticate | Purpose::SignIn | Purpose::Administer => {
                Work::System(work)
            }
        };
        self.writer.submit(Job { work, done });
    }

    fn listen(&self, listener: Arc<dyn Listener>) {
        self.listeners.add(listener);
    }

    fn health(&self) -> Health {
        let trouble = self.writing.current().or_else(|| self.reading.current());
        Health { kind: "sqlite", trouble }
    }

    fn close(&self) {
        self.readers.close();
        self.writer.close();
        self.watch.close();
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
    }
}

/// Says how many rows were meant.
fn expect_rows(found: usize, meant: usize, what: impl FnOnce() -> String) -> StoreResult<()> {
    if found == meant {
        return Ok(());
    }
    Err(StoreError::Refused(format!("{} is {found} rows and not {meant}", what())))
}

/// The offset of a page as SQLite takes it.
fn offset(page: Page) -> i64 {
    i64::try_from(page.offset).unwrap_or(i64::MAX)
}
