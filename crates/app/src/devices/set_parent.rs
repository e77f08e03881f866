//! Setting or removing the parent of a device.

use weir_domain::{Device, DeviceId};
use weir_store::WriteTx;

use super::hold::hold;
use super::place::place;
use super::{DeviceRef, find};
use crate::{AppResult, Env};

/// Hangs a live device, with all that is below it, below another one, or takes it out from below one.
/// Levels follow.
///
/// Refused where the device is not live, and as any move within the tree is: where the parent is no
/// live device, where it is the device itself or lies below it, and where anything would lie too deep.
pub fn set_parent(
    tx: &mut dyn WriteTx,
    env: &Env,
    device: DeviceRef,
    parent: Option<DeviceId>,
) -> AppResult<Device> {
    tx.lock_device_tree()?;
    let mut device = hold(tx, device)?;
    place(tx, &mut device, parent)?;
    device.updated_at = env.now();
    let id = device.id;
    tx.devices_store(&[device])?;
    find(tx, DeviceRef::Id(id))
}
