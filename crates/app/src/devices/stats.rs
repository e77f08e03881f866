//! Counting the fleet.

use weir_domain::first_seen;
use weir_store::{CustomerFilter, DeviceStats, ReadTx};

use crate::{AppResult, Env};

/// Counts of the live devices of these customers (each filter has to hold); new are those first seen
/// within the last 7 days.
pub fn stats(
    tx: &mut dyn ReadTx,
    env: &Env,
    customers: &[CustomerFilter],
) -> AppResult<DeviceStats> {
    Ok(tx.devices_stats(customers, env.now().minus(first_seen::WEEK))?)
}
