//! Billing a reseller.

use weir_domain::billing::{Bill, Tiers};
use weir_store::ReadTx;

use crate::AppResult;

/// What the reseller of the transaction is billed for the devices that it has live and active now.
/// None where its tier is not among those that are configured any more.
pub fn bill(tx: &mut dyn ReadTx, tiers: &Tiers) -> AppResult<Option<Bill>> {
    let Some(reseller) = tx.reseller()? else { return Ok(None) };
    Ok(tiers.bill(&reseller.tier, tx.devices_billed()?))
}
