//! Customers.

use std::collections::HashSet;

use rusqlite::params;
use weir_domain::name::fold;
use weir_domain::{Customer, CustomerId};
use weir_store::{CountedCustomer, CustomerReads, CustomerWrites, Page, StoreResult};

use crate::row;
use crate::tx::Tx;

/// A customer with its live devices and its end users counted, in the order in which
/// [`row::counted_customer`] takes the columns.
macro_rules! select_customer {
    ($rest:literal) => {
        concat!(
            "SELECT customer.id, customer.name, customer.email, customer.phone, customer.address,
                    customer.timezone, customer.created_at,
                    (SELECT coalesce(sum(fleet.devices), 0) FROM gate.fleet_count AS fleet
                     WHERE fleet.customer_id = customer.id),
                    (SELECT count(*) FROM gate.end_user AS member
                     WHERE member.customer_id = customer.id)
             FROM gate.customer AS customer ",
            $rest
        )
    };
}

pub(crate) const BY_ID: &str = select_customer!("WHERE customer.id = ?1");

const PAGE: &str = select_customer!(
    "WHERE ?1 IS NULL OR contains_folded(name, ?1) OR contains_folded(email, ?1)
     ORDER BY lowercase(name), id LIMIT ?2 OFFSET ?3"
);

impl CustomerReads for Tx<'_> {
    fn customer_by_id(&mut self, id: CustomerId) -> StoreResult<Option<CountedCustomer>> {
        self.first(BY_ID, [id.uuid().into_bytes()], row::counted_customer)
    }

    fn customers_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<CountedCustomer>> {
        let names: HashSet<String> = names.iter().map(|name| fold(name)).collect();
        // Names are compared here, once each; what is counted is counted for those that are found.
        let all = self.all("SELECT id, name FROM gate.customer", [], row::customer_name)?;
        let meant = all.into_iter().filter(|(_, name)| names.contains(&fold(name.as_str())));
        meant.filter_map(|(id, _)| self.customer_by_id(id).transpose()).collect()
    }

    fn customers_page(
        &mut self,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Vec<CountedCustomer>> {
        let values = (search.map(fold), page.limit, super::offset(page));
        self.all(PAGE, values, row::counted_customer)
    }

    fn customers_count(&mut self, search: Option<&str>) -> StoreResult<u64> {
        let sql = "SELECT count(*) FROM gate.customer
             WHERE ?1 IS NULL OR contains_folded(name, ?1) OR contains_folded(email, ?1)";
        let count = self.first(sql, [search.map(fold)], row::count("customer"))?;
        Ok(count.unwrap_or_default())
    }
}

impl CustomerWrites for Tx<'_> {
    fn customer_insert(&mut self, customer: &Customer) -> StoreResult<()> {
        self.execute(
            "INSERT INTO customer
                 (reseller_id, id, name, email, phone, address, timezone, created_at)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                customer.id.uuid().into_bytes(),
                customer.name.as_str(),
                customer.email,
                customer.phone,
                customer.address,
                customer.timezone,
                customer.created_at.micros(),
            ],
        )
        .map(drop)
    }

    fn customer_update(&mut self, customer: &Customer) -> StoreResult<bool> {
        let updated = self.execute(
            "UPDATE customer SET name = ?2, email = ?3, phone = ?4, address = ?5, timezone = ?6
             WHERE reseller_id = current_reseller() AND id = ?1",
            params![
                customer.id.uuid().into_bytes(),
                customer.name.as_str(),
                customer.email,
                customer.phone,
                customer.address,
                customer.timezone,
            ],
        )?;
        Ok(updated == 1)
    }

    fn customer_references(&mut self, id: CustomerId) -> StoreResult<(u64, u64)> {
        let id = id.uuid().into_bytes();
        let sql = "SELECT count(*) FROM gate.device WHERE customer_id = ?1";
        let devices = self.first(sql, [id], row::count("device"))?;
        let sql = "SELECT count(*) FROM gate.end_user WHERE customer_id = ?1";
        let end_users = self.first(sql, [id], row::count("end_user"))?;
        Ok((devices.unwrap_or_default(), end_users.unwrap_or_default()))
    }

    fn customer_delete(&mut self, id: CustomerId) -> StoreResult<bool> {
        let sql = "DELETE FROM customer WHERE reseller_id = current_reseller() AND id = ?1";
        Ok(self.execute(sql, [id.uuid().into_bytes()])? == 1)
    }
}
