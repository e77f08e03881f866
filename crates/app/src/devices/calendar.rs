//! Whose days a device's days are.

use weir_domain::{Calendar, CustomerId};
use weir_store::ReadTx;

use crate::AppResult;

/// The days of devices with that effective customer: those of the customer's time zone, else of the
/// reseller's, else of UTC.
pub fn calendar_of(tx: &mut dyn ReadTx, customer: Option<CustomerId>) -> AppResult<Calendar> {
    let customer = match customer {
        Some(id) => tx.customer_by_id(id)?,
        None => None,
    };
    if let Some(zone) = customer.and_then(|counted| counted.customer.timezone)
        && let Some(calendar) = Calendar::named(&zone)
    {
        return Ok(calendar);
    }
    let own = tx.reseller()?.and_then(|reseller| Calendar::named(&reseller.timezone));
    Ok(own.unwrap_or(Calendar::UTC))
}
