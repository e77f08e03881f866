//! The tree of devices.

use weir_domain::hierarchy::Node;
use weir_domain::{DeviceId, NewDevice};

use super::failure::Outcome;
use super::fixtures::{at, device, device_below, device_id};
use super::stage::Stage;
use super::tenant::{Tenant, number, numbers};

/// Plants this tree, where 3 and 5 are soft-deleted, and 9 beside it:
///
/// ```text
/// 1 ─┬─ 2 ─── 4 ─── 6
///    ├─ 3* ── 5* ── 7
///    └─ 8
/// ```
async fn plant(tenant: &Tenant) -> Outcome {
    tenant.register(&device(1)).await?;
    for (number, parent, level) in
        [(2, 1, 1), (3, 1, 1), (4, 2, 2), (5, 3, 2), (6, 4, 3), (7, 5, 3), (8, 1, 1)]
    {
        tenant.register(&device_below(number, parent, level)).await?;
    }
    tenant.register(&device(9)).await?;
    tenant.soft_delete(3, 50).await?;
    tenant.soft_delete(5, 50).await?;
    Ok(())
}

async fn children(tenant: &Tenant, number: u64) -> Outcome<Vec<u64>> {
    Ok(numbers(&tenant.read(move |tx| Ok(tx.device_children(device_id(number))?)).await?))
}

async fn descendants(tenant: &Tenant, number: u64) -> Outcome<Vec<u64>> {
    Ok(numbers(&tenant.read(move |tx| Ok(tx.device_descendants(device_id(number))?)).await?))
}

/// The tree below some devices, by number, with parents and levels.
async fn tree(tenant: &Tenant, roots: &[u64]) -> Outcome<Vec<(u64, Option<u64>, u8)>> {
    let roots: Vec<DeviceId> = roots.iter().copied().map(device_id).collect();
    let nodes = tenant.write(move |tx| {
        tx.lock_device_tree()?;
        Ok(tx.device_tree(&roots)?)
    });
    let mut nodes: Vec<_> = nodes.await?.into_iter().map(plain).collect();
    nodes.sort();
    Ok(nodes)
}

async fn ancestors(tenant: &Tenant, number: u64) -> Outcome<Vec<(u64, Option<u64>, u8)>> {
    let nodes = tenant.write(move |tx| {
        tx.lock_device_tree()?;
        Ok(tx.device_ancestors(device_id(number))?)
    });
    Ok(nodes.await?.into_iter().map(plain).collect())
}

fn plain(node: Node) -> (u64, Option<u64>, u8) {
    (number(node.id), node.parent.map(number), node.level)
}

/// Children are the live ones right below, newest first, ties by id; also below a deleted device.
pub async fn children_are_live_and_newest_first(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    assert_eq!(children(&stage.acme, 1).await?, [8, 2]);
    assert_eq!(children(&stage.acme, 5).await?, [7]);
    assert_eq!(children(&stage.acme, 3).await?, []);
    assert_eq!(children(&stage.acme, 6).await?, []);
    assert_eq!(children(&stage.acme, 77).await?, []);
    for (number, created_at) in [(30, at(70)), (20, at(80)), (40, at(80))] {
        let below = NewDevice { created_at, ..device_below(number, 9, 1) };
        stage.acme.register(&below).await?;
    }
    assert_eq!(children(&stage.acme, 9).await?, [40, 20, 30]);
    Ok(())
}

/// Descendants are the live ones at every depth, through deleted ones too: by level, then newest
/// first, ties by id.
pub async fn descendants_come_by_level(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    assert_eq!(descendants(&stage.acme, 1).await?, [8, 2, 4, 7, 6]);
    assert_eq!(descendants(&stage.acme, 2).await?, [4, 6]);
    assert_eq!(descendants(&stage.acme, 3).await?, [7]);
    assert_eq!(descendants(&stage.acme, 6).await?, []);
    assert_eq!(descendants(&stage.acme, 77).await?, []);
    for number in [12, 11] {
        let below = NewDevice { created_at: at(80), ..device_below(number, 8, 2) };
        stage.acme.register(&below).await?;
    }
    assert_eq!(descendants(&stage.acme, 1).await?, [8, 2, 12, 11, 4, 7, 6]);
    Ok(())
}

/// The tree has these devices and all below them, deleted ones too, each once however often it is
/// reached; unknown ones are left out.
pub async fn tree_has_each_device_once(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    let whole = [
        (1, None, 0),
        (2, Some(1), 1),
        (3, Some(1), 1),
        (4, Some(2), 2),
        (5, Some(3), 2),
        (6, Some(4), 3),
        (7, Some(5), 3),
        (8, Some(1), 1),
    ];
    assert_eq!(tree(&stage.acme, &[1]).await?, whole);
    assert_eq!(tree(&stage.acme, &[6, 4, 77, 1, 3, 1, 5]).await?, whole);
    let parts =
        [(3, Some(1), 1), (4, Some(2), 2), (5, Some(3), 2), (6, Some(4), 3), (7, Some(5), 3)];
    assert_eq!(tree(&stage.acme, &[4, 3]).await?, parts);
    assert_eq!(tree(&stage.acme, &[9, 8]).await?, [(8, Some(1), 1), (9, None, 0)]);
    assert_eq!(tree(&stage.acme, &[77]).await?, []);
    assert_eq!(tree(&stage.acme, &[]).await?, []);
    let many: Vec<_> = (1..2_000).collect();
    assert_eq!(tree(&stage.acme, &many).await?.len(), 9);
    Ok(())
}

/// Ancestors come from the parent up, deleted ones too.
pub async fn ancestors_come_from_the_parent_up(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    let expected = [(5, Some(3), 2), (3, Some(1), 1), (1, None, 0)];
    assert_eq!(ancestors(&stage.acme, 7).await?, expected);
    assert_eq!(ancestors(&stage.acme, 5).await?, expected[1..]);
    assert_eq!(ancestors(&stage.acme, 1).await?, []);
    assert_eq!(ancestors(&stage.acme, 77).await?, []);
    Ok(())
}

/// Levels are stored as given, of deleted devices too, and nothing else changes.
pub async fn levels_are_stored_and_nothing_else(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    let ids = (1..=9).map(device_id).collect::<Vec<_>>();
    let changed = stage.acme.write(move |tx| {
        let before = tx.devices_by_ids(&ids)?;
        tx.device_levels_store(&[])?;
        tx.device_levels_store(&[(device_id(7), 10), (device_id(3), 4), (device_id(1), 0)])?;
        let after = tx.devices_by_ids(&ids)?;
        Ok([before, after].map(|mut devices| {
            devices.sort_by_key(|device| device.id);
            devices
        }))
    });
    let [mut before, after] = changed.await?;
    before[6].hierarchy_level = 10;
    before[2].hierarchy_level = 4;
    assert_eq!(after, before);
    Ok(())
}

/// A change of a parent is seen by every walk.
pub async fn moved_branch_is_walked_where_it_is(stage: Stage) -> Outcome {
    plant(&stage.acme).await?;
    stage
        .acme
        .edit(2, |device| {
            device.parent = Some(device_id(9));
            device.is_principal = false;
        })
        .await?;
    assert_eq!(children(&stage.acme, 1).await?, [8]);
    assert_eq!(descendants(&stage.acme, 9).await?, [2, 4, 6]);
    assert_eq!(descendants(&stage.acme, 1).await?, [8, 7]);
    let above: Vec<_> = ancestors(&stage.acme, 6).await?.into_iter().map(|node| node.0).collect();
    assert_eq!(above, [4, 2, 9]);
    stage.acme.edit(2, |device| device.parent = None).await?;
    assert_eq!(descendants(&stage.acme, 9).await?, []);
    assert_eq!(ancestors(&stage.acme, 4).await?, [(2, None, 1)]);
    Ok(())
}

/// Walks come to an end even where links form a circle, which nobody should ever have stored.
pub async fn circle_does_not_hold_a_walk(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    stage.acme.register(&device_below(2, 1, 1)).await?;
    stage.acme.register(&device_below(3, 2, 2)).await?;
    stage.acme.edit(1, |device| device.parent = Some(device_id(3))).await?;
    assert_eq!(tree(&stage.acme, &[2]).await?, [(1, Some(3), 0), (2, Some(1), 1), (3, Some(2), 2)]);
    assert!(descendants(&stage.acme, 1).await?.contains(&3));
    assert!(ancestors(&stage.acme, 1).await?.len() >= 2);
    Ok(())
}
