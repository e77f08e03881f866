//! Walks through the tree of devices, soft-deleted ones too.

use weir_domain::DeviceId;
use weir_domain::hierarchy::{MAX_LEVEL, Node};
use weir_store::StoreResult;

use crate::row;
use crate::tx::Tx;

/// These devices and all below them, each once.
pub(super) fn below(tx: &mut Tx<'_>, roots: &[DeviceId]) -> StoreResult<Vec<Node>> {
    let reseller = tx.reseller()?;
    let roots: Vec<_> = roots.iter().map(|id| id.uuid()).collect();
    // A union ends the walk where it comes back to a device, should links ever form a circle.
    let sql = "WITH RECURSIVE tree (id, parent_id, hierarchy_level) AS (
            SELECT id, parent_id, hierarchy_level FROM device
            WHERE reseller_id = $1 AND id = ANY($2)
            UNION
            SELECT child.id, child.parent_id, child.hierarchy_level FROM tree
            JOIN device child ON child.reseller_id = $1 AND child.parent_id = tree.id
        ) SELECT id, parent_id, hierarchy_level FROM tree";
    let rows = tx.rows(sql, &[&reseller, &roots])?;
    rows.iter().map(row::node).collect()
}

/// The devices above a device, from its parent up; never more than there are levels.
pub(super) fn above(tx: &mut Tx<'_>, id: DeviceId) -> StoreResult<Vec<Node>> {
    let reseller = tx.reseller()?;
    let sql = "WITH RECURSIVE line (id, parent_id, hierarchy_level, distance) AS (
            SELECT id, parent_id, hierarchy_level, 0 FROM device
            WHERE reseller_id = $1 AND id = $2
            UNION ALL
            SELECT above.id, above.parent_id, above.hierarchy_level, line.distance + 1 FROM line
            JOIN device above ON above.reseller_id = $1 AND above.id = line.parent_id
            WHERE line.distance < $3
        ) SELECT id, parent_id, hierarchy_level FROM line WHERE distance > 0 ORDER BY distance";
    let rows = tx.rows(sql, &[&reseller, &id.uuid(), &i32::from(MAX_LEVEL)])?;
    rows.iter().map(row::node).collect()
}
