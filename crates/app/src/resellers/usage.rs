//! What is used of a month.

use weir_domain::Month;
use weir_store::ReadTx;

use crate::{AppResult, Env};

/// A month's uplinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// How many may come.
    pub limit: i64,
    /// How many counted so far.
    pub used: i64,
}

/// What the reseller of the transaction has used of the month that it is.
pub fn usage(tx: &mut dyn ReadTx, env: &Env) -> AppResult<Usage> {
    let used = tx.quota_used(Month::of(env.now()))?;
    let limit = tx.reseller()?.map_or(0, |reseller| reseller.monthly_quota);
    Ok(Usage { limit, used })
}
