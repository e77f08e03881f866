//! The monthly webhook quota.

use weir_domain::quota::QuotaFacts;
use weir_domain::{Month, SpoolId};
use weir_store::{QuotaReads, QuotaWrites, StoreResult};

use crate::row;
use crate::tx::Tx;

pub(crate) const LEASED: &str =
    "SELECT coalesce(sum(amount), 0) FROM gate.quota_lease WHERE month = ?1";

impl QuotaReads for Tx<'_> {
    fn quota_used(&mut self, month: Month) -> StoreResult<i64> {
        self.used(month)
    }
}

impl QuotaWrites for Tx<'_> {
    fn quota_facts(&mut self, month: Month) -> StoreResult<QuotaFacts> {
        let sql = "SELECT monthly_quota FROM gate.reseller";
        let limit = self.first(sql, [], row::number("reseller"))?.unwrap_or_default();
        let leased = self.first(LEASED, [month.number()], row::number("quota_lease"))?;
        let used = self.used(month)?;
        Ok(QuotaFacts { limit, used, leased: leased.unwrap_or_default() })
    }

    fn quota_lease(&mut self, month: Month, spool: SpoolId, amount: i64) -> StoreResult<()> {
        let held = self.leased(month, spool)?.unwrap_or_default();
        self.execute(
            "INSERT INTO quota_lease (spool_id, reseller_id, month, amount)
             VALUES (?1, current_reseller(), ?2, ?3)
             ON CONFLICT DO UPDATE SET amount = excluded.amount",
            (spool.uuid().into_bytes(), month.number(), held.saturating_add(amount)),
        )?;
        Ok(())
    }

    fn quota_settle(&mut self, month: Month, spool: SpoolId, requests: i64) -> StoreResult<()> {
        let used = self.used(month)?.saturating_add(requests);
        self.execute(
            "INSERT INTO quota_usage (reseller_id, month, used)
             VALUES (current_reseller(), ?1, ?2) ON CONFLICT DO UPDATE SET used = excluded.used",
            (month.number(), used),
        )?;
        if let Some(held) = self.leased(month, spool)? {
            self.execute(
                "UPDATE quota_lease SET amount = ?3
                 WHERE spool_id = ?1 AND reseller_id = current_reseller() AND month = ?2",
                (spool.uuid().into_bytes(), month.number(), held.saturating_sub(requests).max(0)),
            )?;
        }
        Ok(())
    }

    fn quota_leases_end(&mut self, spool: SpoolId) -> StoreResult<()> {
        let sql =
            "DELETE FROM quota_lease WHERE spool_id = ?1 AND reseller_id = current_reseller()";
        self.execute(sql, [spool.uuid().into_bytes()])?;
        Ok(())
    }

    fn quota_lease_holders(&mut self) -> StoreResult<i64> {
        let sql = "SELECT count(DISTINCT spool_id) FROM gate.quota_lease";
        Ok(self.first(sql, [], row::number("quota_lease"))?.unwrap_or_default())
    }
}

impl Tx<'_> {
    fn used(&self, month: Month) -> StoreResult<i64> {
        let sql = "SELECT used FROM gate.quota_usage WHERE month = ?1";
        let used = self.first(sql, [month.number()], row::number("quota_usage"))?;
        Ok(used.unwrap_or_default())
    }

    fn leased(&self, month: Month, spool: SpoolId) -> StoreResult<Option<i64>> {
        let sql = "SELECT amount FROM gate.quota_lease WHERE spool_id = ?1 AND month = ?2";
        let values = (spool.uuid().into_bytes(), month.number());
        self.first(sql, values, row::number("quota_lease"))
    }
}
