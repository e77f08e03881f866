//! Changing a reseller.

use weir_domain::billing::Tiers;
use weir_domain::{Name, Refusal, Reseller, name};
use weir_store::{Change, Scope, SystemTx};

use crate::AppResult;

/// What is to be changed; the rest stays.
#[derive(Debug, Clone, Default)]
pub struct ResellerChange {
    /// A new name; the slug follows it.
    pub name: Option<Name>,
    /// Names to be called by as well.
    pub add_aliases: Vec<Name>,
    /// Aliases to be called by no more.
    pub remove_aliases: Vec<Name>,
    /// Another tier.
    pub tier: Option<String>,
    /// Another monthly quota.
    pub monthly_quota: Option<i64>,
    /// Another time zone.
    pub timezone: Option<String>,
}

/// What a reseller may change about itself; the rest is its operator's.
#[derive(Debug, Clone, Default)]
pub struct OwnChange {
    /// Names to be called by as well.
    pub add_aliases: Vec<Name>,
    /// Aliases to be called by no more.
    pub remove_aliases: Vec<Name>,
    /// Another time zone.
    pub timezone: Option<String>,
}

/// Changes the reseller of a scope, as one of its own members does. Refused as [`update`] is.
pub fn update_own(
    tx: &mut dyn SystemTx,
    tiers: &Tiers,
    scope: &Scope,
    change: OwnChange,
) -> AppResult<Reseller> {
    let OwnChange { add_aliases, remove_aliases, timezone } = change;
    let change = ResellerChange { add_aliases, remove_aliases, timezone, ..Default::default() };
    update(tx, tiers, &scope.reseller().to_string(), &change)
}

/// Changes a reseller. Refused where a new name is another's, where an alias to remove is not there,
/// and where tier, quota or time zone make no sense.
pub fn update(
    tx: &mut dyn SystemTx,
    tiers: &Tiers,
    named: &str,
    change: &ResellerChange,
) -> AppResult<Reseller> {
    let mut reseller = super::find(tx, named)?;
    let old_keys = reseller.tenant_keys();
    if let Some(new_name) = &change.name {
        reseller.slug = name::slug(new_name.as_str());
        reseller.name = new_name.clone();
        if reseller.slug.is_empty() {
            let reason = "must contain a letter or a digit".to_owned();
            return Err(Refusal::Invalid { field: "name", reason }.into());
        }
    }
    for alias in &change.remove_aliases {
        let key = name::tenant_key(alias.as_str());
        let before = reseller.aliases.len();
        reseller.aliases.retain(|kept| name::tenant_key(kept.as_str()) != key);
        if reseller.aliases.len() == before {
            let reason = format!("{:?} is not an alias of this reseller", alias.as_str());
            return Err(Refusal::Invalid { field: "remove_alias", reason }.into());
        }
    }
    super::add_aliases(&mut reseller.aliases, &change.add_aliases);
    reseller.tier = change.tier.clone().unwrap_or(reseller.tier);
    reseller.monthly_quota = change.monthly_quota.unwrap_or(reseller.monthly_quota);
    reseller.timezone = change.timezone.clone().unwrap_or(reseller.timezone);
    if change.tier.is_some() {
        super::check_tier(&reseller.tier, tiers)?;
    }
    super::check_quota(reseller.monthly_quota)?;
    super::check_timezone(&reseller.timezone)?;

    let new_keys = reseller.tenant_keys();
    super::claim_names(tx, &new_keys, reseller.id)?;
    for gone in old_keys.iter().filter(|key| !new_keys.contains(key)) {
        tx.tenant_name_release(gone, reseller.id)?;
    }
    let scoped = tx.scoped(reseller.id)?;
    scoped.reseller_update(&reseller)?;
    scoped.announce(Change::Reseller(reseller.id))?;
    Ok(reseller)
}
