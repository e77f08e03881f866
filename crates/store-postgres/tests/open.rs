//! Which databases are served from, and with which logins.

mod support;

use support::ACME;
use weir_store_postgres::{OpenError, Options, Postgres, check, migrate};
use weir_testkit::postgres::{Cluster, TestDatabase};

/// How many migrations there are.
const LATEST: usize = 19;

fn refusal(url: &str) -> OpenError {
    match Postgres::connect(url, Options::default()) {
        Ok(_) => panic!("{url} was opened"),
        Err(error) => error,
    }
}

fn troubles(url: &str) -> Vec<String> {
    let troubles = check(url).into_iter().filter(|finding| finding.is_trouble);
    troubles.map(|finding| finding.sentence).collect()
}

fn assert_unbound(database: &TestDatabase, login: &str, because: &str) {
    let url = database.url_as(login);
    let error = refusal(&url);
    assert!(matches!(error, OpenError::Unbound { .. }), "{error}");
    assert!(error.to_string().contains(because), "{error}");
    assert_eq!(troubles(&url), [error.to_string()]);
}

#[tokio::test]
async fn an_empty_database_is_migrated_by_a_login_that_may() {
    let database = Cluster::shared().empty_database();
    assert_eq!(troubles(&database.url()), ["the schema is missing or old: run `weir migrate`"]);
    let applied = migrate(&database.url()).unwrap();
    assert_eq!(applied.len(), LATEST);
    assert_eq!(applied[0], "V1__system_lookups");
    assert_eq!(migrate(&database.url()), Ok(Vec::new()));
    assert_eq!(troubles(&database.url()), [""; 0]);

    let database = Cluster::shared().empty_database();
    support::found(&support::connect(&database), ACME, "acme").await;
}

#[tokio::test]
async fn a_login_that_may_not_migrate_is_told_who_may() {
    support::database(); // whose migration made the role
    let database = Cluster::shared().empty_database();
    let url = database.url_as("weir_app");
    assert_eq!(refusal(&url), OpenError::NotMigrated);
    assert_eq!(migrate(&url), Err(OpenError::NotMigrated));
    assert_eq!(troubles(&url), [OpenError::NotMigrated.to_string()]);

    let database = support::database();
    let url = database.url_as("weir_app");
    support::found(&support::connect_to(&url), ACME, "acme").await;
    assert_eq!(migrate(&url), Ok(Vec::new()));
    database.execute("DELETE FROM refinery_schema_history WHERE version = 19");
    database.execute(
        "ALTER TABLE lane_position DROP COLUMN lane; ALTER TABLE lane_position RENAME TO spool_position;
         ALTER TABLE spool_position ADD CONSTRAINT spool_position_pkey PRIMARY KEY (spool_id)",
    );
    assert_eq!(refusal(&url), OpenError::NotMigrated);
    support::connect(&database);
    support::connect_to(&url);
}

#[test]
fn a_schema_of_a_later_version_is_left_alone() {
    let database = support::database();
    database.execute(
        "INSERT INTO refinery_schema_history SELECT 99, 'later', applied_on, checksum
         FROM refinery_schema_history WHERE version = 19",
    );
    let expected = OpenError::TooNew { found: 99, known: LATEST as i32 };
    assert_eq!(refusal(&database.url()), expected);
    assert_eq!(migrate(&database.url()), Err(expected));
}

#[test]
fn a_role_that_policies_would_not_bind_is_refused() {
    let database = support::database();
    database.execute("CREATE ROLE unbound_login LOGIN BYPASSRLS");
    assert_unbound(&database, "unbound_login", "unbound_login: it may not take the role weir_app");

    let database = support::database();
    database.execute("ALTER TABLE sighting DISABLE ROW LEVEL SECURITY");
    assert_unbound(&database, "postgres", "switched off on, sighting");

    let database = support::database();
    database.execute("ALTER TABLE device OWNER TO weir_app");
    assert_unbound(&database, "weir_app", "it owns");
}

#[tokio::test]
async fn a_role_with_too_much_power_is_refused_and_a_plain_owner_will_do() {
    let cluster = Cluster::start();
    cluster.empty_database().execute("CREATE ROLE meter_owner LOGIN CREATEROLE");
    let database = cluster.empty_database();
    database.execute("GRANT CREATE ON SCHEMA public TO meter_owner");
    assert_eq!(migrate(&database.url_as("meter_owner")).map(|applied| applied.len()), Ok(LATEST));
    let db = support::connect_to(&database.url_as("meter_owner"));
    support::found(&db, ACME, "acme").await;
    drop(db);

    database.execute("ALTER ROLE weir_app BYPASSRLS");
    assert_unbound(&database, "weir_app", "weir_app: it has BYPASSRLS");
    database.execute("ALTER ROLE weir_app NOBYPASSRLS SUPERUSER");
    assert_unbound(&database, "weir_app", "weir_app: it is a superuser");
}

#[test]
fn an_address_that_is_none_is_said_to_be_none() {
    assert!(matches!(refusal("postgres://a:b:c:d"), OpenError::Address(_)));
    assert!(matches!(migrate("mysql://here"), Err(OpenError::Address(_))));
}
