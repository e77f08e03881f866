//! Giving many devices to a customer.

use weir_domain::{Customer, CustomerId, DeviceId, Refusal};
use weir_store::{Scope, WriteTx};

use super::assign_customer::give;
use super::bulk::{distinct, lock_each};
use crate::{AppResult, Env, customers};

/// Gives devices to a customer, each as [`assign_customer`](super::assign_customer()) does, all or
/// none. Says how many there were, a repeated id counting once, and whose they are now.
///
/// Refused where there is no such customer, and where one of the devices is not live.
pub fn bulk_assign_customer(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    ids: &[DeviceId],
    customer: CustomerId,
) -> AppResult<(usize, Customer)> {
    tx.lock_device_tree()?; // as assigning does
    let (devices, missing) = lock_each(tx, &distinct(ids))?;
    let held = customers::hold(tx, customer)?.customer;
    if !missing.is_empty() {
        return Err(Refusal::DevicesNotFound(missing).into());
    }
    let count = devices.len();
    give(tx, scope, env, devices, customer)?;
    Ok((count, held))
}
