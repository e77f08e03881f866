//! Hostile and careless statements in a tenant's transaction: nothing of another reseller is seen or
//! changed.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod statements;
#[path = "../support/mod.rs"]
mod support;

use std::fmt::Write as _;

use statements::{CHANGES, FORBIDDEN, READS};
use support::{ACME, GLOBEX};
use tokio_postgres::{Client, Error, SimpleQueryMessage};
use weir_domain::ResellerId;
use weir_testkit::postgres::TestDatabase;

/// Every table that holds something of a reseller, and the column that says whose it is.
const TABLES: [(&str, &str); 20] = [
    ("reseller", "id"),
    ("reseller_alias", "reseller_id"),
    ("api_key", "reseller_id"),
    ("member", "reseller_id"),
    ("customer", "reseller_id"),
    ("end_user", "reseller_id"),
    ("device", "reseller_id"),
    ("ownership", "reseller_id"),
    ("reading_block", "reseller_id"),
    ("reading_block_default", "reseller_id"),
    ("day", "reseller_id"),
    ("fleet_count", "reseller_id"),
    ("sighting", "reseller_id"),
    ("sighting_reading", "reseller_id"),
    ("quota_usage", "reseller_id"),
    ("quota_lease", "reseller_id"),
    ("api_key_hash", "reseller_id"),
    ("tenant_name", "reseller_id"),
    ("eui_claim", "reseller_id"),
    ("membership", "reseller_id"),
];

fn furnish(reseller: ResellerId, name: &str, number: u32) -> String {
    format!(
        "INSERT INTO reseller VALUES ('{reseller}', '{name}', '{name}', 'starter', 9, 'UTC', false, 0);
         INSERT INTO tenant_name VALUES ('{name}', '{reseller}');
         INSERT INTO reseller_alias VALUES ('{reseller}', '{name} water');
         INSERT INTO api_key VALUES ('{reseller}', gen_random_uuid(), 'default', '', 0);
         INSERT INTO api_key_hash SELECT sha256(id::text::bytea), reseller_id, id FROM api_key
             WHERE reseller_id = '{reseller}';
         INSERT INTO membership VALUES ('email', '', '{name}@example.org', '{reseller}',
             gen_random_uuid());
         INSERT INTO member SELECT reseller_id, member_id, kind, issuer, name, 'admin', 0
             FROM membership WHERE reseller_id = '{reseller}';
         INSERT INTO customer VALUES ('{reseller}', gen_random_uuid(), '{name}', 0);
         INSERT INTO end_user SELECT '{reseller}', gen_random_uuid(), '{name}', id, 0 FROM customer
             WHERE reseller_id = '{reseller}';
         INSERT INTO eui_claim SELECT {number} + n, '{reseller}' FROM generate_series(1, 3) AS n;
         INSERT INTO device (reseller_id, id, eui, live_eui, dev_eui, name, status, is_active,
                 is_principal, hierarchy_level, created_at, updated_at, customer_id)
             SELECT c.reseller_id, gen_random_uuid(), eui, eui, eui, '{name}', 'online', true, false,
                 0, 0, 0, id
             FROM eui_claim c JOIN customer USING (reseller_id) WHERE c.reseller_id = '{reseller}';
         INSERT INTO ownership SELECT reseller_id, gen_random_uuid(), id, NULL, gen_random_uuid(), 0,
                 '{name}', true, NULL, '{name}'
             FROM device WHERE reseller_id = '{reseller}';
         INSERT INTO reading_block SELECT d.reseller_id, d.key, since, '{name}' FROM device d,
                 unnest(ARRAY[5, (extract(epoch FROM now()) * 1000000)::bigint]) AS since
             WHERE d.reseller_id = '{reseller}';
         INSERT INTO day SELECT reseller_id, key, 7, 1, 2, false FROM device
             WHERE reseller_id = '{reseller}';
         INSERT INTO fleet_count SELECT reseller_id, id, false, false, true, 3 FROM customer
             WHERE reseller_id = '{reseller}';
         INSERT INTO sighting (reseller_id, eui, dev_eui, message_count)
             VALUES ('{reseller}', {number}, '{name}', 4);
         INSERT INTO sighting_reading VALUES ('{reseller}', {number}, 1, 2, 3, 4);
         INSERT INTO quota_usage VALUES ('{reseller}', 24312, 5);
         INSERT INTO quota_lease VALUES (gen_random_uuid(), '{reseller}', 24312, 5);"
    )
}

/// Two resellers full of data, and a connection that may be either of them or the superuser.
struct Stage {
    _database: TestDatabase,
    client: Client,
    words: [(&'static str, String); 6],
}

impl Stage {
    async fn set() -> Self {
        let database = support::database();
        database.execute(&furnish(ACME, "acme", 100));
        database.execute(&furnish(GLOBEX, "globex", 200));
        let client = support::client(&database.url()).await;
        let facts = "SELECT max(d.key)::text, max(d.id::text), max(d.customer_id::text), (
                SELECT max(tableoid::regclass::text) FROM reading_block WHERE since > 5)
            FROM device d WHERE reseller_id = $1";
        let row = client.query_one(facts, &[&GLOBEX.uuid()]).await.unwrap();
        let words = [
            ("$mine", ACME.to_string()),
            ("$theirs", GLOBEX.to_string()),
            ("$their_key", row.get(0)),
            ("$their_device", row.get(1)),
            ("$their_customer", row.get(2)),
            ("$month", row.get(3)),
        ];
        Self { _database: database, client, words }
    }

    /// Runs a statement as the first reseller in a transaction that is undone, and returns what it
    /// returned, and everything of the second reseller as it would then be.
    async fn attempt(&self, statement: &str) -> (Result<Vec<String>, Error>, String) {
        let mut statement = statement.to_owned();
        // The longest first: some begin like others.
        for (word, value) in self.words.iter().rev() {
            statement = statement.replace(word, value);
        }
        let opening =
            format!("BEGIN; SET LOCAL ROLE weir_app; SET LOCAL app.reseller_id = '{ACME}'");
        self.client.batch_execute(&opening).await.unwrap();
        let outcome = self.client.simple_query(&statement).await;
        if outcome.is_err() {
            self.client.batch_execute("ROLLBACK; BEGIN").await.unwrap();
        }
        self.client.batch_execute("RESET ROLE").await.unwrap();
        let theirs = self.theirs().await;
        self.client.batch_execute("ROLLBACK").await.unwrap();
        let rows = outcome.map(|messages| {
            let rows = messages.into_iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
                _ => None,
            });
            rows.collect()
        });
        (rows, theirs)
    }

    /// Everything of the second reseller.
    async fn theirs(&self) -> String {
        let mut all = String::new();
        for (table, column) in TABLES {
            let query = format!(
                "SELECT string_agg(t::text, '; ' ORDER BY t::text) FROM {table} t
                 WHERE {column} = '{GLOBEX}'"
            );
            let row = self.client.query_one(&query, &[]).await.unwrap();
            let rows: Option<String> = row.get(0);
            let _ = writeln!(
                all,
                "{table}: {}",
                rows.expect("both resellers have something everywhere")
            );
        }
        all
    }
}

#[tokio::test]
async fn no_way_to_read_shows_another_resellers_rows() {
    let stage = Stage::set().await;
    let untouched = stage.theirs().await;
    for statement in READS {
        let (rows, theirs) = stage.attempt(statement).await;
        let rows = rows.unwrap_or_else(|error| panic!("{statement}: {error:?}"));
        assert!(!rows.is_empty(), "{statement} finds nothing at all");
        for row in rows {
            assert!(row.contains(&ACME.to_string()), "{statement} shows {row}");
        }
        assert_eq!(theirs, untouched, "{statement}");
    }
}

#[tokio::test]
async fn what_leads_to_another_reseller_is_refused() {
    let stage = Stage::set().await;
    for statement in FORBIDDEN {
        let (rows, _) = stage.attempt(statement).await;
        let error = rows.expect_err(statement);
        assert!(error.as_db_error().is_some_and(|said| said.code().code() != "42601"), "{error:?}");
    }
}

#[tokio::test]
async fn no_change_reaches_another_resellers_rows() {
    let stage = Stage::set().await;
    let untouched = stage.theirs().await;
    for statement in CHANGES {
        let (rows, theirs) = stage.attempt(statement).await;
        assert!(rows.is_ok(), "{statement}: {rows:?}");
        assert_eq!(theirs, untouched, "{statement}");
    }
}

#[tokio::test]
async fn the_role_that_serves_owns_nothing_and_is_bound_everywhere() {
    let database = support::database();
    let client = support::client(&database.url_as("weir_app")).await;
    let powers = "SELECT rolsuper OR rolbypassrls OR rolcreatedb OR rolcreaterole OR rolreplication
        FROM pg_roles WHERE rolname = current_user";
    assert!(!client.query_one(powers, &[]).await.unwrap().get::<_, bool>(0));
    let owned = "SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole";
    assert_eq!(client.query_one(owned, &[]).await.unwrap().get::<_, i64>(0), 0);
    // Every table that knows resellers is under row-level security or one of the few lookups, and
    // no partition is open to anyone.
    let open = "SELECT coalesce(array_agg(DISTINCT c.relname::text ORDER BY c.relname::text), '{}')
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'reseller_id'
        WHERE c.relkind IN ('r', 'p') AND NOT row_security_active(c.oid)";
    let open: Vec<String> = client.query_one(open, &[]).await.unwrap().get(0);
    assert_eq!(open, ["api_key_hash", "eui_claim", "quota_lease", "tenant_name"]);
    let granted = "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r'
        AND has_table_privilege(oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES')";
    assert_eq!(client.query_one(granted, &[]).await.unwrap().get::<_, i64>(0), 0);
    let bound =
        ["device", "reading_block", "day", "fleet_count", "reseller", "ownership", "member"];
    for table in bound.into_iter().chain(["membership"]) {
        let read = client.query(&format!("SELECT * FROM {table}"), &[]).await;
        assert!(read.is_err(), "{table} is open to a session that is bound to nobody");
    }
}
