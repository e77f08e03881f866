//! How many live devices there are of each kind.
//!
//! Lists, statistics and bills ask for counts that would otherwise be a walk through the fleet. What
//! changes devices does so inside [`Tx::recount`], which looks at their kinds before and after.

use std::collections::BTreeMap;

use rusqlite::types::Value;
use weir_domain::{CustomerId, DeviceId};
use weir_store::{CustomerFilter, StoreResult};

use crate::row;
use crate::tx::Tx;

/// What a live device is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    /// Its effective customer.
    pub customer: Option<CustomerId>,
    /// Whether it has an end user.
    pub is_assigned: bool,
    /// Whether it is a principal one.
    pub is_principal: bool,
    /// Whether it is active.
    pub is_active: bool,
}

/// The customer of those who have none.
pub(crate) const NOBODY: &str = "zeroblob(16)";

/// The condition under which counts are those of a customer's devices; `id` is how the statement names
/// the customer.
pub(crate) fn condition(
    customer: &CustomerFilter,
    id: impl FnOnce(CustomerId) -> String,
) -> String {
    match customer {
        CustomerFilter::Unassociated => format!("customer_id = {NOBODY}"),
        // Who asks for the devices of `NOBODY` by its id means a customer that does not exist.
        CustomerFilter::Of(customer) => {
            format!("customer_id = {} AND customer_id <> {NOBODY}", id(*customer))
        }
    }
}

impl Tx<'_> {
    /// Makes a change of these devices, and counts them anew. A change that is refused is counted as
    /// well: a part of it may have been made, and the transaction may go on.
    pub fn recount<R>(
        &self,
        devices: &[DeviceId],
        change: impl FnOnce() -> StoreResult<R>,
    ) -> StoreResult<R> {
        let before = self.kinds(devices)?;
        let outcome = change();
        let counted = self.kinds(devices).and_then(|after| self.count_differences(&before, &after));
        outcome.and_then(|made| counted.map(|()| made))
    }

    fn count_differences(&self, before: &[Kind], after: &[Kind]) -> StoreResult<()> {
        let mut differences = BTreeMap::<Kind, i64>::new();
        let (gone, come) =
            (before.iter().map(|kind| (kind, -1)), after.iter().map(|kind| (kind, 1)));
        for (kind, by) in gone.chain(come) {
            *differences.entry(*kind).or_default() += by;
        }
        differences.retain(|_, by| *by != 0);
        differences.into_iter().try_for_each(|(kind, by)| self.count(kind, by))
    }

    /// The kinds of those of these devices that are live.
    fn kinds(&self, devices: &[DeviceId]) -> StoreResult<Vec<Kind>> {
        let mut select = self.statement(KIND)?;
        let kinds = devices.iter().map(|id| select.first([id.uuid().into_bytes()], row::kind));
        kinds.filter_map(Result::transpose).collect()
    }

    fn count(&self, kind: Kind, difference: i64) -> StoreResult<()> {
        let customer = kind.customer.map_or([0; 16], |id| id.uuid().into_bytes());
        let values = [
            Value::from(customer.to_vec()),
            Value::from(kind.is_assigned),
            Value::from(kind.is_principal),
            Value::from(kind.is_active),
        ];
        let counted =
            self.first(CELL, rusqlite::params_from_iter(&values), row::number("fleet_count"))?;
        let devices = Value::from(counted.unwrap_or_default() + difference);
        self.execute(
            "INSERT INTO fleet_count
                 (reseller_id, customer_id, is_assigned, is_principal, is_active, devices)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET devices = excluded.devices",
            rusqlite::params_from_iter(values.iter().chain([&devices])),
        )
        .map(drop)
    }
}

/// The `+` keeps SQLite from a walk through all live devices.
pub(crate) const KIND: &str =
    "SELECT effective_customer_id, end_user_id IS NOT NULL, is_principal, is_active
     FROM gate.device WHERE id = ?1 AND +deleted_at IS NULL";

pub(crate) const CELL: &str = "SELECT devices FROM gate.fleet_count
     WHERE customer_id = ?1 AND is_assigned = ?2 AND is_principal = ?3 AND is_active = ?4";
