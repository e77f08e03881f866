//! Restoring a device that was deleted softly.

use weir_domain::{Device, Refusal};
use weir_store::{Change, Scope, WriteTx};

use super::register::own_device;
use super::{DeviceRef, find, find_even_deleted};
use crate::{AppResult, Env};

/// Makes a deleted device live and active again, in its old place in the tree and with the status it
/// had.
///
/// Refused where it is not deleted, and where a live device of any reseller goes by its EUI.
pub fn restore(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    device: DeviceRef,
) -> AppResult<Device> {
    let id = find_even_deleted(tx, device)?.id;
    let deleted = tx.devices_locked(&[id])?.into_iter().find(|device| !device.is_live());
    let mut device = deleted.ok_or(Refusal::DeviceNotFound)?;
    let eui = device.dev_eui;
    if !tx.eui_claim(eui)? {
        return Err(Refusal::DeviceAlreadyExists(own_device(tx, eui)?).into());
    }
    device.deleted_at = None;
    device.is_active = true;
    device.updated_at = env.now();
    tx.devices_store(&[device])?;
    tx.announce(Change::Device(scope.reseller(), eui))?;
    find(tx, DeviceRef::Id(id))
}
