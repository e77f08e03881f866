//! Finding resellers.

use uuid::Uuid;
use weir_domain::{Refusal, Reseller, ResellerId, name};
use weir_store::SystemTx;

use crate::AppResult;

/// The reseller that an operator names: by id, name, slug or alias.
pub fn find(tx: &mut dyn SystemTx, named: &str) -> AppResult<Reseller> {
    let id = match Uuid::try_parse(named) {
        Ok(id) => Some(ResellerId::from_uuid(id)),
        Err(_) => tx.tenant_name_owner(&name::tenant_key(named))?,
    };
    let found = match id {
        Some(id) => tx.scoped(id)?.reseller()?,
        None => None,
    };
    Ok(found.ok_or_else(|| Refusal::ResellerNotFound(named.to_owned()))?)
}

/// All resellers, by name ignoring case.
pub fn list(tx: &mut dyn SystemTx) -> AppResult<Vec<Reseller>> {
    let mut resellers = Vec::new();
    for id in tx.resellers()? {
        resellers.extend(tx.scoped(id)?.reseller()?);
    }
    resellers.sort_by_key(|reseller| name::tenant_key(reseller.name.as_str()));
    Ok(resellers)
}
