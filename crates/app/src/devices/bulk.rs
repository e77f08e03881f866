//! Lists of devices that are changed together.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use weir_domain::{Device, DeviceId, Refusal};
use weir_store::WriteTx;

use crate::AppResult;

/// What became of the devices of a list, both parts in the order of the request.
#[derive(Debug, Clone)]
pub struct BulkOutcome<T> {
    /// What was done.
    pub succeeded: Vec<T>,
    /// What was refused, and why.
    pub failed: Vec<(DeviceId, Refusal)>,
}

/// Each thing once, where it came first.
pub(crate) fn distinct<T: Copy + Eq + Hash>(things: &[T]) -> Vec<T> {
    let mut seen = HashSet::with_capacity(things.len());
    things.iter().copied().filter(|&thing| seen.insert(thing)).collect()
}

/// The live devices of these ids (each named once), locked, by their ids.
pub(crate) fn lock_live(
    tx: &mut dyn WriteTx,
    ids: &[DeviceId],
) -> AppResult<HashMap<DeviceId, Device>> {
    let locked = tx.devices_locked(ids)?.into_iter().filter(Device::is_live);
    Ok(locked.map(|device| (device.id, device)).collect())
}

/// The live devices of these ids (each named once), locked and in their order, and the ids that no
/// live device has.
pub(crate) fn lock_each(
    tx: &mut dyn WriteTx,
    ids: &[DeviceId],
) -> AppResult<(Vec<Device>, Vec<DeviceId>)> {
    let mut found = lock_live(tx, ids)?;
    let (mut devices, mut missing) = (Vec::with_capacity(ids.len()), Vec::new());
    for &id in ids {
        match found.remove(&id) {
            Some(device) => devices.push(device),
            None => missing.push(id),
        }
    }
    Ok((devices, missing))
}

/// The devices of these ids as they are now, in their order.
pub(crate) fn reload(tx: &mut dyn WriteTx, ids: &[DeviceId]) -> AppResult<Vec<Device>> {
    let mut found: HashMap<DeviceId, Device> =
        tx.devices_by_ids(ids)?.into_iter().map(|device| (device.id, device)).collect();
    Ok(ids.iter().filter_map(|id| found.remove(id)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_repeated_counts_where_it_came_first() {
        assert_eq!(distinct(&[3, 1, 3, 2, 1]), [3, 1, 2]);
        assert!(distinct::<u8>(&[]).is_empty());
    }
}
