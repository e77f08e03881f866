//! The answers in PostgreSQL 15 or later, and in Citus where one machine is not enough.
//!
//! # The contract
//!
//! - *Scope.* Every transaction begins with `SET LOCAL app.reseller_id`, and row-level security shows
//!   it that reseller alone. It serves as the role `weir_app`, which owns nothing; [`Postgres::connect`]
//!   refuses a database where the policies would not bind.
//! - *Threads.* Each connection has a thread, and all of them one bounded queue in which writes leave
//!   room for reads. Settling has a connection of its own, so that it neither waits nor is waited for.
//! - *Isolation.* Reads see one snapshot. Writes see what is committed as they go, and the ports say
//!   what they lock.
//! - *Outages.* Work in hand is answered [`Unavailable`](weir_store::StoreError::Unavailable), and so
//!   is all other work at once, until a connection can be made again; nobody needs to do anything. A
//!   commit whose answer is lost counts as unavailable too, though it may have been kept: whoever runs
//!   such work again must be able to tell, as settling does by the spool's position.
//! - *Changes* travel by `NOTIFY`. After the listening connection was lost, listeners are told that
//!   they may have missed some.
//!
//! # To answer one more thing
//!
//! Write the statement with `reseller_id = $1` first in its `WHERE`, several rows at once through
//! `unnest`, upserts as `INSERT … SELECT … ON CONFLICT`; a new table of a reseller's data has
//! `reseller_id` first in every key, a policy and a grant in its migration, and its name in the list of
//! tenant tables.

mod address;
mod api_key;
mod check;
mod crew;
mod customer;
mod day;
mod device;
mod distribute;
mod end_user;
mod error;
mod filter;
mod fleet;
mod glance;
mod member;
mod migrate;
mod outage;
mod ownership;
mod partition;
mod queue;
mod quota;
mod reading;
mod reseller;
mod row;
mod schema;
mod session;
mod sighting;
mod sign_in;
mod system;
mod thread;
mod tx;
mod upkeep;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use weir_domain::ResellerId;
use weir_store::{
    Done, Engine, Health, Listener, Listeners, Page, Purpose, ReadWork, StoreError, StoreResult,
    SystemWork, WriteWork,
};

pub use check::{Finding, check};
pub use error::OpenError;
pub use migrate::migrate;

use address::Address;
use crew::{Crew, Shared, Work};
use outage::Outage;
use queue::Lane;
use thread::Background;

/// How a store uses its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many connections requests share; settling and listening have one more each.
    pub connections: usize,
    /// How much work of a kind may wait for a connection.
    pub queue: usize,
    /// How long connecting may take.
    pub connect_timeout: Duration,
    /// How long a statement may run.
    pub statement_timeout: Duration,
    /// How long a statement may wait for a lock.
    pub lock_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            connections: 6,
            queue: 1024,
            connect_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(30),
            lock_timeout: Duration::from_secs(5),
        }
    }
}

/// A store in PostgreSQL.
pub struct Postgres {
    requests: Crew,
    settling: Crew,
    watch: Background,
    upkeep: Option<Background>,
    listeners: Listeners,
    outage: Arc<Outage>,
}

impl Postgres {
    /// Connects to a database. Its schema is brought up to date first where the login may do so.
    pub fn connect(url: &str, options: Options) -> Result<Arc<Self>, OpenError> {
        let address = Address::parse(url, options)?;
        let may_migrate = thread::apart("weir-postgres-open", prepare(&address))?;
        let upkeep = may_migrate.then(|| upkeep::start(address.clone())).transpose()?;
        let shared = Shared { address, outage: Arc::default(), listeners: Listeners::default() };
        let watch = watch::start(shared.clone())?;
        Ok(Arc::new(Self {
            requests: Crew::start(
                "weir-postgres",
                options.connections.max(1),
                options.queue,
                &shared,
            )?,
            settling: Crew::start("weir-postgres-settle", 1, options.queue, &shared)?,
            watch,
            upkeep,
            listeners: shared.listeners,
            outage: shared.outage,
        }))
    }
}

/// Makes sure that the database can be served from; whether this login may migrate it.
async fn prepare(address: &Address) -> Result<bool, OpenError> {
    let (mut client, connection) = address.connect().await?;
    tokio::spawn(connection);
    schema::server_version(&client).await?;
    for name in migrate::bring_up_to_date(&mut client).await? {
        tracing::info!(name, "a migration was applied");
    }
    let may_migrate = schema::may_migrate(&client).await?;
    address.serve_as_application(&client).await?;
    Ok(may_migrate)
}

impl Engine for Postgres {
    fn read(&self, reseller: ResellerId, work: ReadWork, done: Done) {
        self.requests.submit(Lane::Read, Work::Read(reseller, work), done);
    }

    fn write(&self, reseller: ResellerId, work: WriteWork, done: Done) {
        self.requests.submit(Lane::Write, Work::Write(reseller, work), done);
    }

    fn system(&self, purpose: Purpose, work: SystemWork, done: Done) {
        let work = Work::System(purpose, work);
        match purpose {
            Purpose::Authenticate => self.requests.submit(Lane::Read, work, done),
            Purpose::SignIn | Purpose::Administer => self.requests.submit(Lane::Write, work, done),
            Purpose::Settle | Purpose::SettleAtLeisure => {
                self.settling.submit(Lane::Write, work, done);
            }
        }
    }

    fn listen(&self, listener: Arc<dyn Listener>) {
        self.listeners.add(listener);
    }

    fn health(&self) -> Health {
        Health { kind: "postgres", trouble: self.outage.trouble() }
    }

    fn close(&self) {
        self.requests.close();
        self.settling.close();
        self.watch.close();
        if let Some(upkeep) = &self.upkeep {
            upkeep.close();
        }
    }
}

/// Says how many rows were meant.
fn expect_rows(found: u64, meant: usize, what: &str) -> StoreResult<()> {
    if usize::try_from(found) == Ok(meant) {
        return Ok(());
    }
    Err(StoreError::Refused(format!("of {meant} {what}, {found} are there")))
}

/// How many rows to pass over, as far as a list can be long.
fn offset(page: Page) -> i64 {
    i64::try_from(page.offset).unwrap_or(i64::MAX)
}
