//! Counts of live devices, kept by kind.
//!
//! A transaction collects what it changes and writes it right before it commits, all at once and in
//! one order: a row that every registration changes is locked for a moment only, and nobody waits in
//! a circle.

use std::collections::BTreeMap;

use tokio_postgres::Row;
use uuid::Uuid;
use weir_store::{CustomerFilter, StoreError, StoreResult};

use crate::row::Columns;
use crate::tx::Tx;

/// What a live device is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    /// Its effective customer; the zero UUID where there is none, because a key has no nulls.
    customer: Uuid,
    is_assigned: bool,
    is_principal: bool,
    is_active: bool,
}

/// The columns of a device `d` that make its kind, in the order that [`Kind::take`] reads.
macro_rules! kind_columns {
    () => {
        "d.effective_customer_id, d.end_user_id IS NOT NULL, d.is_principal, d.is_active, \
         d.deleted_at IS NULL"
    };
}
pub(crate) use kind_columns;

impl Kind {
    /// That of a device which was just registered.
    pub(crate) fn of_new(customer: Option<Uuid>, is_principal: bool) -> Option<Self> {
        let customer = customer.unwrap_or(Uuid::nil());
        Some(Self { customer, is_assigned: false, is_principal, is_active: true })
    }

    /// That of a device by the next columns; none where it is not live.
    pub(crate) fn take(columns: &mut Columns<'_>) -> StoreResult<Option<Self>> {
        let kind = Self {
            customer: columns.take::<Option<_>>()?.unwrap_or(Uuid::nil()),
            is_assigned: columns.take()?,
            is_principal: columns.take()?,
            is_active: columns.take()?,
        };
        Ok(columns.take::<bool>()?.then_some(kind))
    }
}

/// How a transaction has changed the counts and not written it yet.
#[derive(Default)]
pub(crate) struct Fleet(BTreeMap<Kind, i64>);

impl Fleet {
    /// Counts a device by what it is from now on.
    pub(crate) fn gain(&mut self, kind: Option<Kind>) {
        self.change(kind, 1);
    }

    /// No longer counts a device by what it was.
    pub(crate) fn lose(&mut self, kind: Option<Kind>) {
        self.change(kind, -1);
    }

    /// Counts devices by what they are from now on, which their rows begin with.
    pub(crate) fn gain_all(&mut self, rows: &[Row]) -> StoreResult<()> {
        for row in rows {
            self.gain(Kind::take(&mut Columns::of(row))?);
        }
        Ok(())
    }

    /// No longer counts devices by what they were, which their rows begin with.
    pub(crate) fn lose_all(&mut self, rows: &[Row]) -> StoreResult<()> {
        for row in rows {
            self.lose(Kind::take(&mut Columns::of(row))?);
        }
        Ok(())
    }

    /// The counts themselves are deleted: there is nothing to write.
    pub(crate) fn forget(&mut self) {
        self.0.clear();
    }

    fn change(&mut self, kind: Option<Kind>, by: i64) {
        if let Some(kind) = kind {
            *self.0.entry(kind).or_default() += by;
        }
    }
}

/// Whose devices are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Everyone's.
    All,
    /// Those of a customer, or of none, which is the zero UUID.
    One(Uuid),
    /// Nobody can have devices that all filters mean.
    Nobody,
}

impl Whose {
    /// Those that each of these filters means.
    pub(crate) fn meant(customers: &[CustomerFilter]) -> Self {
        let Some((first, others)) = customers.split_first() else { return Self::All };
        match first {
            _ if others.iter().any(|other| other != first) => Self::Nobody,
            CustomerFilter::Unassociated => Self::One(Uuid::nil()),
            // No customer has this id; here it would mean those without one.
            CustomerFilter::Of(id) if id.uuid().is_nil() => Self::Nobody,
            CustomerFilter::Of(id) => Self::One(id.uuid()),
        }
    }
}

impl Tx<'_> {
    /// Writes what this transaction has changed, so that counts can be read or it can be committed.
    pub(crate) fn fleet_store(&mut self) -> StoreResult<()> {
        let mut changes = std::mem::take(&mut self.fleet).0;
        changes.retain(|_, change| *change != 0);
        if changes.is_empty() {
            return Ok(());
        }
        let reseller = self.reseller()?;
        let customers: Vec<Uuid> = changes.keys().map(|kind| kind.customer).collect();
        let are_assigned: Vec<bool> = changes.keys().map(|kind| kind.is_assigned).collect();
        let are_principal: Vec<bool> = changes.keys().map(|kind| kind.is_principal).collect();
        let are_active: Vec<bool> = changes.keys().map(|kind| kind.is_active).collect();
        let devices: Vec<i64> = changes.into_values().collect();
        let sql = "INSERT INTO fleet_count
                (reseller_id, customer_id, is_assigned, is_principal, is_active, devices)
            SELECT $1, c.* FROM unnest($2::uuid[], $3::boolean[], $4::boolean[], $5::boolean[],
                $6::bigint[]) AS c
            ON CONFLICT (reseller_id, customer_id, is_assigned, is_principal, is_active)
            DO UPDATE SET devices = fleet_count.devices + excluded.devices
            RETURNING devices";
        let rows = self.rows(
            sql,
            &[&reseller, &customers, &are_assigned, &are_principal, &are_active, &devices],
        )?;
        // A constraint would look at the change alone, before it is added to what is there.
        for row in &rows {
            if Columns::of(row).take::<i64>()? < 0 {
                return Err(StoreError::Corrupt {
                    table: "fleet_count",
                    id: reseller.to_string(),
                    reason: "fewer devices than none are counted".to_owned(),
                });
            }
        }
        Ok(())
    }
}
