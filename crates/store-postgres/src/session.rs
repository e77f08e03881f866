//! One connection, bound to the application's role, on the thread that uses it.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row, Statement};
use weir_store::{Pauses, StoreError, StoreResult};

use crate::address::Address;
use crate::error::{OpenError, classify};
use crate::thread;

/// What a statement is given.
pub(crate) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// What a statement is given that is not prepared, so that nobody else knows the types.
pub(crate) type TypedParams<'a> = Vec<(&'a (dyn ToSql + Sync), Type)>;

/// A connection and the runtime that drives it. The runtime is this thread's alone, so that a caller
/// waits without a switch of threads and can still have several statements under way.
pub(crate) struct Session {
    // Declared first, so that it is dropped before the runtime that carries it.
    client: Client,
    runtime: Runtime,
    statements: RefCell<HashMap<&'static str, Statement>>,
    patience: Duration,
    is_stuck: Cell<bool>,
    is_in_transaction: Cell<bool>,
    /// Of a transaction that nobody waits for.
    pauses: RefCell<Option<Pauses>>,
}

impl Session {
    /// Connects, takes the application's role and makes sure that row-level security binds it.
    pub(crate) fn open(address: &Address) -> Result<Self, OpenError> {
        let runtime = thread::runtime()?;
        let opened: Result<Client, OpenError> = runtime.block_on(async {
            let (client, connection) = address.connect().await?;
            tokio::spawn(connection);
            address.serve_as_application(&client).await?;
            Ok(client)
        });
        let client = match opened {
            Ok(client) => client,
            Err(error) => {
                // The name may still be looked up, which nobody is to wait for.
                runtime.shutdown_background();
                return Err(error);
            }
        };
        Ok(Self {
            client,
            runtime,
            statements: RefCell::default(),
            patience: address.patience(),
            is_stuck: Cell::new(false),
            is_in_transaction: Cell::new(false),
            pauses: RefCell::default(),
        })
    }

    /// Whether nothing can be done with it any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_stuck.get() || self.client.is_closed()
    }

    /// Opens a transaction.
    pub(crate) fn begin(&self, opening: &str) -> StoreResult<()> {
        self.is_in_transaction.set(true);
        self.batch(opening)
    }

    /// Says whether nobody waits for the transaction.
    pub(crate) fn take_time(&self, at_leisure: bool) {
        self.pauses.replace(at_leisure.then(Pauses::begin));
    }

    /// Commits, after some last statements, in one round trip.
    pub(crate) fn commit(&self, last: &str) -> StoreResult<()> {
        self.batch(&format!("{last}COMMIT"))?;
        self.is_in_transaction.set(false);
        Ok(())
    }

    /// Undoes what was not committed, if there is anything. A lost connection has done so already.
    pub(crate) fn roll_back(&self) -> StoreResult<()> {
        if !self.is_in_transaction.replace(false) {
            return Ok(());
        }
        match self.batch("ROLLBACK") {
            Err(error) if !self.is_lost() => {
                self.is_stuck.set(true);
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// Runs statements that return nothing, in one round trip.
    pub(crate) fn batch(&self, statements: &str) -> StoreResult<()> {
        self.wait(self.client.batch_execute(statements))
    }

    /// Runs a statement and returns its rows.
    pub(crate) fn query(&self, sql: &'static str, params: Params<'_>) -> StoreResult<Vec<Row>> {
        let statement = self.prepare(sql)?;
        self.wait(self.client.query(&statement, params))
    }

    /// Runs two statements, both under way at once, and returns the rows of each.
    pub(crate) fn query_both(
        &self,
        [first, second]: [(&'static str, Params<'_>); 2],
    ) -> StoreResult<[Vec<Row>; 2]> {
        let statements = (self.prepare(first.0)?, self.prepare(second.0)?);
        let calls = futures_util::future::try_join(
            self.client.query(&statements.0, first.1),
            self.client.query(&statements.1, second.1),
        );
        self.wait(calls).map(Into::into)
    }

    /// Runs a statement once for each list of parameters, and returns the rows of all.
    pub(crate) fn query_each<'a>(
        &self,
        sql: &'static str,
        each: impl Iterator<Item = Params<'a>>,
    ) -> StoreResult<Vec<Row>> {
        let statement = self.prepare(sql)?;
        let rows = self.wait_for_each(each.map(|params| self.client.query(&statement, params)))?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Runs a statement that is planned for these values alone, and returns its rows.
    pub(crate) fn query_once(&self, sql: &str, params: &TypedParams<'_>) -> StoreResult<Vec<Row>> {
        self.wait(self.client.query_typed(sql, params))
    }

    /// Runs a statement once for each list of parameters, and returns how many rows they affected.
    pub(crate) fn execute_each<'a>(
        &self,
        sql: &'static str,
        each: impl Iterator<Item = Params<'a>>,
    ) -> StoreResult<u64> {
        let statement = self.prepare(sql)?;
        let calls = each.map(|params| self.client.execute(&statement, params));
        Ok(self.wait_for_each(calls)?.iter().sum())
    }

    /// Waits for calls, all of them under way at once; where nobody waits, for one after the other, so
    /// that the server has pauses too.
    fn wait_for_each<T>(
        &self,
        calls: impl Iterator<Item = impl Future<Output = Result<T, Error>>>,
    ) -> StoreResult<Vec<T>> {
        if let Some(pauses) = &mut *self.pauses.borrow_mut() {
            let paused = calls.map(|call| self.wait(call).inspect(|_| pauses.take()));
            return paused.collect();
        }
        // They are sent in the order in which they are polled and answered in that order, so the
        // first error is the one that broke the transaction.
        self.wait(futures_util::future::try_join_all(calls))
    }

    fn prepare(&self, sql: &'static str) -> StoreResult<Statement> {
        if let Some(known) = self.statements.borrow().get(sql) {
            return Ok(known.clone());
        }
        let statement = self.wait(self.client.prepare(sql))?;
        self.statements.borrow_mut().insert(sql, statement.clone());
        Ok(statement)
    }

    /// The server ends statements that take too long; this is for a server that says nothing more.
    fn wait<T>(&self, answer: impl Future<Output = Result<T, Error>>) -> StoreResult<T> {
        let bounded = async { tokio::time::timeout(self.patience, answer).await };
        match self.runtime.block_on(bounded) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(classify(&error)),
            Err(_) => {
                self.is_stuck.set(true);
                Err(StoreError::Unavailable("it does not answer".into()))
            }
        }
    }
}
