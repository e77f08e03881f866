//! What hangs below a device.

use weir_domain::Device;
use weir_store::ReadTx;

use super::{DeviceRef, find_even_deleted};
use crate::AppResult;

/// The live devices right below a device, or at every depth below it, by level and newest first. The
/// device itself may be deleted, and so may devices between it and its descendants. Refused where
/// there is no such device.
pub fn children(
    tx: &mut dyn ReadTx,
    device: DeviceRef,
    include_descendants: bool,
) -> AppResult<Vec<Device>> {
    let parent = find_even_deleted(tx, device)?.id;
    Ok(if include_descendants {
        tx.device_descendants(parent)?
    } else {
        tx.device_children(parent)?
    })
}
