use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{DeviceKey, Eui, Name, Status, Telemetry, Timestamp};

fn id(n: usize) -> DeviceId {
    DeviceId::from_uuid(Uuid::from_u128(n as u128))
}

fn device(n: usize, parent: Option<usize>, level: u8) -> Device {
    let at = Timestamp::from_micros(0);
    Device {
        key: DeviceKey(n as i64),
        id: id(n),
        dev_eui: Eui::from_bits(n as u64),
        name: Name::stored("meter".into()),
        status: Status::Offline,
        is_active: true,
        end_user: None,
        own_customer: None,
        customer: None,
        customer_name: None,
        parent: parent.map(id),
        is_principal: false,
        hierarchy_level: level,
        telemetry: Telemetry::default(),
        deleted_at: None,
        created_at: at,
        updated_at: at,
    }
}

fn put(device: usize, level: i64, parent: Option<usize>) -> Assignment {
    Assignment { device: id(device), level, parent: parent.map(id) }
}

/// The items and fields that are refused.
fn refused(assignments: &[Assignment], named: &[Device]) -> Vec<(usize, &'static str)> {
    match judge(assignments, named) {
        Ok(()) => Vec::new(),
        Err(Refusal::InvalidItems { list: "assignments", bad }) => {
            bad.into_iter().map(|bad| (bad.item, bad.field)).collect()
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn what_counts_is_the_tree_once_the_whole_batch_is_applied() {
    let named = [device(1, None, 0), device(2, Some(1), 1), device(3, None, 0)];
    // Both swap their places, and a level from 1 to 10 means no more than "below".
    assert_eq!(refused(&[put(2, 0, None), put(1, 7, Some(2))], &named), []);
    // 2 still hangs below 1.
    assert_eq!(refused(&[put(3, 1, Some(2))], &named), [(0, "parent_device_id")]);
    // 1 is at the top now, and no longer afterwards.
    assert_eq!(
        refused(&[put(2, 1, Some(1)), put(1, 1, Some(3))], &named),
        [(0, "parent_device_id")]
    );
    // A parent beside level 0 is not looked at.
    assert_eq!(refused(&[put(2, 0, Some(2)), put(3, 0, Some(99))], &named), []);
}

#[test]
fn every_item_that_makes_no_sense_is_named() {
    let deleted = Device { deleted_at: Some(Timestamp::from_micros(1)), ..device(4, None, 0) };
    let named = [device(1, None, 0), device(2, None, 0), deleted];
    let batch = [
        put(1, 0, None),
        put(1, 0, None),
        put(99, 0, None),
        put(4, 0, None),
        put(2, 11, None),
        put(5, -1, Some(5)),
        put(6, 1, None),
        put(7, 1, Some(7)),
        put(8, 1, Some(4)),
        put(9, 10, Some(98)),
    ];
    let named: Vec<Device> = named.into_iter().chain((5..=9).map(|n| device(n, None, 0))).collect();
    assert_eq!(
        refused(&batch, &named),
        [
            (1, "device_id"),
            (2, "device_id"),
            (3, "device_id"),
            (4, "hierarchy_level"),
            (5, "hierarchy_level"),
            (6, "parent_device_id"),
            (7, "parent_device_id"),
            (8, "parent_device_id"),
            (9, "parent_device_id"),
        ]
    );
}

#[test]
fn what_hangs_below_goes_along_until_it_lies_too_deep() {
    let chain = |length: usize| -> Vec<Node> {
        let node =
            |n: usize| Node { id: id(n), parent: (n > 1).then(|| id(n - 1)), level: n as u8 - 1 };
        (1..=length).map(node).collect()
    };
    let below = put(1, 1, Some(50));
    assert_eq!(relevel_batch(&[below], &chain(10)).unwrap().len(), 10);
    let refused = relevel_batch(&[put(60, 0, None), below], &chain(11)).unwrap_err();
    assert_eq!(refused.code(), "HIERARCHY_TOO_DEEP");
    let Refusal::ItemsTooDeep { bad, .. } = &refused else { panic!("{refused}") };
    assert_eq!((bad[0].item, bad[0].field), (1, "parent_device_id"));
    assert!(bad[0].reason.contains(&id(11).to_string()), "{refused}");
}

proptest! {
    #[test]
    fn a_good_batch_leaves_every_level_one_below_its_parents(
        // Each device hangs below an earlier one, or below none.
        links in proptest::collection::vec(proptest::option::of(0..12_usize), 12),
        moves in proptest::collection::vec((0..12_usize, 0..=1_i64, 0..12_usize), 1..12),
    ) {
        let mut devices: Vec<Device> = Vec::new();
        for (n, link) in links.iter().enumerate() {
            let parent = link.filter(|parent| *parent < n);
            let level = parent.map_or(0, |parent| devices[parent].hierarchy_level + 1);
            prop_assume!(level <= MAX_LEVEL);
            devices.push(device(n, parent, level));
        }
        let batch: Vec<_> = moves.iter().map(|&(n, level, to)| put(n, level, Some(to))).collect();
        prop_assume!(judge(&batch, &devices).is_ok());
        // The store hands out the devices of the batch and what is below them.
        let mut in_tree: Vec<bool> = (0..12).map(|n| batch.iter().any(|b| b.device == id(n))).collect();
        for n in 0..12 {
            in_tree[n] |= links[n].filter(|p| *p < n).is_some_and(|parent| in_tree[parent]);
        }
        let tree: Vec<Node> = devices
            .iter()
            .zip(&in_tree)
            .filter(|(_, is_in)| **is_in)
            .map(|(d, _)| Node { id: d.id, parent: d.parent, level: d.hierarchy_level })
            .collect();
        if let Ok(changed) = relevel_batch(&batch, &tree) {
            for (id, level) in changed {
                devices.iter_mut().filter(|d| d.id == id).for_each(|d| d.hierarchy_level = level);
            }
            for put in &batch {
                devices
                    .iter_mut()
                    .filter(|d| d.id == put.device)
                    .for_each(|d| d.parent = put.new_parent());
            }
            let levels: HashMap<_, _> = devices.iter().map(|d| (d.id, d.hierarchy_level)).collect();
            for d in &devices {
                let above = d.parent.map(|parent| levels[&parent]);
                prop_assert_eq!(Ok(d.hierarchy_level), level_under(above));
            }
        }
    }
}
