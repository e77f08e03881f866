//! Customers.

use uuid::Uuid;
use weir_domain::{Customer, CustomerId};
use weir_store::{CountedCustomer, CustomerReads, CustomerWrites, Page, StoreResult};

use crate::filter::{Conditions, folded, folded_names};
use crate::row::{self, Columns};
use crate::tx::Tx;

/// Customers with their live devices and their end users counted, in the order of columns that
/// [`row::customer`] reads.
macro_rules! select_customers {
    ($rest:literal) => {
        concat!(
            "SELECT c.id, c.name, c.email, c.phone, c.address, c.timezone, c.created_at,
            (SELECT coalesce(sum(f.devices), 0)::bigint FROM fleet_count f
             WHERE f.reseller_id = $1 AND f.customer_id = c.id),
            (SELECT count(*) FROM end_user member
             WHERE member.reseller_id = $1 AND member.customer_id = c.id) ",
            $rest
        )
    };
}

fn meant(reseller: Uuid, search: Option<&str>) -> Conditions<'_> {
    let mut conditions = Conditions::of(reseller, "reseller_id = $1");
    if let Some(part) = search {
        conditions.search(part, &[folded!("name"), folded!("email")]);
    }
    conditions
}

impl CustomerReads for Tx<'_> {
    fn customer_by_id(&mut self, id: CustomerId) -> StoreResult<Option<CountedCustomer>> {
        let reseller = self.reseller()?;
        if self.is_deciding {
            // What is decided upon here must still be so when it is applied. Weak enough for rows
            // that refer to the customer to be added meanwhile.
            let sql = "SELECT 1 FROM customer WHERE reseller_id = $1 AND id = $2
                FOR NO KEY UPDATE";
            self.rows(sql, &[&reseller, &id.uuid()])?;
        }
        self.fleet_store()?;
        let sql = select_customers!("FROM customer c WHERE c.reseller_id = $1 AND c.id = $2");
        let found = self.row(sql, &[&reseller, &id.uuid()])?;
        found.as_ref().map(row::customer).transpose()
    }

    fn customers_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<CountedCustomer>> {
        self.fleet_store()?;
        let reseller = self.reseller()?;
        let sql = concat!(
            select_customers!("FROM customer c WHERE c.reseller_id = $1 AND ("),
            folded!("c.name"),
            ") = ANY($2)"
        );
        let rows = self.rows(sql, &[&reseller, &folded_names(names)])?;
        rows.iter().map(row::customer).collect()
    }

    fn customers_page(
        &mut self,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Vec<CountedCustomer>> {
        self.fleet_store()?;
        let conditions = meant(self.reseller()?, search);
        // Those of the page are counted for, and no others.
        let sql = format!(
            "{} FROM (SELECT * FROM customer WHERE {} ORDER BY folded_name, id LIMIT {} OFFSET {}) c
             ORDER BY c.folded_name, c.id",
            select_customers!(""),
            conditions.sql(),
            page.limit,
            crate::offset(page),
        );
        let rows = self.rows_where(&sql, &conditions)?;
        rows.iter().map(row::customer).collect()
    }

    fn customers_count(&mut self, search: Option<&str>) -> StoreResult<u64> {
        let conditions = meant(self.reseller()?, search);
        let sql = format!("SELECT count(*) FROM customer WHERE {}", conditions.sql());
        row::count(self.rows_where(&sql, &conditions)?.first())
    }
}

impl CustomerWrites for Tx<'_> {
    fn customer_insert(&mut self, customer: &Customer) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO customer
                (reseller_id, id, name, email, phone, address, timezone, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        self.execute(
            sql,
            &[
                &reseller,
                &customer.id.uuid(),
                &customer.name.as_str(),
                &customer.email,
                &customer.phone,
                &customer.address,
                &customer.timezone,
                &customer.created_at.micros(),
            ],
        )?;
        Ok(())
    }

    fn customer_update(&mut self, customer: &Customer) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "UPDATE customer SET name = $3, email = $4, phone = $5, address = $6,
                timezone = $7
            WHERE reseller_id = $1 AND id = $2";
        let updated = self.execute(
            sql,
            &[
                &reseller,
                &customer.id.uuid(),
                &customer.name.as_str(),
                &customer.email,
                &customer.phone,
                &customer.address,
                &customer.timezone,
            ],
        )?;
        Ok(updated == 1)
    }

    fn customer_references(&mut self, id: CustomerId) -> StoreResult<(u64, u64)> {
        let reseller = self.reseller()?;
        // Whoever adds a row that refers to it waits for this lock.
        let sql = "SELECT 1 FROM customer WHERE reseller_id = $1 AND id = $2 FOR UPDATE";
        self.rows(sql, &[&reseller, &id.uuid()])?;
        let sql = "SELECT
            (SELECT count(*) FROM device WHERE reseller_id = $1 AND customer_id = $2),
            (SELECT count(*) FROM end_user WHERE reseller_id = $1 AND customer_id = $2)";
        let Some(row) = self.row(sql, &[&reseller, &id.uuid()])? else { return Ok((0, 0)) };
        let mut columns = Columns::of(&row);
        Ok((columns.count()?, columns.count()?))
    }

    fn customer_delete(&mut self, id: CustomerId) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "DELETE FROM customer WHERE reseller_id = $1 AND id = $2";
        Ok(self.execute(sql, &[&reseller, &id.uuid()])? == 1)
    }
}
