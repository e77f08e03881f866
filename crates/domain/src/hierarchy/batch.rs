//! Many devices put in their places at once.

use std::collections::HashMap;

use super::{MAX_LEVEL, Node, Obstacle, level_under, walk};
use crate::refusal::{BadItem, Refusal};
use crate::{Device, DeviceId};

/// Where one device of a batch is to be put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assignment {
    /// The device.
    pub device: DeviceId,
    /// 0 for a principal meter, 1 to 10 for one below a principal meter. What is stored is computed
    /// from the parent.
    pub level: i64,
    /// The device above it; not looked at where the level is 0.
    pub parent: Option<DeviceId>,
}

impl Assignment {
    /// Whether the device comes to stand at the top.
    pub const fn is_principal(&self) -> bool {
        self.level == 0
    }

    /// The parent that it comes to have.
    pub fn new_parent(&self) -> Option<DeviceId> {
        self.parent.filter(|_| !self.is_principal())
    }
}

/// Judges a batch by the devices that it names, as devices or as parents (`named` holds those that
/// exist). Everything that makes no sense is told, item by item: a device that is not live or named
/// twice, a level outside 0 to 10, and a parent that is missing, the device itself, not live, or not
/// at the top once the whole batch is applied.
pub fn judge(assignments: &[Assignment], named: &[Device]) -> Result<(), Refusal> {
    let live: HashMap<DeviceId, u8> = named
        .iter()
        .filter(|device| device.is_live())
        .map(|device| (device.id, device.hierarchy_level))
        .collect();
    let mut first: HashMap<DeviceId, usize> = HashMap::new();
    for (item, assignment) in assignments.iter().enumerate() {
        first.entry(assignment.device).or_insert(item);
    }
    let is_top = |id: DeviceId| match first.get(&id) {
        Some(&item) => assignments[item].is_principal(),
        None => live.get(&id) == Some(&0),
    };
    let mut bad = Vec::new();
    for (item, assignment) in assignments.iter().enumerate() {
        let mut refuse = |field, reason: String| bad.push(BadItem { item, field, reason });
        let earlier = first[&assignment.device];
        if earlier < item {
            refuse("device_id", format!("is named in item {earlier} already"));
        } else if !live.contains_key(&assignment.device) {
            refuse("device_id", "is no live device of yours".into());
        }
        if !(0..=i64::from(MAX_LEVEL)).contains(&assignment.level) {
            refuse("hierarchy_level", format!("must be from 0 to {MAX_LEVEL}"));
            continue;
        }
        match assignment.parent {
            _ if assignment.is_principal() => {}
            None => refuse("parent_device_id", "is required where the level is not 0".into()),
            Some(parent) if parent == assignment.device => {
                refuse("parent_device_id", "must not be the device itself".into());
            }
            Some(parent) if !live.contains_key(&parent) => {
                refuse("parent_device_id", "is no live device of yours".into());
            }
            Some(parent) if !is_top(parent) => refuse(
                "parent_device_id",
                "must be at level 0 once all assignments are applied".into(),
            ),
            Some(_) => {}
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(Refusal::InvalidItems { list: "assignments", bad }) }
}

/// The levels that change when a batch that was found good is applied. `tree` holds its devices and
/// all below them, with their links as they were. Refused where a device would lie too deep, with the
/// item that carries it there.
pub fn relevel_batch(
    assignments: &[Assignment],
    tree: &[Node],
) -> Result<Vec<(DeviceId, u8)>, Refusal> {
    let parents: HashMap<DeviceId, Option<DeviceId>> =
        assignments.iter().map(|each| (each.device, each.new_parent())).collect();
    let nodes: Vec<Node> = tree
        .iter()
        .map(|node| Node { parent: *parents.get(&node.id).unwrap_or(&node.parent), ..*node })
        .collect();
    // A device whose parent is not among them hangs below a device at the top, or below none.
    let levels: HashMap<DeviceId, u8> = nodes.iter().map(|node| (node.id, node.level)).collect();
    let is_root = |node: &&Node| node.parent.is_none_or(|parent| !levels.contains_key(&parent));
    let roots: Vec<(DeviceId, u8)> = nodes
        .iter()
        .filter(is_root)
        .map(|node| Ok((node.id, level_under(node.parent.map(|_| 0))?)))
        .collect::<Result<_, Refusal>>()?;
    walk(&roots, &nodes).map_err(|obstacle| match obstacle {
        Obstacle::Circle => Refusal::CircularReference,
        Obstacle::TooDeep(device) => too_deep(assignments, &nodes, device),
    })
}

/// The refusal of the item that moves a device too deep: the nearest above it that the batch names.
fn too_deep(assignments: &[Assignment], nodes: &[Node], device: DeviceId) -> Refusal {
    let parents: HashMap<DeviceId, Option<DeviceId>> =
        nodes.iter().map(|node| (node.id, node.parent)).collect();
    let item_of = |id| assignments.iter().position(|each| each.device == id);
    let line = std::iter::successors(Some(device), |id| parents.get(id).copied().flatten());
    let Some(item) = line.take(nodes.len()).find_map(item_of) else {
        return Refusal::HierarchyTooDeep;
    };
    let reason = format!("would take device {device} past level {MAX_LEVEL}");
    let bad = vec![BadItem { item, field: "parent_device_id", reason }];
    Refusal::ItemsTooDeep { list: "assignments", bad }
}

#[cfg(test)]
mod tests;
