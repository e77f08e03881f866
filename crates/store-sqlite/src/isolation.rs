//! Hostile statements, run through the connection of a tenant.
//!
//! Two resellers have rows in every table. Acme's connection is given statements that no port has, as
//! a slip in one might: they must fail, or see acme's rows alone, and change nothing.

use rusqlite::types::Value;
use weir_store::{StoreError, StoreResult, Verdict};

use crate::connection::Role;
use crate::gate::Binding;
use crate::property::{self, ACME, Property};
use crate::session::Session;

/// Reads that must fail, whoever runs them. Globex's device has key 2 and id `x'ee…ee'`.
const DENIED_READS: &[&str] = &[
    // Base tables, plainly and by other names.
    "SELECT * FROM device",
    "SELECT * FROM main.device",
    "SELECT key FROM device",
    "SELECT reseller_id FROM device",
    "SELECT rowid FROM device",
    "SELECT count(*) FROM device",
    "SELECT 1 FROM device",
    "SELECT d.name FROM device AS d",
    "SELECT * FROM device AS gate",
    "SELECT * FROM \"device\" INDEXED BY device_by_eui WHERE reseller_id = x'ee' AND eui = 1",
    "SELECT * FROM reading_block",
    "SELECT readings FROM reading_block WHERE device = 2",
    "SELECT * FROM day",
    "SELECT consumption FROM day WHERE device = 2",
    "SELECT * FROM fleet_count",
    "SELECT sum(devices) FROM fleet_count",
    "SELECT * FROM reseller",
    "SELECT * FROM api_key",
    "SELECT name FROM member",
    "SELECT * FROM sighting_reading",
    "SELECT report FROM ownership",
    "SELECT lowercase(name) FROM customer",
    "VALUES ((SELECT name FROM device LIMIT 1))",
    // Joins, sub-selects and set operations beside a gate.
    "SELECT other.name FROM gate.device AS own JOIN device AS other",
    "SELECT other.name FROM gate.device AS own LEFT JOIN device AS other ON other.key <> own.key",
    "SELECT (SELECT name FROM device WHERE key = 2) FROM gate.device",
    "SELECT name FROM gate.device WHERE key IN (SELECT key FROM device)",
    "SELECT name FROM gate.device WHERE EXISTS (SELECT 1 FROM device WHERE key = 2)",
    "SELECT name FROM (SELECT * FROM device)",
    "SELECT name FROM (SELECT * FROM device) AS gate_0000000000000000_device",
    "SELECT name FROM gate.device UNION ALL SELECT name FROM device",
    "SELECT name FROM gate.device ORDER BY (SELECT max(key) FROM device)",
    "SELECT max(name) OVER () FROM device",
    // Common table expressions that take the name of a table, a view or a trigger.
    "WITH device AS (SELECT * FROM main.device) SELECT * FROM device",
    "WITH gate AS (SELECT * FROM device) SELECT * FROM gate",
    "WITH gate_device AS (SELECT * FROM device) SELECT * FROM gate_device",
    "WITH gate_0000000000000000_device AS (SELECT * FROM device)
     SELECT * FROM gate_0000000000000000_device",
    "WITH guard_reading_block_insert AS (SELECT reseller_id, key FROM device)
     SELECT * FROM guard_reading_block_insert",
    "WITH RECURSIVE walk(id) AS (SELECT id FROM device UNION SELECT d.id FROM device AS d, walk)
     SELECT id FROM walk",
    "WITH d AS MATERIALIZED (SELECT * FROM device) SELECT * FROM gate.device JOIN d",
    // Tables outside tenancy.
    "SELECT * FROM api_key_hash",
    "SELECT * FROM tenant_name",
    "SELECT * FROM eui_claim",
    "SELECT * FROM lane_position",
    "SELECT * FROM quota_lease",
    "SELECT * FROM server_secret",
    "SELECT * FROM membership",
    "SELECT name FROM membership WHERE reseller_id = current_reseller()",
    "SELECT * FROM magic_link",
    "SELECT * FROM sign_in_session",
    "SELECT * FROM signing_key",
    "SELECT * FROM change_log",
    // What SQLite itself knows.
    "SELECT * FROM sqlite_schema",
    "SELECT name FROM sqlite_temp_schema",
    "SELECT * FROM sqlite_sequence",
    "SELECT * FROM refinery_schema_history",
    "SELECT * FROM pragma_table_list",
    "SELECT * FROM dbstat",
    "SELECT load_extension('x')",
    "PRAGMA table_list",
    "PRAGMA query_only = OFF",
    "PRAGMA foreign_keys = OFF",
    "ATTACH ':memory:' AS other",
    "CREATE TEMP VIEW mine AS SELECT * FROM device",
    "CREATE TEMP TABLE mine AS SELECT * FROM device",
    "CREATE TEMP TRIGGER mine AFTER INSERT ON api_key BEGIN DELETE FROM device; END",
    "EXPLAIN SELECT * FROM device",
];

/// Reads through the gates, with the number of rows that are acme's.
const GATED_READS: &[(&str, usize)] = &[
    ("SELECT * FROM gate.device", 1),
    ("SELECT * FROM gate.device WHERE key = 2", 0),
    ("SELECT * FROM gate.device WHERE reseller_id <> current_reseller()", 0),
    ("SELECT * FROM gate.device WHERE reseller_id = zeroblob(16) OR 1", 1),
    ("SELECT * FROM gate.reading_block", 1),
    ("SELECT * FROM gate.reading_block WHERE device = 2", 0),
    ("SELECT * FROM gate.day", 1),
    ("SELECT * FROM gate.day WHERE device = 2", 0),
    ("SELECT * FROM gate.fleet_count", 1),
    ("SELECT * FROM gate.fleet_count WHERE reseller_id <> current_reseller()", 0),
    ("SELECT * FROM gate.device AS d LEFT JOIN gate.reading_block AS r ON r.device = 2", 1),
    ("SELECT * FROM gate.device AS a JOIN gate.device AS b", 1),
    ("WITH device AS (SELECT * FROM gate.device) SELECT * FROM device", 1),
    ("SELECT * FROM gate.reseller UNION ALL SELECT * FROM gate.reseller", 2),
    ("SELECT * FROM gate.reseller_alias", 1),
    ("SELECT * FROM gate.api_key", 1),
    ("SELECT * FROM gate.member", 1),
    ("SELECT * FROM gate.member WHERE reseller_id <> current_reseller()", 0),
    ("SELECT * FROM gate.customer", 1),
    ("SELECT * FROM gate.end_user", 1),
    ("SELECT * FROM gate.ownership", 1),
    ("SELECT report FROM gate.ownership WHERE device_id <> current_reseller()", 0),
    (
        "WITH RECURSIVE walk(id) AS (SELECT id FROM gate.device
         UNION SELECT d.id FROM gate.device AS d, walk WHERE d.id <> walk.id) SELECT id FROM walk",
        1,
    ),
    ("SELECT lowercase(name) FROM gate.device WHERE instr(lowercase(name), 'meter') > 0", 1),
    ("SELECT * FROM gate.sighting", 1),
    ("SELECT * FROM gate.sighting_reading", 1),
    ("SELECT * FROM gate.sighting_tally", 1),
    ("SELECT * FROM gate.quota_usage", 1),
    ("SELECT * FROM gate.quota_lease", 1),
    ("SELECT * FROM gate.eui_claim", 1),
];

/// Writes that must fail as a whole. `OTHER` stands for globex's id.
const DENIED_WRITES: &[&str] = &[
    // Everyone's rows, and another's.
    "UPDATE device SET name = 'mine'",
    "UPDATE device SET name = 'mine' WHERE key = 2",
    "UPDATE device SET name = 'mine' WHERE reseller_id = OTHER",
    "UPDATE device SET name = 'mine' WHERE key = 2 RETURNING *",
    "UPDATE OR IGNORE device SET name = 'mine' WHERE key = 2",
    "UPDATE reseller SET name = 'mine'",
    "UPDATE reading_block SET readings = x'00'",
    "UPDATE reading_block SET readings = x'00' WHERE device = 2",
    "UPDATE day SET consumption = 0",
    "UPDATE day SET consumption = 0 WHERE device = 2",
    "UPDATE fleet_count SET devices = 0",
    "UPDATE fleet_count SET devices = 0 WHERE reseller_id = OTHER",
    "UPDATE sighting_tally SET euis = 0 WHERE reseller_id = OTHER",
    "UPDATE quota_usage SET used = 0",
    "UPDATE eui_claim SET reseller_id = current_reseller() WHERE eui = 2",
    "DELETE FROM device",
    "DELETE FROM device WHERE key = 2",
    "DELETE FROM reading_block",
    "DELETE FROM reading_block WHERE device = 2",
    "DELETE FROM reading_block RETURNING readings",
    "DELETE FROM day",
    "DELETE FROM day WHERE device = 2",
    "DELETE FROM day RETURNING consumption",
    "DELETE FROM fleet_count",
    "DELETE FROM fleet_count WHERE reseller_id = OTHER RETURNING devices",
    "DELETE FROM api_key WHERE reseller_id = OTHER",
    "DELETE FROM api_key RETURNING sealed",
    "UPDATE api_key SET last_used_at = 7",
    "UPDATE api_key SET last_used_at = 7 WHERE reseller_id = OTHER",
    "DELETE FROM member",
    "DELETE FROM member WHERE id = OTHER RETURNING role",
    "UPDATE member SET role = 'admin' WHERE reseller_id = OTHER",
    "DELETE FROM membership WHERE reseller_id = OTHER",
    "DELETE FROM membership WHERE name = 'globex@example.org' RETURNING member_id",
    "UPDATE membership SET member_id = zeroblob(16)",
    "DELETE FROM customer",
    "DELETE FROM end_user",
    "DELETE FROM ownership",
    "DELETE FROM ownership WHERE device_id = OTHER RETURNING report",
    "UPDATE ownership SET notes = 'mine' WHERE id = OTHER",
    "DELETE FROM sighting",
    "DELETE FROM sighting_reading",
    "DELETE FROM quota_usage",
    "DELETE FROM quota_lease",
    "DELETE FROM eui_claim WHERE eui = 2",
    "DELETE FROM reseller WHERE id = OTHER",
    "DELETE FROM reseller_alias WHERE reseller_id = OTHER",
    // Rows for another.
    "INSERT INTO api_key VALUES (OTHER, zeroblob(16), 'n', x'00', 1, NULL)",
    "INSERT INTO membership VALUES ('email', '', 'acme@example.org', OTHER, zeroblob(16))",
    "INSERT INTO member VALUES (OTHER, zeroblob(16), 'email', '', 'globex@example.org', 'admin', 1)",
    "INSERT INTO customer (reseller_id, id, name, created_at) VALUES (OTHER, zeroblob(16), 'n', 1)",
    "INSERT INTO ownership VALUES (OTHER, zeroblob(16), OTHER, NULL, NULL, 1, 'n', 0, NULL, NULL)",
    "INSERT INTO reading_block VALUES (2, 5, x'00')",
    "INSERT INTO reading_block VALUES (1, 5, x'00'), (2, 5, x'00')",
    "INSERT INTO reading_block VALUES (2, 2, x'00')
     ON CONFLICT DO UPDATE SET readings = excluded.readings",
    "INSERT OR IGNORE INTO reading_block VALUES (2, 5, x'00')",
    "INSERT INTO day VALUES (2, 5, 5, 5, 0)",
    "INSERT OR REPLACE INTO day VALUES (2, 2, 5, 5, 0)",
    "INSERT INTO fleet_count VALUES (OTHER, OTHER, 0, 0, 0, 5)",
    "INSERT INTO fleet_count VALUES (OTHER, zeroblob(16), 0, 1, 1, 5)
     ON CONFLICT DO UPDATE SET devices = excluded.devices",
    "INSERT INTO eui_claim VALUES (9, OTHER)",
    "INSERT INTO quota_usage VALUES (OTHER, 1, 5) ON CONFLICT DO UPDATE SET used = 5",
    "INSERT INTO quota_lease VALUES (zeroblob(16), OTHER, 1, 5)",
    "INSERT INTO sighting (reseller_id, eui, dev_eui, message_count) VALUES (OTHER, 5, 'x', 1)",
    "INSERT INTO reseller VALUES (OTHER, 'n', 'n', 't', 1, 'UTC', 0, 1)",
    // Rows that change hands.
    "UPDATE device SET reseller_id = OTHER WHERE key = 1",
    "UPDATE api_key SET reseller_id = OTHER WHERE reseller_id = current_reseller()",
    "UPDATE member SET reseller_id = OTHER WHERE reseller_id = current_reseller()",
    "UPDATE membership SET reseller_id = OTHER WHERE reseller_id = current_reseller()",
    "UPDATE ownership SET reseller_id = OTHER WHERE reseller_id = current_reseller()",
    "UPDATE reading_block SET device = 2 WHERE device = 1",
    "UPDATE day SET device = 2 WHERE device = 1",
    "UPDATE fleet_count SET reseller_id = OTHER WHERE reseller_id = current_reseller()",
    "UPDATE reseller SET id = OTHER WHERE id = current_reseller()",
    // Rows that make way for one's own.
    "INSERT OR REPLACE INTO eui_claim VALUES (2, current_reseller())",
    "REPLACE INTO device (key, reseller_id, id, eui, dev_eui, live_eui, name, status, is_active,
         is_principal, hierarchy_level, message_count, created_at, updated_at)
     VALUES (2, current_reseller(), zeroblob(16), 1, 'x', 1, 'mine', 'online', 1, 0, 0, 0, 0, 0)",
    "UPDATE OR REPLACE device SET key = 2 WHERE key = 1",
    "INSERT INTO eui_claim VALUES (2, current_reseller())
     ON CONFLICT DO UPDATE SET reseller_id = excluded.reseller_id",
    // Reads inside writes.
    "UPDATE device SET name = (SELECT name FROM device WHERE key = 2) WHERE key = 1",
    "UPDATE device SET name = (SELECT hex(reseller_id) FROM device WHERE key = 2) WHERE key = 1",
    "UPDATE device SET name = other.name FROM device AS other WHERE device.key = 1",
    "UPDATE device SET name = name || '!' WHERE key = 1",
    "UPDATE device SET name = 'mine' WHERE name LIKE '%'",
    "UPDATE device SET name = 'mine' WHERE effective_customer_id = OTHER",
    "UPDATE device SET name = 'mine' WHERE days_zone = 'globex'",
    "UPDATE member SET role = role WHERE reseller_id = current_reseller()",
    "DELETE FROM member WHERE reseller_id = current_reseller() AND role = 'admin'",
    "UPDATE fleet_count SET devices = devices + 1 WHERE reseller_id = current_reseller()",
    "DELETE FROM fleet_count WHERE reseller_id = current_reseller() AND customer_id = OTHER",
    "DELETE FROM day WHERE device = 1 AND consumption = 2",
    "DELETE FROM reading_block WHERE device = 1 AND readings > x'00'",
    "UPDATE reading_block SET readings = readings || x'00' WHERE device = 1",
    "DELETE FROM day WHERE device IN (SELECT device FROM day)",
    "UPDATE device SET name = 'mine' WHERE key = (SELECT max(key) - 1 FROM device)",
    "UPDATE api_key SET name = 'k' WHERE id = zeroblob(16) AND EXISTS (SELECT id FROM api_key)",
    "DELETE FROM device WHERE key IN (SELECT key FROM device)",
    "DELETE FROM api_key WHERE id IN (WITH guard_reading_block_insert AS (SELECT id FROM api_key)
     SELECT id FROM guard_reading_block_insert)",
    "INSERT INTO api_key SELECT current_reseller(), id, name, sealed, created_at FROM api_key",
    "INSERT INTO customer (reseller_id, id, name, created_at) VALUES (current_reseller(),
     zeroblob(16), (SELECT name FROM customer WHERE reseller_id = OTHER), 1)",
    "INSERT INTO customer (reseller_id, id, name, created_at)
     VALUES (current_reseller(), zeroblob(16), 'n', 1)
     RETURNING (SELECT max(id) FROM customer)",
    "INSERT INTO customer (reseller_id, id, name, created_at)
     VALUES (current_reseller(), zeroblob(16), 'n', 1)
     ON CONFLICT DO UPDATE SET name = (SELECT max(name) FROM customer)",
    "DELETE FROM reading_block WHERE device = 1
     RETURNING (SELECT max(device) FROM reading_block)",
    "WITH other AS (SELECT name FROM customer) DELETE FROM customer WHERE id IN other",
    "WITH other AS (SELECT id FROM customer) DELETE FROM customer WHERE id IN other",
    "WITH other AS (SELECT id FROM customer)
     UPDATE customer SET name = (SELECT hex(max(id)) FROM other) WHERE id = zeroblob(16)",
    "WITH other AS (SELECT id FROM customer)
     INSERT INTO customer (reseller_id, id, name, created_at)
     SELECT current_reseller(), zeroblob(16), hex(id), 1 FROM other",
    // Tables outside tenancy, and the schema.
    "INSERT INTO api_key_hash VALUES (zeroblob(32), current_reseller(), zeroblob(16))",
    "UPDATE api_key_hash SET reseller_id = current_reseller()",
    "DELETE FROM tenant_name",
    "UPDATE lane_position SET sequence = 0",
    "UPDATE server_secret SET secret = x'00'",
    "DELETE FROM magic_link",
    "UPDATE sign_in_session SET email = 'acme@example.org'",
    "DELETE FROM sign_in_session WHERE id = current_reseller()",
    "INSERT INTO signing_key VALUES ('mine', x'00', 1)",
    "INSERT INTO change_log (origin, change) VALUES (0, 'reseller')",
    "DROP TRIGGER guard_device_update",
    "DROP TABLE device",
    "ALTER TABLE device ADD COLUMN mine TEXT",
    "CREATE TABLE mine (id INTEGER)",
    "CREATE INDEX mine ON device (name)",
    "REINDEX device",
    "ANALYZE",
    "PRAGMA recursive_triggers = OFF",
];

/// Runs a statement as acme, and commits what it did unless it failed, as every transaction does.
fn run(session: &Session, sql: &str) -> StoreResult<Vec<Vec<Value>>> {
    let sql = sql.replace("OTHER", property::GLOBEX_SQL);
    let mut rows = Ok(Vec::new());
    let ended = session.transact(Binding::Reseller(ACME), |tx| {
        rows = tx.all(&sql, [], |row| Ok((0..).map_while(|column| row.get(column).ok()).collect()));
        match rows {
            Ok(_) => Verdict::Commit,
            Err(_) => Verdict::RollBack,
        }
    });
    ended.and(rows)
}

/// Holds that it was a gate or a guard that stopped a statement, and not a slip in the statement.
fn assert_stopped(outcome: &StoreResult<Vec<Vec<Value>>>, sql: &str) {
    let reasons = ["prohibited", "not authorized", "another reseller's"];
    let is_stopped = |text: &String| reasons.iter().any(|reason| text.contains(reason));
    match outcome {
        Err(StoreError::Broken(text) | StoreError::Refused(text)) if is_stopped(text) => {}
        _ => panic!("{sql} was not stopped: {outcome:?}"),
    }
}

#[test]
fn a_tenants_connection_reads_nothing_but_its_own_through_the_gates() {
    let property = Property::new();
    for role in [Role::Reader, Role::Writer] {
        let session = property.session(role);
        for sql in DENIED_READS {
            assert_stopped(&run(&session, sql), sql);
        }
        for (sql, count) in GATED_READS {
            let rows = run(&session, sql).unwrap();
            assert_eq!(rows.len(), *count, "{role:?}: {sql}");
            assert!(!property::shows_globex(&rows), "{role:?}: {sql}: {rows:?}");
        }
    }
}

#[test]
fn a_tenants_connection_changes_nothing_of_another() {
    let property = Property::new();
    let before = property.everything();
    for role in [Role::Reader, Role::Writer] {
        let session = property.session(role);
        for sql in DENIED_WRITES {
            assert_stopped(&run(&session, sql), sql);
            assert_eq!(property.everything(), before, "{role:?}: {sql}");
        }
    }
}

#[test]
fn a_reader_changes_not_even_its_own() {
    let property = Property::new();
    let sql = "UPDATE device SET name = 'mine' WHERE key = 1";
    assert!(run(&property.session(Role::Reader), sql).is_err());
    assert_eq!(run(&property.session(Role::Writer), sql), Ok(Vec::new()));
}

#[test]
fn a_connection_that_is_bound_to_nobody_does_nothing() {
    let property = Property::new();
    let session = property.session(Role::Writer);
    let statements = DENIED_READS.iter().chain(DENIED_WRITES);
    for sql in statements.chain(GATED_READS.iter().map(|(sql, _)| sql)) {
        let sql = session.gate.words(&sql.replace("OTHER", property::GLOBEX_SQL));
        session.gate.expect_statement();
        assert!(session.connection.execute_batch(&sql).is_err(), "{sql}");
    }
}

#[test]
fn a_prepared_statement_shows_each_reseller_its_own() {
    let property = Property::new();
    let session = property.session(Role::Writer);
    for (reseller, name) in [(ACME, "acme meter"), (property::GLOBEX, "globex meter")] {
        let mut names = Ok(Vec::new());
        let read = |tx: &mut crate::tx::Tx<'_>| {
            names = tx.all("SELECT name FROM gate.device", [], crate::row::alias);
            Verdict::Commit
        };
        session.transact(Binding::Reseller(reseller), read).unwrap();
        assert_eq!(names.unwrap().iter().map(|name| name.as_str()).collect::<Vec<_>>(), [name]);
    }
}
