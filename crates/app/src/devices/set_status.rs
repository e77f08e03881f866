//! Taking devices into maintenance, and back.

use weir_domain::device::ManualStatus;
use weir_domain::{Device, DeviceId, Refusal};
use weir_store::WriteTx;

use super::bulk::{distinct, lock_each, reload};
use super::hold::hold;
use super::{BulkOutcome, DeviceRef, find};
use crate::{AppResult, Env};

/// Sets the status of a live device, and whether it is billed where that is said. Refused where it is
/// not live.
pub fn set_status(
    tx: &mut dyn WriteTx,
    env: &Env,
    device: DeviceRef,
    to: ManualStatus,
    is_active: Option<bool>,
) -> AppResult<Device> {
    let mut device = hold(tx, device)?;
    device.status = device.status_set(to, env.now());
    device.is_active = is_active.unwrap_or(device.is_active);
    device.updated_at = env.now();
    let id = device.id;
    tx.devices_store(&[device])?;
    find(tx, DeviceRef::Id(id))
}

/// Sets the status of the live devices among these. An id that is repeated counts once, and a device
/// that is not live fails alone.
pub fn bulk_set_status(
    tx: &mut dyn WriteTx,
    env: &Env,
    ids: &[DeviceId],
    to: ManualStatus,
) -> AppResult<BulkOutcome<Device>> {
    let (mut devices, missing) = lock_each(tx, &distinct(ids))?;
    let now = env.now();
    for device in &mut devices {
        device.status = device.status_set(to, now);
        device.updated_at = now;
    }
    tx.devices_store(&devices)?;
    let live: Vec<DeviceId> = devices.iter().map(|device| device.id).collect();
    let failed = missing.into_iter().map(|id| (id, Refusal::DeviceNotFound)).collect();
    Ok(BulkOutcome { succeeded: reload(tx, &live)?, failed })
}
