//! Registering a device for those whose it is to be.

use weir_domain::{CustomerId, Device, EndUserId, Refusal};
use weir_store::{Scope, WriteTx};

use super::{DeviceRef, Registration, assign, assign_customer, find, register};
use crate::{AppResult, Env, customers, end_users};

/// Whose a new device is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recipients {
    /// Its own customer.
    pub customer: Option<CustomerId>,
    /// Its end user.
    pub end_user: Option<EndUserId>,
}

/// Registers a device as [`register`] does, gives it to a customer and assigns it to an end user, as
/// doing one after the other would.
///
/// Refused as registering is, where there is no such customer or end user, and where the end user
/// belongs to another customer; always before anything is changed.
pub fn register_for(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    registration: &Registration,
    to: Recipients,
) -> AppResult<Device> {
    tx.lock_device_tree()?; // as assigning does
    let end_user = to.end_user.map(|id| end_users::hold(tx, id)).transpose()?;
    if let Some(customer) = to.customer {
        customers::hold(tx, customer)?;
        let others = end_user.and_then(|counted| counted.end_user.customer);
        if others.is_some_and(|other| other != customer) {
            let reason = "belongs to another customer".to_owned();
            return Err(Refusal::Invalid { field: "end_user", reason }.into());
        }
    }
    let registered = register(tx, scope, env, registration)?;
    let device = DeviceRef::Id(registered.id);
    if let Some(customer) = to.customer {
        assign_customer(tx, scope, env, device, customer)?;
    }
    if let Some(end_user) = to.end_user {
        assign(tx, scope, env, device, Some(end_user))?;
    }
    match to == Recipients::default() {
        true => Ok(registered),
        false => find(tx, device),
    }
}
