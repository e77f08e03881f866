//! That the suite is complete.

/// Every subject and its cases, as the files have them.
const SUBJECTS: &[(&str, &str)] = &[
    ("reseller", include_str!("reseller.rs")),
    ("tenant_name", include_str!("tenant_name.rs")),
    ("api_key", include_str!("api_key.rs")),
    ("member", include_str!("member.rs")),
    ("device", include_str!("device.rs")),
    ("device_list", include_str!("device_list.rs")),
    ("device_state", include_str!("device_state.rs")),
    ("device_store", include_str!("device_store.rs")),
    ("deleted", include_str!("deleted.rs")),
    ("effective_customer", include_str!("effective_customer.rs")),
    ("device_filter", include_str!("device_filter.rs")),
    ("device_search", include_str!("device_search.rs")),
    ("device_order", include_str!("device_order.rs")),
    ("device_stats", include_str!("device_stats.rs")),
    ("device_count", include_str!("device_count.rs")),
    ("device_tree", include_str!("device_tree.rs")),
    ("day", include_str!("day.rs")),
    ("fleet", include_str!("fleet.rs")),
    ("customer", include_str!("customer.rs")),
    ("end_user", include_str!("end_user.rs")),
    ("ownership", include_str!("ownership.rs")),
    ("reading", include_str!("reading.rs")),
    ("long_history", include_str!("long_history.rs")),
    ("newest_volume", include_str!("newest_volume.rs")),
    ("opening", include_str!("opening.rs")),
    ("sighting", include_str!("sighting.rs")),
    ("eviction", include_str!("eviction.rs")),
    ("quota", include_str!("quota.rs")),
    ("spool", include_str!("spool.rs")),
    ("magic_link", include_str!("magic_link.rs")),
    ("session", include_str!("session.rs")),
    ("signing_key", include_str!("signing_key.rs")),
    ("transaction", include_str!("transaction.rs")),
    ("snapshot", include_str!("snapshot.rs")),
    ("change", include_str!("change.rs")),
    ("crew", include_str!("crew.rs")),
    ("isolation", include_str!("isolation.rs")),
    ("passage", include_str!("passage.rs")),
];

#[test]
fn every_case_is_in_the_table() {
    let table = include_str!("mod.rs");
    for (subject, source) in SUBJECTS {
        let (_, rest) = table.split_once(&format!("            {subject} {{")).unwrap();
        let (listed, _) = rest.split_once('}').unwrap();
        let listed: Vec<_> = listed.split(',').map(str::trim).filter(|c| !c.is_empty()).collect();
        let written: Vec<_> = source
            .lines()
            .filter_map(|line| line.strip_prefix("pub async fn ")?.split('(').next())
            .collect();
        assert_eq!(listed, written, "of {subject}");
    }
}
