//! Deleting a reseller, in two steps: nothing of it may be accepted any more before what was accepted
//! is counted out.

use weir_domain::{Refusal, Reseller};
use weir_store::{Change, SystemTx};

use crate::AppResult;

/// Closes a reseller: its keys open nothing from now on, and every node, when it hears of it, settles
/// what it holds of it and ends its leases.
pub fn close(tx: &mut dyn SystemTx, named: &str) -> AppResult<Reseller> {
    let mut reseller = super::find(tx, named)?;
    reseller.is_closing = true;
    let scoped = tx.scoped(reseller.id)?;
    scoped.reseller_update(&reseller)?;
    scoped.announce(Change::Reseller(reseller.id))?;
    Ok(reseller)
}

/// Deletes a closed reseller and everything of it. Refused while a node holds a lease for it, for
/// uplinks of it may still wait there.
pub fn delete_closed(tx: &mut dyn SystemTx, reseller: &Reseller) -> AppResult<()> {
    let scoped = tx.scoped(reseller.id)?;
    let nodes = scoped.quota_lease_holders()?;
    if nodes > 0 {
        return Err(Refusal::ResellerPending { nodes }.into());
    }
    let keys = scoped.api_keys()?;
    scoped.reseller_delete()?;
    scoped.announce(Change::Reseller(reseller.id))?;
    for key in keys {
        tx.api_key_withdraw(reseller.id, key.id)?;
    }
    for name in reseller.tenant_keys() {
        tx.tenant_name_release(&name, reseller.id)?;
    }
    Ok(())
}
