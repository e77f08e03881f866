//! Putting many devices in their places at once.

use std::collections::HashMap;

use weir_domain::hierarchy::batch::{Assignment, judge, relevel_batch};
use weir_domain::{Device, DeviceId};
use weir_store::WriteTx;

use super::bulk::{distinct, reload};
use crate::{AppResult, Env};

/// Puts every device of a batch at the top, as a principal meter, or below one that is there once the
/// whole batch is applied. Levels follow, of what hangs below them too. The devices, in the order of
/// the batch.
///
/// Refused as a whole where an item makes no sense, and where anything would lie too deep.
pub fn arrange(
    tx: &mut dyn WriteTx,
    env: &Env,
    assignments: &[Assignment],
) -> AppResult<Vec<Device>> {
    tx.lock_device_tree()?;
    let ids = distinct(&assignments.iter().map(|each| each.device).collect::<Vec<_>>());
    let parents: Vec<DeviceId> = assignments.iter().filter_map(Assignment::new_parent).collect();
    let mut devices = tx.devices_locked(&ids)?;
    let mut named = tx.devices_by_ids(&distinct(&parents))?;
    named.extend(devices.iter().cloned());
    judge(assignments, &named)?;
    let levels: HashMap<DeviceId, u8> =
        relevel_batch(assignments, &tx.device_tree(&ids)?)?.into_iter().collect();

    let by_device: HashMap<DeviceId, &Assignment> =
        assignments.iter().map(|each| (each.device, each)).collect();
    let now = env.now();
    for device in &mut devices {
        let Some(assignment) = by_device.get(&device.id) else { continue };
        device.parent = assignment.new_parent();
        device.is_principal = assignment.is_principal();
        device.hierarchy_level = *levels.get(&device.id).unwrap_or(&device.hierarchy_level);
        device.updated_at = now;
    }
    tx.devices_store(&devices)?;
    let below: Vec<(DeviceId, u8)> =
        levels.into_iter().filter(|(id, _)| !by_device.contains_key(id)).collect();
    tx.device_levels_store(&below)?;
    reload(tx, &ids)
}
