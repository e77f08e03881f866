//! The tree of principal and sub-meters.

pub mod batch;

use std::collections::HashMap;

use crate::{DeviceId, Refusal};

/// The deepest level: levels run from 0 to 10.
pub const MAX_LEVEL: u8 = 10;

/// A device in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The device.
    pub id: DeviceId,
    /// The device above it.
    pub parent: Option<DeviceId>,
    /// Its level.
    pub level: u8,
}

/// The level of a device under a parent of that level, or of a device without one.
pub fn level_under(parent_level: Option<u8>) -> Result<u8, Refusal> {
    match parent_level {
        None => Ok(0),
        Some(level) if level < MAX_LEVEL => Ok(level + 1),
        Some(_) => Err(Refusal::HierarchyTooDeep),
    }
}

/// Whether a device may hang below a parent; `above` are the devices above that parent. Refused where
/// the device would come to be its own ancestor.
pub fn check_parent(device: DeviceId, parent: DeviceId, above: &[Node]) -> Result<(), Refusal> {
    if parent == device || above.iter().any(|node| node.id == device) {
        return Err(Refusal::CircularReference);
    }
    Ok(())
}

/// The levels that change when links of a tree have changed: `roots` are devices whose level is given
/// anew, `nodes` they and all devices below them with their links as they are to be. Refused where
/// one would lie too deep, and where the links of `nodes` form a circle.
pub fn relevel(roots: &[(DeviceId, u8)], nodes: &[Node]) -> Result<Vec<(DeviceId, u8)>, Refusal> {
    walk(roots, nodes).map_err(|obstacle| match obstacle {
        Obstacle::TooDeep(_) => Refusal::HierarchyTooDeep,
        Obstacle::Circle => Refusal::CircularReference,
    })
}

/// Why a tree cannot be.
enum Obstacle {
    /// This device would lie too deep.
    TooDeep(DeviceId),
    /// Some links form a circle.
    Circle,
}

fn walk(roots: &[(DeviceId, u8)], nodes: &[Node]) -> Result<Vec<(DeviceId, u8)>, Obstacle> {
    let mut children: HashMap<DeviceId, Vec<&Node>> = HashMap::new();
    for node in nodes {
        if let Some(parent) = node.parent {
            children.entry(parent).or_default().push(node);
        }
    }
    let before: HashMap<DeviceId, u8> = nodes.iter().map(|node| (node.id, node.level)).collect();
    let mut levels: HashMap<DeviceId, u8> = HashMap::new();
    let mut changed = Vec::new();
    let mut open: Vec<(DeviceId, u8)> = roots.to_vec();
    while let Some((id, level)) = open.pop() {
        if levels.insert(id, level).is_some() {
            return Err(Obstacle::Circle);
        }
        if before.get(&id) != Some(&level) {
            changed.push((id, level));
        }
        for child in children.get(&id).into_iter().flatten() {
            let below = level_under(Some(level)).map_err(|_| Obstacle::TooDeep(child.id))?;
            open.push((child.id, below));
        }
    }
    // What no root reaches hangs in a circle of its own.
    if before.keys().any(|id| !levels.contains_key(id)) {
        return Err(Obstacle::Circle);
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_at_ten() {
        assert_eq!(level_under(None), Ok(0));
        assert_eq!(level_under(Some(0)), Ok(1));
        assert_eq!(level_under(Some(9)), Ok(10));
        assert_eq!(level_under(Some(10)), Err(Refusal::HierarchyTooDeep));
    }

    mod trees {
        use proptest::prelude::*;
        use uuid::Uuid;

        use super::*;

        fn id(n: usize) -> DeviceId {
            DeviceId::from_uuid(Uuid::from_u128(n as u128 + 1))
        }

        proptest! {
            #[test]
            fn every_child_comes_to_lie_one_below_its_parent(
                // Each device hangs below an earlier one, or below none.
                links in proptest::collection::vec(proptest::option::of(any::<prop::sample::Index>()), 1..40),
                top in 0..=MAX_LEVEL,
            ) {
                let parents: Vec<Option<usize>> = links
                    .iter()
                    .enumerate()
                    .map(|(n, link)| if n == 0 { None } else { Some(link.map_or(0, |link| link.index(n))) })
                    .collect();
                let nodes: Vec<Node> = parents
                    .iter()
                    .enumerate()
                    .map(|(n, parent)| Node { id: id(n), parent: parent.map(id), level: 0 })
                    .collect();
                let mut depth = vec![0_usize; nodes.len()];
                for n in 1..nodes.len() {
                    depth[n] = depth[parents[n].unwrap()] + 1;
                }
                let deepest = usize::from(top) + depth.iter().max().unwrap();
                match relevel(&[(id(0), top)], &nodes) {
                    Ok(changed) => {
                        prop_assert!(deepest <= usize::from(MAX_LEVEL));
                        let levels: HashMap<_, _> = changed.into_iter().collect();
                        for (n, below) in depth.iter().enumerate() {
                            let level = levels.get(&id(n)).copied().unwrap_or(0);
                            prop_assert_eq!(usize::from(level), usize::from(top) + below);
                        }
                    }
                    Err(refusal) => {
                        prop_assert_eq!(refusal, Refusal::HierarchyTooDeep);
                        prop_assert!(deepest > usize::from(MAX_LEVEL));
                    }
                }
            }
        }

        #[test]
        fn a_device_hangs_below_neither_itself_nor_its_descendants() {
            let above = [Node { id: id(1), parent: None, level: 0 }];
            assert_eq!(check_parent(id(1), id(1), &[]), Err(Refusal::CircularReference));
            assert_eq!(check_parent(id(1), id(2), &above), Err(Refusal::CircularReference));
            assert_eq!(check_parent(id(3), id(2), &above), Ok(()));
        }

        #[test]
        fn circles_are_refused() {
            let node =
                |n: usize, parent: usize| Node { id: id(n), parent: Some(id(parent)), level: 1 };
            assert_eq!(relevel(&[], &[node(1, 2), node(2, 1)]), Err(Refusal::CircularReference));
            assert_eq!(
                relevel(&[(id(1), 0)], &[node(1, 2), node(2, 1)]),
                Err(Refusal::CircularReference)
            );
        }
    }
}
