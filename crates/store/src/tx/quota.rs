//! The monthly webhook quota.

use weir_domain::quota::QuotaFacts;
use weir_domain::{Month, SpoolId};

use crate::StoreResult;

/// Reads counts of the transaction's reseller.
pub trait QuotaReads {
    /// How many settled requests counted in a month so far.
    fn quota_used(&mut self, month: Month) -> StoreResult<i64>;
}

/// Counts and leases of the transaction's reseller. A lease belongs to a spool, so that what is left
/// of a dead node's lease can be given back once its spool is settled.
pub trait QuotaWrites {
    /// What is known of a month. Nobody else changes it until the transaction ends. `limit` is the
    /// reseller's `monthly_quota`.
    fn quota_facts(&mut self, month: Month) -> StoreResult<QuotaFacts>;

    /// Adds to a spool's lease; the lease exists from now on, also when `amount` is zero.
    fn quota_lease(&mut self, month: Month, spool: SpoolId, amount: i64) -> StoreResult<()>;

    /// Counts requests as used and takes them off the spool's lease, which never falls below zero.
    fn quota_settle(&mut self, month: Month, spool: SpoolId, requests: i64) -> StoreResult<()>;

    /// Ends a spool's leases with this reseller, for all months.
    fn quota_leases_end(&mut self, spool: SpoolId) -> StoreResult<()>;

    /// How many spools hold leases with this reseller.
    fn quota_lease_holders(&mut self) -> StoreResult<i64>;
}
