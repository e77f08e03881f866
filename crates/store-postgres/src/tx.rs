//! The transaction: every port, on one session.

use std::fmt::Write as _;

use tokio_postgres::Row;
use uuid::Uuid;
use weir_domain::ResellerId;
use weir_store::{Change, ReadTx, StoreError, StoreResult, WriteTx};

use crate::filter::Conditions;
use crate::fleet::Fleet;
use crate::session::{Params, Session};

/// An open transaction. After a statement has failed, PostgreSQL runs no other in it: every later
/// call is answered with the first error, and it cannot be committed.
pub(crate) struct Tx<'s> {
    session: &'s Session,
    bound: Option<ResellerId>,
    /// Whether it may change the reseller upon what it reads of it. Settling, authenticating
    /// and signing in do not, and must not wait for those that do.
    pub(crate) is_deciding: bool,
    /// Whether it has locked devices. Everyone locks devices before end users, so that nobody waits
    /// in a circle; what comes after them must not lock others.
    pub(crate) holds_devices: bool,
    /// What it has changed about the counts of devices and not written yet.
    pub(crate) fleet: Fleet,
    changes: Vec<Change>,
    failure: Option<StoreError>,
}

/// The statement that binds a transaction to a reseller.
pub(crate) fn binding(reseller: ResellerId) -> String {
    format!("SET LOCAL app.reseller_id = '{reseller}'")
}

impl<'s> Tx<'s> {
    /// A transaction that was just opened, bound to a reseller or to none yet.
    pub(crate) fn new(session: &'s Session, bound: Option<ResellerId>, is_deciding: bool) -> Self {
        Self {
            session,
            bound,
            is_deciding,
            holds_devices: false,
            fleet: Fleet::default(),
            changes: Vec::new(),
            failure: None,
        }
    }

    /// The reseller it is bound to, which is the first parameter of every statement on its tables.
    pub(crate) fn reseller(&self) -> StoreResult<Uuid> {
        let unbound = || StoreError::Broken("the transaction is bound to no reseller".into());
        self.bound.map(ResellerId::uuid).ok_or_else(unbound)
    }

    /// Binds it to a reseller.
    pub(crate) fn bind(&mut self, reseller: ResellerId) -> StoreResult<()> {
        if self.bound != Some(reseller) {
            self.fleet_store()?;
            self.run(|session| session.batch(&binding(reseller)))?;
            self.bound = Some(reseller);
        }
        Ok(())
    }

    /// Runs a statement and returns its rows.
    pub(crate) fn rows(&mut self, sql: &'static str, params: Params<'_>) -> StoreResult<Vec<Row>> {
        self.run(|session| session.query(sql, params))
    }

    /// Runs a statement and returns its first row.
    pub(crate) fn row(
        &mut self,
        sql: &'static str,
        params: Params<'_>,
    ) -> StoreResult<Option<Row>> {
        Ok(self.rows(sql, params)?.into_iter().next())
    }

    /// Runs two statements without waiting in between, and returns the rows of each.
    pub(crate) fn rows_of_both(
        &mut self,
        both: [(&'static str, Params<'_>); 2],
    ) -> StoreResult<[Vec<Row>; 2]> {
        self.run(|session| session.query_both(both))
    }

    /// Runs a statement once for each list of parameters, and returns the rows of all.
    pub(crate) fn rows_of_each(
        &mut self,
        sql: &'static str,
        each: &[Params<'_>],
    ) -> StoreResult<Vec<Row>> {
        self.run(|session| session.query_each(sql, each.iter().copied()))
    }

    /// Runs a statement that was put together with conditions, and returns its rows.
    pub(crate) fn rows_where(
        &mut self,
        sql: &str,
        conditions: &Conditions<'_>,
    ) -> StoreResult<Vec<Row>> {
        self.run(|session| session.query_once(sql, &conditions.values()))
    }

    /// Runs a statement and returns how many rows it affected.
    pub(crate) fn execute(&mut self, sql: &'static str, params: Params<'_>) -> StoreResult<u64> {
        self.execute_each(sql, &[params])
    }

    /// Runs a statement once for each list of parameters, and returns how many rows they affected
    /// together.
    pub(crate) fn execute_each(
        &mut self,
        sql: &'static str,
        each: &[Params<'_>],
    ) -> StoreResult<u64> {
        self.run(|session| session.execute_each(sql, each.iter().copied()))
    }

    /// Commits, and returns the changes that it announced. Where the connection is lost meanwhile,
    /// nobody knows whether it was kept: settling is told by the spool's position, and whatever was
    /// kept has sent its notifications.
    pub(crate) fn commit(&mut self) -> StoreResult<Vec<Change>> {
        if let Some(failure) = self.failure.take() {
            return self.roll_back().and(Err(failure));
        }
        if let Err(error) = self.fleet_store() {
            return self.roll_back().and(Err(error));
        }
        let mut news = String::new();
        for change in &self.changes {
            let text = change.to_string().replace('\'', "''");
            let _ = write!(news, "NOTIFY {}, '{text}'; ", crate::watch::CHANNEL);
        }
        if let Err(error) = self.session.commit(&news) {
            return self.roll_back().and(Err(error));
        }
        Ok(std::mem::take(&mut self.changes))
    }

    /// Undoes everything.
    pub(crate) fn roll_back(&self) -> StoreResult<()> {
        self.session.roll_back()
    }

    /// The error that has broken it, if there was one.
    pub(crate) const fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    fn run<T>(&mut self, call: impl FnOnce(&Session) -> StoreResult<T>) -> StoreResult<T> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        call(self.session).inspect_err(|error| self.failure = Some(error.clone()))
    }
}

impl ReadTx for Tx<'_> {}

impl WriteTx for Tx<'_> {
    fn announce(&mut self, change: Change) -> StoreResult<()> {
        match change {
            // A notification holds so many.
            Change::Settled(spool, devices) if devices.len() > Change::MAX_SETTLED => {
                let parts = devices.chunks(Change::MAX_SETTLED);
                self.changes.extend(parts.map(|part| Change::Settled(spool, part.to_vec())));
            }
            change => self.changes.push(change),
        }
        Ok(())
    }
}
