//! How SQLite goes about the statements that run often: by an index, and without sorting.

use weir_store::Verdict;

use crate::connection::Role;
use crate::gate::Binding;
use crate::property::{ACME, Property};

/// Statements as the ports have them, with the indexes that they are to use.
const STATEMENTS: &[(&str, &[&str])] = &[
    (crate::device::BY_ID, &["sqlite_autoindex_device_1", "PRIMARY KEY", "PRIMARY KEY"]),
    (crate::device::LIVE_BY_EUI, &["sqlite_autoindex_device_2", "PRIMARY KEY", "PRIMARY KEY"]),
    (crate::device::PAGE, &["device_by_age", "PRIMARY KEY", "PRIMARY KEY"]),
    (crate::device::COUNT, &["COVERING INDEX sqlite_autoindex_device_2"]),
    (crate::reading::FROM_TIME, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND ts>?)"]),
    (
        crate::reading::AFTER,
        &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=? AND (ts,volume)>(?,?))"],
    ),
    (crate::reading::NEWEST, &["INTEGER PRIMARY KEY", "PRIMARY KEY (device=?)"]),
    (crate::sighting::PAGE, &["sighting_by_last_seen"]),
    (crate::sighting::LEAST_RECENT, &["sighting_by_last_seen"]),
    (crate::sighting::OLDEST_READINGS, &["sighting_reading_by_receipt"]),
    (crate::quota::LEASED, &["quota_lease_by_reseller"]),
];

#[test]
fn what_runs_often_is_found_by_an_index_and_comes_in_order() {
    let property = Property::new();
    let session = property.session(Role::Reader);
    for (sql, indexes) in STATEMENTS {
        let mut steps = rusqlite::Result::Ok(Vec::<String>::new());
        let explain = |_: &mut crate::tx::Tx<'_>| {
            session.gate.expect_statement();
            let words = session.gate.words(&format!("EXPLAIN QUERY PLAN {sql}"));
            let mut statement = session.connection.prepare(&words).unwrap();
            steps = statement.raw_query().mapped(|row| row.get(3)).collect();
            Verdict::Commit
        };
        session.transact(Binding::Reseller(ACME), explain).unwrap();
        let steps = steps.unwrap();
        assert_eq!(steps.len(), indexes.len(), "{sql}: {steps:#?}");
        for (step, index) in steps.iter().zip(*indexes) {
            assert!(step.starts_with("SEARCH") && step.contains(index), "{sql}: {steps:#?}");
        }
    }
}
