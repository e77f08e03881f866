//! Creating a customer.

use weir_domain::{Customer, CustomerId, Name};
use weir_store::{CountedCustomer, WriteTx};

use crate::{AppResult, Env};

/// A customer that is to be created.
#[derive(Debug, Clone)]
pub struct NewCustomer {
    /// Its name.
    pub name: Name,
    /// Where to write to.
    pub email: Option<String>,
    /// Where to call.
    pub phone: Option<String>,
    /// Where it is.
    pub address: Option<String>,
    /// The IANA name of its time zone.
    pub timezone: Option<String>,
}

/// Creates a customer. Its name need not be unique.
pub fn create(tx: &mut dyn WriteTx, env: &Env, new: &NewCustomer) -> AppResult<CountedCustomer> {
    let now = env.now();
    let new = new.clone();
    let customer = Customer {
        id: CustomerId::from_uuid(env.ids.next(now)),
        name: new.name,
        email: new.email,
        phone: new.phone,
        address: new.address,
        timezone: new.timezone,
        created_at: now,
    };
    tx.customer_insert(&customer)?;
    Ok(CountedCustomer { customer, devices: 0, end_users: 0 })
}
