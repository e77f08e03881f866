//! End users.

use tokio_postgres::types::Type;
use uuid::Uuid;
use weir_domain::{CustomerId, EndUser, EndUserId};
use weir_store::{
    CountedEndUser, CustomerFilter, EndUserFilter, EndUserReads, EndUserWrites, Page, StoreResult,
};

use crate::filter::{Conditions, folded, folded_names};
use crate::fleet::kind_columns;
use crate::row;
use crate::tx::Tx;

/// End users with their live devices counted, in the order of columns that [`row::counted_end_user`]
/// reads.
macro_rules! select_end_users {
    ($rest:literal) => {
        concat!(
            "SELECT u.id, u.name, u.email, u.customer_id, u.created_at,
                (SELECT count(*) FROM device d
                 WHERE d.reseller_id = $1 AND d.end_user_id = u.id AND d.deleted_at IS NULL) ",
            $rest
        )
    };
}

/// An end user's devices whose effective customer changes with its own, by the columns that they are
/// counted by. They are locked before the end user is, and looked for again once it is.
const FOLLOWING: &str = concat!(
    "SELECT ",
    kind_columns!(),
    " FROM device d WHERE d.reseller_id = $1 AND d.end_user_id = $2 \
         AND d.effective_customer_id IS DISTINCT FROM coalesce($3::uuid, d.customer_id) \
     ORDER BY d.key FOR NO KEY UPDATE"
);

fn meant(reseller: Uuid, filter: &EndUserFilter) -> Conditions<'_> {
    let mut conditions = Conditions::of(reseller, "reseller_id = $1");
    match filter.customer {
        Some(CustomerFilter::Of(id)) => {
            let id = conditions.bind(id.uuid(), Type::UUID);
            conditions.hold(&format!("customer_id = {id}"));
        }
        Some(CustomerFilter::Unassociated) => conditions.hold("customer_id IS NULL"),
        None => {}
    }
    if let Some(part) = &filter.search {
        conditions.search(part, &[folded!("name"), folded!("email")]);
    }
    conditions
}

impl EndUserReads for Tx<'_> {
    fn end_user_by_id(&mut self, id: EndUserId) -> StoreResult<Option<CountedEndUser>> {
        let reseller = self.reseller()?;
        if self.is_deciding {
            // As for customers.
            let sql = "SELECT 1 FROM end_user WHERE reseller_id = $1 AND id = $2
                FOR NO KEY UPDATE";
            self.rows(sql, &[&reseller, &id.uuid()])?;
        }
        let sql = select_end_users!("FROM end_user u WHERE u.reseller_id = $1 AND u.id = $2");
        let found = self.row(sql, &[&reseller, &id.uuid()])?;
        found.as_ref().map(row::counted_end_user).transpose()
    }

    fn end_users_by_ids(&mut self, ids: &[EndUserId]) -> StoreResult<Vec<EndUser>> {
        let reseller = self.reseller()?;
        let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        if self.is_deciding {
            // Those that devices are about to be assigned to are neither deleted nor given to another
            // customer meanwhile.
            let sql = "SELECT 1 FROM end_user WHERE reseller_id = $1 AND id = ANY($2)
                ORDER BY id FOR SHARE";
            self.rows(sql, &[&reseller, &ids])?;
        }
        let sql = "SELECT id, name, email, customer_id, created_at FROM end_user
            WHERE reseller_id = $1 AND id = ANY($2)";
        let rows = self.rows(sql, &[&reseller, &ids])?;
        rows.iter().map(row::end_user).collect()
    }

    fn end_users_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<EndUser>> {
        let reseller = self.reseller()?;
        let sql = concat!(
            "SELECT id, name, email, customer_id, created_at FROM end_user
            WHERE reseller_id = $1 AND (",
            folded!("name"),
            ") = ANY($2)"
        );
        let rows = self.rows(sql, &[&reseller, &folded_names(names)])?;
        rows.iter().map(row::end_user).collect()
    }

    fn end_users_page(
        &mut self,
        filter: &EndUserFilter,
        page: Page,
    ) -> StoreResult<Vec<CountedEndUser>> {
        let conditions = meant(self.reseller()?, filter);
        // Those of the page are counted for, and no others.
        let sql = format!(
            "{} FROM (SELECT * FROM end_user WHERE {} ORDER BY folded_name, id LIMIT {} OFFSET {}) u
             ORDER BY u.folded_name, u.id",
            select_end_users!(""),
            conditions.sql(),
            page.limit,
            crate::offset(page),
        );
        let rows = self.rows_where(&sql, &conditions)?;
        rows.iter().map(row::counted_end_user).collect()
    }

    fn end_users_count(&mut self, filter: &EndUserFilter) -> StoreResult<u64> {
        let conditions = meant(self.reseller()?, filter);
        let sql = format!("SELECT count(*) FROM end_user WHERE {}", conditions.sql());
        row::count(self.rows_where(&sql, &conditions)?.first())
    }

    fn end_user_first_of(&mut self, customer: CustomerId) -> StoreResult<Option<EndUser>> {
        let reseller = self.reseller()?;
        if self.is_deciding {
            let sql = "SELECT 1 FROM end_user WHERE reseller_id = $1 AND customer_id = $2
                ORDER BY created_at, id LIMIT 1 FOR SHARE";
            self.rows(sql, &[&reseller, &customer.uuid()])?;
        }
        let sql = "SELECT id, name, email, customer_id, created_at FROM end_user
            WHERE reseller_id = $1 AND customer_id = $2 ORDER BY created_at, id LIMIT 1";
        let found = self.row(sql, &[&reseller, &customer.uuid()])?;
        found.as_ref().map(row::end_user).transpose()
    }
}

impl EndUserWrites for Tx<'_> {
    fn end_user_insert(&mut self, end_user: &EndUser) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO end_user (reseller_id, id, name, email, customer_id, created_at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        self.execute(
            sql,
            &[
                &reseller,
                &end_user.id.uuid(),
                &end_user.name.as_str(),
                &end_user.email,
                &end_user.customer.map(CustomerId::uuid),
                &end_user.created_at.micros(),
            ],
        )?;
        Ok(())
    }

    fn end_user_update(&mut self, end_user: &EndUser) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let customer = end_user.customer.map(CustomerId::uuid);
        self.rows(FOLLOWING, &[&reseller, &end_user.id.uuid(), &customer])?;
        let sql = "UPDATE end_user SET name = $3, email = $4, customer_id = $5
            WHERE reseller_id = $1 AND id = $2";
        let updated = self.execute(
            sql,
            &[&reseller, &end_user.id.uuid(), &end_user.name.as_str(), &end_user.email, &customer],
        )?;
        self.devices_follow(end_user.id, customer)?;
        Ok(updated == 1)
    }

    fn end_user_references(&mut self, id: EndUserId) -> StoreResult<u64> {
        let reseller = self.reseller()?;
        if !self.holds_devices {
            let sql = "SELECT 1 FROM device WHERE reseller_id = $1 AND end_user_id = $2
                ORDER BY key FOR NO KEY UPDATE";
            self.rows(sql, &[&reseller, &id.uuid()])?;
            self.holds_devices = true;
        }
        // Whoever assigns a device to it waits for this lock.
        let sql = "SELECT 1 FROM end_user WHERE reseller_id = $1 AND id = $2 FOR UPDATE";
        self.rows(sql, &[&reseller, &id.uuid()])?;
        let sql = "SELECT count(*) FROM device WHERE reseller_id = $1 AND end_user_id = $2";
        row::count(self.row(sql, &[&reseller, &id.uuid()])?.as_ref())
    }

    fn end_user_delete(&mut self, id: EndUserId) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "DELETE FROM end_user WHERE reseller_id = $1 AND id = $2";
        Ok(self.execute(sql, &[&reseller, &id.uuid()])? == 1)
    }
}

impl Tx<'_> {
    /// Gives the devices of an end user, soft-deleted ones too, the customer that they now have. The
    /// end user is locked, so that no device comes to be assigned to it meanwhile.
    fn devices_follow(&mut self, id: EndUserId, customer: Option<Uuid>) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let before = self.rows(FOLLOWING, &[&reseller, &id.uuid(), &customer])?;
        if before.is_empty() {
            return Ok(());
        }
        let sql = concat!(
            "UPDATE device d SET effective_customer_id = coalesce($3::uuid, d.customer_id) \
             WHERE d.reseller_id = $1 AND d.end_user_id = $2 \
                 AND d.effective_customer_id IS DISTINCT FROM coalesce($3::uuid, d.customer_id) \
             RETURNING ",
            kind_columns!()
        );
        let after = self.rows(sql, &[&reseller, &id.uuid(), &customer])?;
        crate::expect_rows(after.len() as u64, before.len(), "devices of an end user")?;
        self.fleet.lose_all(&before)?;
        self.fleet.gain_all(&after)
    }
}
