//! Moving a device within the tree.

use weir_domain::{Device, DeviceId, Refusal, hierarchy};
use weir_store::WriteTx;

use crate::AppResult;

/// Gives a device, which is locked as the tree is, another parent or none, and levels anew what is
/// below it. The device itself is still to be stored.
///
/// Refused where the parent is no live device, where it is the device itself or lies below it, and
/// where anything would come to lie too deep; in this order.
pub(super) fn place(
    tx: &mut dyn WriteTx,
    device: &mut Device,
    parent: Option<DeviceId>,
) -> AppResult<()> {
    let parent_level = match parent {
        None => None,
        Some(id) => {
            let parent = tx.device_by_id(id)?.filter(Device::is_live);
            let parent = parent.ok_or(Refusal::ParentDeviceNotFound)?;
            hierarchy::check_parent(device.id, id, &tx.device_ancestors(id)?)?;
            Some(parent.hierarchy_level)
        }
    };
    let level = hierarchy::level_under(parent_level)?;
    let tree = tx.device_tree(&[device.id])?;
    let mut levels = hierarchy::relevel(&[(device.id, level)], &tree)?;
    levels.retain(|&(id, _)| id != device.id);
    tx.device_levels_store(&levels)?;
    device.parent = parent;
    device.hierarchy_level = level;
    Ok(())
}
