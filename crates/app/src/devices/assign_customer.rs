//! Giving a device to a customer.

use std::collections::{BTreeSet, HashMap};

use weir_domain::ownership::{self, Belonging};
use weir_domain::{CustomerId, Device, EndUser, EndUserId};
use weir_store::{Scope, WriteTx};

use super::hold::hold;
use super::{DeviceRef, find};
use crate::{AppResult, Env, customers};

/// Gives a live device to a customer. An end user of another customer loses it, with record and
/// report; one who belongs to no customer keeps it.
///
/// Refused where the device is not live, and where there is no such customer.
pub fn assign_customer(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    device: DeviceRef,
    customer: CustomerId,
) -> AppResult<Device> {
    tx.lock_device_tree()?; // as assigning does
    let device = hold(tx, device)?;
    let id = device.id;
    customers::hold(tx, customer)?;
    give(tx, scope, env, vec![device], customer)?;
    find(tx, DeviceRef::Id(id))
}

/// Gives locked devices to a customer that exists.
pub(super) fn give(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    devices: Vec<Device>,
    customer: CustomerId,
) -> AppResult<()> {
    let named: BTreeSet<EndUserId> = devices.iter().filter_map(|device| device.end_user).collect();
    let end_users = tx.end_users_by_ids(&named.into_iter().collect::<Vec<_>>())?;
    let end_users: HashMap<EndUserId, EndUser> =
        end_users.into_iter().map(|end_user| (end_user.id, end_user)).collect();
    let decide = |device: Device| -> (Device, Belonging) {
        let present = device.end_user.and_then(|id| end_users.get(&id));
        let next = ownership::given_to(&device, present, customer);
        (device, next)
    };
    crate::ownership::store(tx, scope, env, devices.into_iter().map(decide).collect())
}
