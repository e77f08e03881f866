//! Walks through the tree of devices, soft-deleted ones too.

use std::collections::HashSet;

use weir_domain::DeviceId;
use weir_domain::hierarchy::Node;
use weir_store::StoreResult;

use super::select::{NODE, TREE};
use crate::row;
use crate::tx::Tx;

/// These devices and all below them, each once.
pub(super) fn below(tx: &Tx<'_>, roots: &[DeviceId]) -> StoreResult<Vec<Node>> {
    let mut select = tx.statement(TREE)?;
    let mut nodes = Vec::new();
    let mut seen = HashSet::new();
    for root in roots {
        // What was seen was seen with all below it.
        if seen.contains(root) {
            continue;
        }
        let tree: Vec<Node> = select.all([root.uuid().into_bytes()], row::node)?;
        nodes.extend(tree.into_iter().filter(|node| seen.insert(node.id)));
    }
    Ok(nodes)
}

/// The devices above a device, from its parent up.
pub(super) fn above(tx: &Tx<'_>, id: DeviceId) -> StoreResult<Vec<Node>> {
    let mut select = tx.statement(NODE)?;
    let mut node = |id: DeviceId| select.first([id.uuid().into_bytes()], row::node);
    let mut next = node(id)?.and_then(|node| node.parent);
    let mut nodes = Vec::new();
    let mut seen = HashSet::from([id]);
    while let Some(id) = next.filter(|id| seen.insert(*id)) {
        let above = node(id)?;
        next = above.and_then(|node| node.parent);
        nodes.extend(above);
    }
    Ok(nodes)
}
