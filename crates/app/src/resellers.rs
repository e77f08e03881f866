//! Resellers, as an operator manages them; a little of themselves they manage on their own.

mod bill;
mod change;
mod close;
mod create;
mod find;
mod usage;

pub use bill::bill;
pub use change::{OwnChange, ResellerChange, update, update_own};
pub use close::{close, delete_closed};
pub use create::{Created, NewReseller, create};
pub use find::{find, list};
pub use usage::{Usage, usage};

use weir_domain::billing::Tiers;
use weir_domain::{Calendar, Name, Refusal, ResellerId, name};
use weir_store::SystemTx;

use crate::AppResult;

/// Claims tenant names for a reseller, or says which one another has.
fn claim_names(tx: &mut dyn SystemTx, keys: &[String], reseller: ResellerId) -> AppResult<()> {
    for key in keys {
        if !tx.tenant_name_claim(key, reseller)? {
            return Err(Refusal::TenantNameTaken(key.clone()).into());
        }
    }
    Ok(())
}

/// Adds aliases that are not there yet in any spelling.
fn add_aliases(aliases: &mut Vec<Name>, more: &[Name]) {
    for alias in more {
        let key = name::tenant_key(alias.as_str());
        if aliases.iter().all(|known| name::tenant_key(known.as_str()) != key) {
            aliases.push(alias.clone());
        }
    }
}

fn check_tier(tier: &str, tiers: &Tiers) -> AppResult<()> {
    if tiers.has(tier) { Ok(()) } else { Err(unknown_tier(tier, tiers).into()) }
}

fn unknown_tier(tier: &str, tiers: &Tiers) -> Refusal {
    let reason = format!("must be one of {}, not {tier:?}", tiers.names().join(", "));
    Refusal::Invalid { field: "tier", reason }
}

fn check_quota(quota: i64) -> AppResult<()> {
    if quota >= 0 {
        return Ok(());
    }
    Err(Refusal::Invalid { field: "quota", reason: "must be 0 or more".into() }.into())
}

fn check_timezone(timezone: &str) -> AppResult<()> {
    if Calendar::named(timezone).is_some() {
        return Ok(());
    }
    let reason = format!("{timezone:?} is not an IANA time zone such as Europe/Lisbon");
    Err(Refusal::Invalid { field: "timezone", reason }.into())
}
