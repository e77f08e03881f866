//! End users.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rusqlite::params;
use rusqlite::types::Value;
use weir_domain::name::fold;
use weir_domain::{CustomerId, EndUser, EndUserId};
use weir_store::{
    CountedEndUser, CustomerFilter, EndUserFilter, EndUserReads, EndUserWrites, Page, StoreResult,
};

use crate::row;
use crate::tx::Tx;

/// An end user with its live devices counted, in the order in which [`row::counted_end_user`] takes
/// the columns. The `+` keeps SQLite from a walk through all live devices.
macro_rules! select_end_user {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, email, customer_id, created_at,
                    (SELECT count(*) FROM gate.device AS device
                     WHERE device.end_user_id = end_user.id AND +device.deleted_at IS NULL)
             FROM gate.end_user AS end_user ",
            $rest
        )
    };
}

pub(crate) const BY_ID: &str = select_end_user!("WHERE id = ?1");

pub(crate) const FIRST_OF: &str = "SELECT id, name, email, customer_id, created_at
     FROM gate.end_user WHERE customer_id = ?1 ORDER BY created_at, id LIMIT 1";

pub(crate) const DEVICES: &str = "SELECT id, customer_id FROM gate.device WHERE end_user_id = ?1";

impl EndUserReads for Tx<'_> {
    fn end_user_by_id(&mut self, id: EndUserId) -> StoreResult<Option<CountedEndUser>> {
        self.first(BY_ID, [id.uuid().into_bytes()], row::counted_end_user)
    }

    fn end_users_by_ids(&mut self, ids: &[EndUserId]) -> StoreResult<Vec<EndUser>> {
        let mut select = self.statement(
            "SELECT id, name, email, customer_id, created_at FROM gate.end_user WHERE id = ?1",
        )?;
        let each: HashSet<EndUserId> = ids.iter().copied().collect();
        let found =
            each.into_iter().map(|id| select.first([id.uuid().into_bytes()], row::end_user));
        found.filter_map(Result::transpose).collect()
    }

    fn end_users_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<EndUser>> {
        let names: HashSet<String> = names.iter().map(|name| fold(name)).collect();
        let mut select =
            self.statement("SELECT id, name, email, customer_id, created_at FROM gate.end_user")?;
        let mut found = Vec::new();
        select.walk([], |row| {
            let end_user = row::end_user(row)?;
            if names.contains(&fold(end_user.name.as_str())) {
                found.push(end_user);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    fn end_users_page(
        &mut self,
        filter: &EndUserFilter,
        page: Page,
    ) -> StoreResult<Vec<CountedEndUser>> {
        let (conditions, mut values) = conditions(filter);
        let select = select_end_user!("");
        let order = "ORDER BY lowercase(name), id";
        values.extend([Value::from(page.limit), Value::from(super::offset(page))]);
        let sql = format!("{select} {conditions} {order} LIMIT ?3 OFFSET ?4");
        self.all(&sql, rusqlite::params_from_iter(values), row::counted_end_user)
    }

    fn end_users_count(&mut self, filter: &EndUserFilter) -> StoreResult<u64> {
        let (conditions, values) = conditions(filter);
        let sql = format!("SELECT count(*) FROM gate.end_user {conditions}");
        let count = self.first(&sql, rusqlite::params_from_iter(values), row::count("end_user"))?;
        Ok(count.unwrap_or_default())
    }

    fn end_user_first_of(&mut self, customer: CustomerId) -> StoreResult<Option<EndUser>> {
        self.first(FIRST_OF, [customer.uuid().into_bytes()], row::end_user)
    }
}

/// The conditions of a filter over the values `?1` and `?2`, which come with them.
fn conditions(filter: &EndUserFilter) -> (String, Vec<Value>) {
    let (customer, id) = match filter.customer {
        None => ("?1 IS NULL", Value::Null),
        Some(CustomerFilter::Unassociated) => ("customer_id IS ?1", Value::Null),
        Some(CustomerFilter::Of(id)) => {
            ("customer_id = ?1", Value::from(id.uuid().into_bytes().to_vec()))
        }
    };
    let part = filter.search.as_ref().map(|part| fold(part));
    let search = "(?2 IS NULL OR contains_folded(name, ?2) OR contains_folded(email, ?2))";
    (format!("WHERE {customer} AND {search}"), vec![id, Value::from(part)])
}

impl EndUserWrites for Tx<'_> {
    fn end_user_insert(&mut self, end_user: &EndUser) -> StoreResult<()> {
        self.execute(
            "INSERT INTO end_user (reseller_id, id, name, email, customer_id, created_at)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5)",
            params![
                end_user.id.uuid().into_bytes(),
                end_user.name.as_str(),
                end_user.email,
                end_user.customer.map(|id| id.uuid().into_bytes()),
                end_user.created_at.micros(),
            ],
        )
        .map(drop)
    }

    fn end_user_update(&mut self, end_user: &EndUser) -> StoreResult<bool> {
        let before = self.end_users_by_ids(&[end_user.id])?;
        let updated = self.execute(
            "UPDATE end_user SET name = ?2, email = ?3, customer_id = ?4
             WHERE reseller_id = current_reseller() AND id = ?1",
            params![
                end_user.id.uuid().into_bytes(),
                end_user.name.as_str(),
                end_user.email,
                end_user.customer.map(|id| id.uuid().into_bytes()),
            ],
        )?;
        if before.iter().any(|before| before.customer != end_user.customer) {
            self.devices_follow(end_user)?;
        }
        Ok(updated == 1)
    }

    fn end_user_references(&mut self, id: EndUserId) -> StoreResult<u64> {
        let sql = "SELECT count(*) FROM gate.device WHERE end_user_id = ?1";
        let count = self.first(sql, [id.uuid().into_bytes()], row::count("device"))?;
        Ok(count.unwrap_or_default())
    }

    fn end_user_delete(&mut self, id: EndUserId) -> StoreResult<bool> {
        let sql = "DELETE FROM end_user WHERE reseller_id = current_reseller() AND id = ?1";
        Ok(self.execute(sql, [id.uuid().into_bytes()])? == 1)
    }
}

impl Tx<'_> {
    /// Gives an end user's devices, soft-deleted ones too, its customer as their effective one, or
    /// each its own where it has none.
    fn devices_follow(&self, end_user: &EndUser) -> StoreResult<()> {
        let devices = self.all(DEVICES, [end_user.id.uuid().into_bytes()], row::own_customer)?;
        let ids: Vec<_> = devices.iter().map(|(id, _)| *id).collect();
        self.recount(&ids, || {
            let mut update = self.statement(
                "UPDATE device SET effective_customer_id = ?2
                 WHERE reseller_id = current_reseller() AND id = ?1",
            )?;
            devices.iter().try_for_each(|(id, own)| {
                let customer = end_user.customer.or(*own).map(|id| id.uuid().into_bytes());
                update.execute((id.uuid().into_bytes(), customer)).map(drop)
            })
        })
    }
}
