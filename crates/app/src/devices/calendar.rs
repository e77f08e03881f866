//! Whose days a device's days are.

use weir_domain::{Calendar, CustomerId};
use weir_store::ReadTx;

use crate::AppResult;

/// The days of devices with that effective customer.
pub fn calendar_of(tx: &mut dyn ReadTx, customer: Option<CustomerId>) -> AppResult<Calendar> {
    let customer = match customer {
        Some(id) => tx.customer_by_id(id)?,
        None => None,
    };
    let zone = customer.and_then(|counted| counted.customer.timezone);
    let own = tx.reseller()?.map(|reseller| reseller.timezone).unwrap_or_default();
    Ok(Calendar::of_device(zone.as_deref(), &own))
}
