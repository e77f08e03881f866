//! How SQLite goes about the statements that run often: by an index, and mostly without sorting.

use weir_domain::{CustomerId, Status, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, DeviceOrder, DeviceSort, Page, Verdict};

use crate::connection::Role;
use crate::device::{filter, select};
use crate::gate::Binding;
use crate::property::{ACME, Property};
use crate::session::Session;
use crate::{
    customer, day, end_user, fleet_count, glance, member, ownership, quota, reading, sighting,
};

/// Statements as the ports have them, with the indexes that they are to use. Rows come in order.
const STATEMENTS: &[(&str, &[&str])] = &[
    (select::BY_ID, &["sqlite_autoindex_device_1", CUSTOMER]),
    (select::LIVE_BY_EUI, &["sqlite_autoindex_device_2", CUSTOMER]),
    (select::BILLED, &[COUNTS]),
    (fleet_count::KIND, &["sqlite_autoindex_device_1 (reseller_id=? AND id=?)"]),
    (
        fleet_count::CELL,
        &["PRIMARY KEY (reseller_id=? AND customer_id=? AND is_assigned=? AND is_principal=?"],
    ),
    (end_user::DEVICES, &[BY_END_USER]),
    (member::KNOWN_BY, &["(reseller_id=? AND kind=? AND issuer=? AND name=?)"]),
    (day::FROM, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND day>?)"]),
    (day::LAST_BEFORE, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND day<?)"]),
    (day::ZONES, &["INTEGER PRIMARY KEY", CUSTOMER]),
    (reading::BEHIND, &["INTEGER PRIMARY KEY", BLOCKS]),
    (reading::BACK, &["INTEGER PRIMARY KEY", BLOCKS]),
    (end_user::FIRST_OF, &["end_user_by_customer (reseller_id=? AND customer_id=?)"]),
    (ownership::BY_DEVICE, &["ownership_by_device (reseller_id=? AND device_id=?)"]),
    (ownership::NEWEST, &["ownership_by_device (reseller_id=? AND device_id=?)"]),
    (sighting::PAGE, &["sighting_by_last_seen"]),
    (sighting::LEAST_RECENT, &["sighting_by_last_seen"]),
    (sighting::OLDEST_READINGS, &["sighting_reading_by_receipt"]),
    (quota::LEASED, &["quota_lease_by_reseller"]),
];

/// Statements that sort what they found, or ask within asking.
const LARGER_STATEMENTS: &[(&str, &[&str])] = &[
    (select::LAST_DELETED_BY_EUI, &["device_by_eui (reseller_id=? AND eui=?)", CUSTOMER]),
    (select::CHILDREN, &[BY_PARENT, CUSTOMER]),
    (
        select::DESCENDANTS,
        &["sqlite_autoindex_device_1 (reseller_id=? AND id=?)", BY_PARENT, BY_PARENT, CUSTOMER],
    ),
    (select::TREE, &["sqlite_autoindex_device_1 (reseller_id=? AND id=?)", BY_PARENT]),
    (customer::BY_ID, &[CUSTOMER, COUNTS_OF_CUSTOMER, BY_CUSTOMER]),
    (end_user::BY_ID, &[OWNER, BY_END_USER]),
    (glance::DAYS, &["(reseller_id=?)", "INTEGER PRIMARY KEY", DAYS_BETWEEN]),
    (glance::RESETS, &["(reseller_id=?)", "INTEGER PRIMARY KEY", DAYS_BETWEEN]),
];

const DAYS_BETWEEN: &str = "main.day USING PRIMARY KEY (device=? AND day>? AND day<?)";

const BLOCKS: &str = "sqlite_autoindex_reading_block_1 (device=? AND since>? AND since<?)";
const OWNER: &str = "main.end_user USING PRIMARY KEY (reseller_id=? AND id=?)";
const CUSTOMER: &str = "main.customer USING PRIMARY KEY (reseller_id=? AND id=?)";
const BY_PARENT: &str = "device_by_parent (reseller_id=? AND parent_id=?)";
const BY_CUSTOMER: &str = "end_user_by_customer (reseller_id=? AND customer_id=?)";
const BY_END_USER: &str = "device_by_end_user (reseller_id=? AND end_user_id=?)";
const COUNTS: &str = "main.fleet_count USING PRIMARY KEY (reseller_id=?)";
const COUNTS_OF_CUSTOMER: &str =
    "main.fleet_count USING PRIMARY KEY (reseller_id=? AND customer_id=?";

const OF_CUSTOMER: &str =
    "device_by_effective_customer (reseller_id=? AND effective_customer_id=?)";
const NEW: &str = "device_by_first_seen (reseller_id=? AND first_seen_at>?)";

const NEWEST: DeviceOrder = DeviceOrder::NEWEST_FIRST;
const PAGE: Page = Page { limit: 50, offset: 0 };

/// The steps of a statement.
fn steps(session: &Session, sql: &str) -> Vec<String> {
    let mut steps = rusqlite::Result::Ok(Vec::<String>::new());
    let explain = |_: &mut crate::tx::Tx<'_>| {
        session.gate.expect_statement();
        let words = session.gate.words(&format!("EXPLAIN QUERY PLAN {sql}"));
        let mut statement = session.connection.prepare(&words).unwrap();
        steps = statement.raw_query().mapped(|row| row.get(3)).collect();
        Verdict::Commit
    };
    session.transact(Binding::Reseller(ACME), explain).unwrap();
    steps.unwrap()
}

/// Holds that a statement looks at tables through these indexes, in this order.
fn assert_searches(session: &Session, sql: &str, indexes: &[&str]) {
    let steps = steps(session, sql);
    // A scan of what the statement has made itself bears a plain name.
    let is_look = |step: &&String| step.starts_with("SEARCH") || step.starts_with("SCAN main.");
    let looks: Vec<_> = steps.iter().filter(is_look).collect();
    assert_eq!(looks.len(), indexes.len(), "{sql}: {steps:#?}");
    for (look, index) in looks.into_iter().zip(indexes) {
        assert!(look.starts_with("SEARCH") && look.contains(index), "{sql}: {steps:#?}");
    }
}

fn assert_unsorted(session: &Session, sql: &str) {
    let steps = steps(session, sql);
    assert!(steps.iter().all(|step| step.starts_with("SEARCH")), "{sql}: {steps:#?}");
}

#[test]
fn what_runs_often_is_found_by_an_index_and_comes_in_order() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    for (sql, indexes) in STATEMENTS {
        assert_searches(&session, sql, indexes);
        assert_unsorted(&session, sql);
    }
}

#[test]
fn what_is_larger_is_found_by_indexes_as_well() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    for (sql, indexes) in LARGER_STATEMENTS {
        assert_searches(&session, sql, indexes);
    }
}

/// A customer, as a filter names it.
fn of_someone() -> Vec<CustomerFilter> {
    vec![CustomerFilter::Of(CustomerId::from_uuid(ACME.uuid()))]
}

fn of_nobody() -> Vec<CustomerFilter> {
    vec![CustomerFilter::Unassociated]
}

#[test]
fn pages_are_walked_in_the_order_of_lists_through_what_may_be_few() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    let all = DeviceFilter::default();
    let principal = DeviceFilter { is_principal: Some(true), ..all.clone() };
    let assigned = DeviceFilter { is_assigned: Some(true), ..all.clone() };
    let unassigned = DeviceFilter { is_assigned: Some(false), ..all.clone() };
    for (filter, index) in [
        (
            DeviceFilter { is_principal: Some(false), ..all.clone() },
            "device_by_age (reseller_id=?)",
        ),
        (principal.clone(), "device_principal (reseller_id=?)"),
        (DeviceFilter { is_principal: Some(true), ..unassigned.clone() }, "device_principal"),
        (assigned.clone(), "device_assigned (reseller_id=?)"),
        (unassigned, "device_unassigned (reseller_id=?)"),
        (DeviceFilter { customers: of_someone(), ..principal }, OF_CUSTOMER),
        (DeviceFilter { customers: of_nobody(), ..assigned }, OF_CUSTOMER),
    ] {
        let (sql, _) = filter::page(&filter, NEWEST, PAGE);
        assert_searches(&session, &sql, &[index, CUSTOMER]);
        assert_unsorted(&session, &sql);
    }
}

#[test]
fn pages_of_what_an_index_knows_are_found_in_it() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    let all = DeviceFilter::default();
    let new = DeviceFilter { first_seen_since: Some(Timestamp::from_micros(0)), ..all.clone() };
    for (filter, index) in [
        (all.clone(), "device_by_age (reseller_id=?)"),
        (DeviceFilter { customers: of_someone(), ..all.clone() }, OF_CUSTOMER),
        (DeviceFilter { customers: of_nobody(), ..all.clone() }, OF_CUSTOMER),
        (new, NEW),
    ] {
        let (sql, _) = filter::page(&filter, NEWEST, PAGE);
        let covering = format!("COVERING INDEX {index}");
        assert_searches(&session, &sql, &[&covering, "INTEGER PRIMARY KEY", CUSTOMER]);
    }
}

#[test]
fn other_orders_look_through_devices_by_age() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    let all = DeviceFilter::default();
    for (filter, index) in [
        (all.clone(), "device_by_age (reseller_id=? AND created_at>?)"),
        (DeviceFilter { search: Some("a".to_owned()), ..all.clone() }, "device_by_age"),
        (DeviceFilter { is_principal: Some(true), ..all.clone() }, "device_principal"),
        (DeviceFilter { is_assigned: Some(true), ..all.clone() }, "device_assigned"),
        (DeviceFilter { is_assigned: Some(false), ..all.clone() }, "device_unassigned"),
        (DeviceFilter { customers: of_someone(), ..all.clone() }, OF_CUSTOMER),
    ] {
        for by in [DeviceSort::Name, DeviceSort::Eui, DeviceSort::Battery, DeviceSort::LastReading]
        {
            let order = DeviceOrder { by, is_descending: false };
            let (sql, _) = filter::page(&filter, order, PAGE);
            assert_searches(&session, &sql, &[index, "INTEGER PRIMARY KEY", CUSTOMER]);
        }
        let order = DeviceOrder { by: DeviceSort::Customer, is_descending: true };
        let (sql, _) = filter::page(&filter, order, PAGE);
        assert_searches(&session, &sql, &[index, CUSTOMER, "INTEGER PRIMARY KEY", CUSTOMER]);
    }
}

#[test]
fn counts_are_looked_up_but_for_searches() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    let now = Timestamp::from_micros(0);
    let all = DeviceFilter::default();
    let kind = DeviceFilter { is_principal: Some(true), is_assigned: Some(true), ..all.clone() };
    let of_customer = DeviceFilter { customers: of_someone(), ..kind.clone() };
    let by_age = "device_by_age (reseller_id=? AND created_at>?)";
    for (filter, index) in [
        (all.clone(), COUNTS),
        (kind, COUNTS),
        (of_customer, COUNTS_OF_CUSTOMER),
        (DeviceFilter { first_seen_since: Some(now), ..all.clone() }, NEW),
        (DeviceFilter { search: Some("meter".to_owned()), ..all.clone() }, by_age),
    ] {
        assert_searches(&session, &filter::count(&filter).0, &[index]);
    }
    let of_status = |status| DeviceFilter { status: Some((status, now)), ..all.clone() };
    let not_online = "device_by_status (reseller_id=? AND status=?)";
    let silent = "device_by_silence (reseller_id=? AND seen_mark<?)";
    for (status, indexes) in [
        (Status::Maintenance, &[not_online][..]),
        (Status::Offline, &[not_online, silent]),
        (Status::Online, &[COUNTS, not_online, not_online, silent]),
    ] {
        assert_searches(&session, &filter::count(&of_status(status)).0, indexes);
    }
    let (page, _) = filter::page(&of_status(Status::Maintenance), NEWEST, PAGE);
    assert_searches(&session, &page, &[not_online, CUSTOMER]);
    assert_unsorted(&session, &page);
    assert_searches(&session, &filter::stats(&[], now).0, &[COUNTS, NEW]);
    for customers in [of_someone(), of_nobody()] {
        assert_searches(&session, &filter::stats(&customers, now).0, &[COUNTS_OF_CUSTOMER, NEW]);
    }
}
