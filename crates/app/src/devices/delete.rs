//! Deleting a device softly: its history stays, and its EUI is free again.

use weir_domain::{Device, DeviceId, Eui, Refusal, Timestamp};
use weir_store::{Change, Scope, WriteTx};

use super::bulk::{distinct, lock_each};
use super::hold::hold;
use super::{BulkOutcome, DeviceRef};
use crate::{AppResult, Env};

/// A device that was deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletedDevice {
    /// Its id.
    pub id: DeviceId,
    /// When.
    pub at: Timestamp,
}

/// Deletes a live device: it is no longer billed, its EUI can be registered anew by anybody, and its
/// readings, its links and the devices below it stay. Refused where it is not live.
pub fn delete(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    device: DeviceRef,
) -> AppResult<DeletedDevice> {
    let device = hold(tx, device)?;
    let (id, at) = (device.id, env.now());
    delete_all(tx, scope, vec![device], at)?;
    Ok(DeletedDevice { id, at })
}

/// Deletes the live devices among these, each as [`delete`] does. An id that is repeated counts once,
/// and a device that is not live fails alone.
pub fn bulk_delete(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    ids: &[DeviceId],
) -> AppResult<BulkOutcome<DeletedDevice>> {
    let (devices, missing) = lock_each(tx, &distinct(ids))?;
    let at = env.now();
    let succeeded = devices.iter().map(|device| DeletedDevice { id: device.id, at }).collect();
    delete_all(tx, scope, devices, at)?;
    let failed = missing.into_iter().map(|id| (id, Refusal::DeviceNotFound)).collect();
    Ok(BulkOutcome { succeeded, failed })
}

/// Deletes live devices that are locked.
fn delete_all(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    mut devices: Vec<Device>,
    at: Timestamp,
) -> AppResult<()> {
    for device in &mut devices {
        device.deleted_at = Some(at);
        device.is_active = false;
        device.updated_at = at;
    }
    tx.devices_store(&devices)?;
    let euis: Vec<Eui> = devices.iter().map(|device| device.dev_eui).collect();
    tx.euis_release(&euis)?;
    for eui in euis {
        tx.announce(Change::Device(scope.reseller(), eui))?;
    }
    Ok(())
}
