//! Changing a customer.

use weir_domain::{CustomerId, Name};
use weir_store::{CountedCustomer, WriteTx};

use crate::AppResult;

/// What is to be changed of a customer; what is not given stays, and an inner `None` empties a field.
#[derive(Debug, Clone, Default)]
pub struct CustomerChange {
    /// Its name.
    pub name: Option<Name>,
    /// Where to write to.
    pub email: Option<Option<String>>,
    /// Where to call.
    pub phone: Option<Option<String>>,
    /// Where it is.
    pub address: Option<Option<String>>,
    /// The IANA name of its time zone.
    pub timezone: Option<Option<String>>,
}

/// Changes a customer. Refused where there is none of that id.
pub fn update(
    tx: &mut dyn WriteTx,
    id: CustomerId,
    change: &CustomerChange,
) -> AppResult<CountedCustomer> {
    let mut counted = super::hold(tx, id)?;
    let change = change.clone();
    let customer = &mut counted.customer;
    customer.name = change.name.unwrap_or_else(|| customer.name.clone());
    customer.email = change.email.unwrap_or_else(|| customer.email.take());
    customer.phone = change.phone.unwrap_or_else(|| customer.phone.take());
    customer.address = change.address.unwrap_or_else(|| customer.address.take());
    customer.timezone = change.timezone.unwrap_or_else(|| customer.timezone.take());
    tx.customer_update(customer)?;
    Ok(counted)
}
