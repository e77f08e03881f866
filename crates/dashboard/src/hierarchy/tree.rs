//! Trees of meters, with what each consumed.

use std::collections::{BTreeSet, HashMap};

use weir_app::AppResult;
use weir_app::devices::{self, DeviceRef};
use weir_domain::{Device, DeviceId, Timestamp, Volume};
use weir_store::ReadTx;

use super::balance::Balance;
use super::consumed::consumed;

/// A meter with all that hang below it.
#[derive(Debug, Clone)]
pub struct Branch {
    /// The meter.
    pub device: Device,
    /// What it consumed; none where nothing was read.
    pub consumed: Option<Volume>,
    /// The meters right below it.
    pub below: Vec<Branch>,
}

impl Branch {
    /// What it consumed against what its sub-meters did; none where it has none.
    pub fn balance(&self) -> Option<Balance> {
        (!self.below.is_empty()).then(|| {
            Balance::of(self.consumed, self.below.iter().map(|sub_meter| sub_meter.consumed))
        })
    }

    /// How many meters it is made of.
    pub fn size(&self) -> usize {
        1 + self.below.iter().map(Self::size).sum::<usize>()
    }
}

/// The tree that hangs below a live device. A meter whose parent was deleted hangs below the next one
/// above that is live.
pub fn grow(tx: &mut dyn ReadTx, root: Device, now: Timestamp) -> AppResult<Branch> {
    let live = devices::children(tx, DeviceRef::Id(root.id), true)?;
    let parents = live_parents(tx, &root, &live)?;
    let all: Vec<&Device> = live.iter().chain([&root]).collect();
    let consumed = consumed(tx, &all, now)?;
    let mut below: HashMap<DeviceId, Vec<Device>> = HashMap::new();
    for device in live {
        let parent = parents.get(&device.id).copied().unwrap_or(root.id);
        below.entry(parent).or_default().push(device);
    }
    Ok(assemble(root, &mut below, &consumed))
}

fn assemble(
    device: Device,
    below: &mut HashMap<DeviceId, Vec<Device>>,
    consumed: &HashMap<DeviceId, Volume>,
) -> Branch {
    let children = below.remove(&device.id).unwrap_or_default();
    let children = children.into_iter().map(|child| assemble(child, below, consumed)).collect();
    Branch { consumed: consumed.get(&device.id).copied(), device, below: children }
}

/// The live device right above each of these, deleted ones left out.
fn live_parents(
    tx: &mut dyn ReadTx,
    root: &Device,
    live: &[Device],
) -> AppResult<HashMap<DeviceId, DeviceId>> {
    let mut is_live: HashMap<DeviceId, bool> = live.iter().map(|each| (each.id, true)).collect();
    is_live.insert(root.id, true);
    let mut above: HashMap<DeviceId, DeviceId> =
        live.iter().filter_map(|each| Some((each.id, each.parent?))).collect();
    loop {
        let unknown: BTreeSet<DeviceId> =
            above.values().copied().filter(|parent| !is_live.contains_key(parent)).collect();
        if unknown.is_empty() {
            break;
        }
        let found = tx.devices_by_ids(&unknown.iter().copied().collect::<Vec<_>>())?;
        is_live.extend(unknown.into_iter().map(|id| (id, false)));
        above.extend(found.iter().filter_map(|each| Some((each.id, each.parent?))));
    }
    let nearest = |device: &Device| {
        let mut line = std::iter::successors(device.parent, |id| above.get(id).copied());
        Some((device.id, line.find(|id| is_live.get(id) == Some(&true))?))
    };
    Ok(live.iter().filter_map(nearest).collect())
}
