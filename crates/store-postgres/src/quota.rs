//! The monthly webhook quota. Whoever changes a month's leases or its count holds the row of its
//! count first.

use weir_domain::quota::QuotaFacts;
use weir_domain::{Month, SpoolId};
use weir_store::{QuotaReads, QuotaWrites, StoreResult};

use crate::row::{self, Columns};
use crate::tx::Tx;

impl QuotaReads for Tx<'_> {
    fn quota_used(&mut self, month: Month) -> StoreResult<i64> {
        let reseller = self.reseller()?;
        let sql = "SELECT used FROM quota_usage WHERE reseller_id = $1 AND month = $2";
        let row = self.row(sql, &[&reseller, &month.number()])?;
        row.map_or(Ok(0), |row| Columns::of(&row).take())
    }
}

impl QuotaWrites for Tx<'_> {
    fn quota_facts(&mut self, month: Month) -> StoreResult<QuotaFacts> {
        self.lock_month(month)?;
        let reseller = self.reseller()?;
        let sql = "SELECT
                coalesce((SELECT monthly_quota FROM reseller WHERE id = $1), 0),
                coalesce((SELECT used FROM quota_usage WHERE reseller_id = $1 AND month = $2), 0),
                coalesce((SELECT sum(amount) FROM quota_lease
                          WHERE reseller_id = $1 AND month = $2), 0)::bigint";
        let row = self.row(sql, &[&reseller, &month.number()])?;
        let Some(row) = row else { return Ok(QuotaFacts { limit: 0, used: 0, leased: 0 }) };
        let mut columns = Columns::of(&row);
        Ok(QuotaFacts { limit: columns.take()?, used: columns.take()?, leased: columns.take()? })
    }

    fn quota_lease(&mut self, month: Month, spool: SpoolId, amount: i64) -> StoreResult<()> {
        self.lock_month(month)?;
        let reseller = self.reseller()?;
        let sql = "INSERT INTO quota_lease (spool_id, reseller_id, month, amount)
            SELECT $2, $1, $3, amount FROM unnest(ARRAY[$4::bigint]) AS amount
            ON CONFLICT (spool_id, reseller_id, month)
            DO UPDATE SET amount = quota_lease.amount + excluded.amount";
        self.execute(sql, &[&reseller, &spool.uuid(), &month.number(), &amount])?;
        Ok(())
    }

    fn quota_settle(&mut self, month: Month, spool: SpoolId, requests: i64) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO quota_usage (reseller_id, month, used)
            SELECT $1, $2, used FROM unnest(ARRAY[$3::bigint]) AS used
            ON CONFLICT (reseller_id, month) DO UPDATE SET used = quota_usage.used + excluded.used";
        self.execute(sql, &[&reseller, &month.number(), &requests])?;
        let sql = "UPDATE quota_lease SET amount = greatest(amount - $4, 0)
            WHERE reseller_id = $1 AND spool_id = $2 AND month = $3";
        self.execute(sql, &[&reseller, &spool.uuid(), &month.number(), &requests])?;
        Ok(())
    }

    fn quota_leases_end(&mut self, spool: SpoolId) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "SELECT month FROM quota_usage WHERE reseller_id = $1 AND month IN (
                SELECT l.month FROM quota_lease l WHERE l.reseller_id = $1 AND l.spool_id = $2)
            ORDER BY month FOR NO KEY UPDATE";
        self.rows(sql, &[&reseller, &spool.uuid()])?;
        let sql = "DELETE FROM quota_lease WHERE reseller_id = $1 AND spool_id = $2";
        self.execute(sql, &[&reseller, &spool.uuid()])?;
        Ok(())
    }

    fn quota_lease_holders(&mut self) -> StoreResult<i64> {
        let reseller = self.reseller()?;
        let sql = "SELECT count(DISTINCT spool_id) FROM quota_lease WHERE reseller_id = $1";
        Ok(row::count(self.row(sql, &[&reseller])?.as_ref())?.cast_signed())
    }
}

impl Tx<'_> {
    /// Holds a month's count, which is there from now on.
    fn lock_month(&mut self, month: Month) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO quota_usage (reseller_id, month)
            SELECT id, $2 FROM reseller WHERE id = $1 ON CONFLICT DO NOTHING";
        self.execute(sql, &[&reseller, &month.number()])?;
        let sql = "SELECT 1 FROM quota_usage WHERE reseller_id = $1 AND month = $2
            FOR NO KEY UPDATE";
        self.rows(sql, &[&reseller, &month.number()])?;
        Ok(())
    }
}
