//! The transaction, and how its statements are run.
//!
//! The ports are implemented on [`Tx`] by aggregate, one file each. Which of them a closure can reach
//! is decided by the trait object it is given; what their statements can reach, by the gate.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::ControlFlow;

use rusqlite::{CachedStatement, Params, Row};
use weir_domain::DeviceKey;
use weir_store::{Change, ReadTx, StoreError, StoreResult, WriteTx};

use crate::device::indexed::Indexed;
use crate::error::classify;
use crate::gate::Binding;
use crate::session::Session;

/// How many changes other processes find in the log. One that fell behind further checks everything.
const KEPT_CHANGES: i64 = 1_000;

/// A transaction that has begun.
pub(crate) struct Tx<'s> {
    session: &'s Session,
    /// What indexes have of the devices whose states were read last, as long as nothing has changed it.
    pub indexed: HashMap<DeviceKey, Indexed>,
    changes: Vec<Change>,
    failed: Cell<bool>,
}

impl<'s> Tx<'s> {
    /// The transaction that a session has begun.
    pub fn new(session: &'s Session) -> Self {
        Self { session, indexed: HashMap::new(), changes: Vec::new(), failed: Cell::new(false) }
    }

    /// Binds what follows to a reseller or to the system.
    pub fn bind(&self, binding: Binding) {
        self.session.gate.bind(binding);
    }

    /// Whether the store failed a statement of this transaction.
    pub fn has_failed(&self) -> bool {
        self.failed.get()
    }

    /// A prepared statement, to be run at once.
    pub fn statement(&self, sql: &str) -> StoreResult<Statement<'_>> {
        self.expect_open()?;
        self.session.gate.expect_statement();
        let words = self.session.gate.words(sql);
        let prepared = self.session.connection.prepare_cached(&words);
        Ok(Statement { prepared: prepared.map_err(|error| self.fail(&error))?, tx: self })
    }

    /// Runs a statement; how many rows it changed.
    pub fn execute(&self, sql: &str, values: impl Params) -> StoreResult<usize> {
        self.statement(sql)?.execute(values)
    }

    /// The first row of a query.
    pub fn first<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        self.statement(sql)?.first(values, read)
    }

    /// All rows of a query.
    pub fn all<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        self.statement(sql)?.all(values, read)
    }

    /// The key of the row that was inserted last.
    pub fn inserted_key(&self) -> i64 {
        self.session.connection.last_insert_rowid()
    }

    /// Writes the announced changes into the log, for other processes, and hands them over to be told
    /// in this one after the commit. What was settled is no news elsewhere: a file has one server.
    pub fn log_changes(&mut self) -> StoreResult<Vec<Change>> {
        self.expect_open()?;
        let changes = std::mem::take(&mut self.changes);
        let logged = changes.iter().filter(|change| !matches!(change, Change::Settled(..)));
        let texts: Vec<String> = logged.map(ToString::to_string).collect();
        if texts.is_empty() {
            return Ok(changes);
        }
        self.bind(Binding::System);
        for text in texts {
            let sql = "INSERT INTO change_log (origin, change) VALUES (?1, ?2)";
            self.execute(sql, (self.session.shared.origin, text))?;
        }
        let sql = "DELETE FROM change_log WHERE sequence <= ?1";
        self.execute(sql, [self.inserted_key() - KEPT_CHANGES])?;
        Ok(changes)
    }

    /// SQLite ends a transaction by itself after some failures; what came after would be kept.
    fn expect_open(&self) -> StoreResult<()> {
        if self.session.connection.is_autocommit() {
            return Err(StoreError::Unavailable("a failure has ended the transaction".into()));
        }
        Ok(())
    }

    fn fail(&self, error: &rusqlite::Error) -> StoreError {
        let error = classify(error);
        if error.is_passing() {
            self.failed.set(true);
            self.session.note(&error);
        }
        error
    }
}

/// A statement of a transaction.
pub(crate) struct Statement<'t> {
    prepared: CachedStatement<'t>,
    tx: &'t Tx<'t>,
}

impl Statement<'_> {
    /// Runs it; how many rows it changed.
    pub fn execute(&mut self, values: impl Params) -> StoreResult<usize> {
        self.prepared.execute(values).map_err(|error| self.tx.fail(&error))
    }

    /// Its first row.
    pub fn first<T>(
        &mut self,
        values: impl Params,
        mut read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        let tx = self.tx;
        let mut rows = self.prepared.query(values).map_err(|error| tx.fail(&error))?;
        rows.next().map_err(|error| tx.fail(&error))?.map(&mut read).transpose()
    }

    /// All its rows.
    pub fn all<T>(
        &mut self,
        values: impl Params,
        mut read: impl FnMut(&Row<'_>) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        let mut all = Vec::new();
        self.walk(values, |row| {
            all.push(read(row)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(all)
    }

    /// Its rows one after the other, until enough of them were seen.
    pub fn walk(
        &mut self,
        values: impl Params,
        mut see: impl FnMut(&Row<'_>) -> StoreResult<ControlFlow<()>>,
    ) -> StoreResult<()> {
        let tx = self.tx;
        let mut rows = self.prepared.query(values).map_err(|error| tx.fail(&error))?;
        while let Some(row) = rows.next().map_err(|error| tx.fail(&error))? {
            if see(row)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl ReadTx for Tx<'_> {}

impl WriteTx for Tx<'_> {
    fn announce(&mut self, change: Change) -> StoreResult<()> {
        self.changes.push(change);
        Ok(())
    }
}
