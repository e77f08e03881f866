//! Holding the device that a caller names, so that nobody else changes it meanwhile.

use weir_domain::{Device, Refusal};
use weir_store::WriteTx;

use super::{DeviceRef, bulk, find};
use crate::AppResult;

/// The live device of that name, locked until the transaction ends.
pub(super) fn hold(tx: &mut dyn WriteTx, device: DeviceRef) -> AppResult<Device> {
    let id = find(tx, device)?.id;
    // It may have been deleted between being found and being locked.
    Ok(bulk::lock_live(tx, &[id])?.remove(&id).ok_or(Refusal::DeviceNotFound)?)
}
