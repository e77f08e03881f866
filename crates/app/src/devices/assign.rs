//! Assigning a device to an end user.

use weir_domain::{Device, EndUserId, ownership};
use weir_store::{Scope, WriteTx};

use super::hold::hold;
use super::{DeviceRef, find};
use crate::{AppResult, Env, end_users};

/// Assigns a live device to an end user, or to nobody. A change writes an ownership record, with the
/// facts of the final report of a previous end user; where nothing changes, nothing is written. The
/// device keeps its customer where the next end user brings none.
///
/// Refused where the device is not live, and where there is no such end user.
pub fn assign(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    device: DeviceRef,
    to: Option<EndUserId>,
) -> AppResult<Device> {
    // Reports look at the reseller, which whoever moves devices locks before them: in one order, so
    // that nobody waits in a circle.
    tx.lock_device_tree()?;
    let device = hold(tx, device)?;
    let id = device.id;
    let to = to.map(|id| end_users::hold(tx, id)).transpose()?;
    let next = ownership::assigned(&device, to.as_ref().map(|counted| &counted.end_user));
    crate::ownership::store(tx, scope, env, vec![(device, next)])?;
    find(tx, DeviceRef::Id(id))
}
