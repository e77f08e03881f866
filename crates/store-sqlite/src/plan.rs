//! How SQLite goes about the statements that run often: by an index, and mostly without sorting.

use weir_domain::{CustomerId, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, Page, Verdict};

use crate::connection::Role;
use crate::device::{filter, select};
use crate::gate::Binding;
use crate::property::{ACME, Property};
use crate::session::Session;
use crate::{customer, end_user, ownership, quota, reading, sighting};

/// Statements as the ports have them, with the indexes that they are to use. Rows come in order.
const STATEMENTS: &[(&str, &[&str])] = &[
    (select::BY_ID, &["sqlite_autoindex_device_1", "PRIMARY KEY", "PRIMARY KEY"]),
    (select::LIVE_BY_EUI, &["sqlite_autoindex_device_2", "PRIMARY KEY", "PRIMARY KEY"]),
    (select::COUNT, &["COVERING INDEX sqlite_autoindex_device_2"]),
    (select::BILLED, &["COVERING INDEX device_by_facts (reseller_id=? AND is_active=?)"]),
    (reading::FROM_TIME, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND ts>?)"]),
    (reading::AFTER, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND (ts,volume)>(?,?))"]),
    (reading::NEWEST, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=?)"]),
    (reading::BETWEEN, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND ts>? AND ts<?)"]),
    (reading::LAST_BEFORE, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND ts<?)"]),
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
    (select::LAST_DELETED_BY_EUI, &["device_by_eui (reseller_id=? AND eui=?)", OWNER, CUSTOMER]),
    (select::CHILDREN, &[BY_PARENT, OWNER, CUSTOMER]),
    (
        select::DESCENDANTS,
        &[
            "sqlite_autoindex_device_1 (reseller_id=? AND id=?)",
            BY_PARENT,
            BY_PARENT,
            OWNER,
            CUSTOMER,
        ],
    ),
    (select::TREE, &["sqlite_autoindex_device_1 (reseller_id=? AND id=?)", BY_PARENT]),
    (
        customer::BY_ID,
        &[
            CUSTOMER,
            BY_CUSTOMER,
            BY_END_USER,
            "device_by_customer (reseller_id=? AND customer_id=?)",
            OWNER,
            BY_CUSTOMER,
        ],
    ),
    (end_user::BY_ID, &[OWNER, BY_END_USER]),
];

const OWNER: &str = "main.end_user USING PRIMARY KEY (reseller_id=? AND id=?)";
const CUSTOMER: &str = "main.customer USING PRIMARY KEY (reseller_id=? AND id=?)";
const BY_PARENT: &str = "device_by_parent (reseller_id=? AND parent_id=?)";
const BY_CUSTOMER: &str = "end_user_by_customer (reseller_id=? AND customer_id=?)";
const BY_END_USER: &str = "device_by_end_user (reseller_id=? AND end_user_id=?)";
const BY_AGE: &str = "device_by_age (reseller_id=?)";
const BY_FACTS: &str = "COVERING INDEX device_by_facts (reseller_id=?)";

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

#[test]
fn filters_walk_in_order_or_through_a_customer_and_count_in_an_index() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    let (now, page) = (Timestamp::from_micros(0), Page { limit: 50, offset: 0 });
    let plain = DeviceFilter {
        is_principal: Some(true),
        is_assigned: Some(true),
        first_seen_since: Some(now),
        ..DeviceFilter::default()
    };
    for filter in [&DeviceFilter::default(), &plain] {
        let (sql, _) = filter::page(filter, page);
        assert_searches(&session, &sql, &[BY_AGE, OWNER, CUSTOMER]);
        assert_unsorted(&session, &sql);
    }
    assert_searches(&session, &filter::count(&plain).0, &[BY_FACTS]);
    for customers in [vec![], vec![CustomerFilter::Unassociated]] {
        assert_searches(&session, &filter::stats(&customers, now).0, &[BY_FACTS, OWNER]);
    }

    let customers = vec![CustomerFilter::Of(CustomerId::from_uuid(ACME.uuid()))];
    let own = "device_by_customer (reseller_id=? AND customer_id=?)";
    let found = [own, BY_CUSTOMER, BY_END_USER, "INTEGER PRIMARY KEY", OWNER];
    assert_searches(&session, &filter::stats(&customers, now).0, &found);
    let filter = DeviceFilter { customers, ..plain };
    assert_searches(&session, &filter::count(&filter).0, &found);
    let (sql, _) = filter::page(&filter, page);
    assert_searches(&session, &sql, &[&found[..], &[CUSTOMER]].concat());
}
