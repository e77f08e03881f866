//! What a careless or hostile hand might write in a tenant's transaction. `$mine` and `$theirs` stand
//! for the two resellers, `$their_…` for things of the other one, `$month` for a partition.

/// Ways to read. Each returns whose the rows are that it got hold of.
pub const READS: &[&str] = &[
    "SELECT id FROM reseller",
    "SELECT reseller_id FROM reseller_alias",
    "SELECT reseller_id FROM api_key",
    "SELECT reseller_id FROM member",
    "SELECT reseller_id FROM membership",
    "SELECT reseller_id FROM membership WHERE reseller_id = '$theirs' OR true",
    "SELECT m.reseller_id FROM membership s JOIN member m ON m.name = s.name OR true",
    "UPDATE api_key SET last_used_at = 7 RETURNING reseller_id",
    "DELETE FROM member RETURNING reseller_id",
    "SELECT reseller_id FROM customer",
    "SELECT reseller_id FROM end_user",
    "SELECT reseller_id FROM device",
    "SELECT reseller_id FROM ownership",
    "SELECT reseller_id FROM reading_block",
    "SELECT reseller_id FROM day",
    "SELECT reseller_id FROM fleet_count",
    "SELECT y.reseller_id FROM device d, LATERAL (SELECT * FROM day WHERE device = d.key OR true) y",
    "SELECT max(reseller_id::text) FROM fleet_count",
    "SELECT f.reseller_id FROM fleet_count f JOIN device d ON d.effective_customer_id IS NULL",
    "SELECT reseller_id FROM sighting",
    "SELECT reseller_id FROM sighting_reading",
    "SELECT reseller_id FROM quota_usage",
    "SELECT reseller_id FROM device WHERE reseller_id = '$theirs' OR true",
    "SELECT r.reseller_id FROM device d JOIN reading_block r ON r.device = d.key",
    "SELECT r.reseller_id FROM device d, reading_block r",
    "SELECT r.reseller_id FROM device d, LATERAL (SELECT * FROM reading_block WHERE device = d.key) r",
    "SELECT r.reseller_id FROM eui_claim c LEFT JOIN device r ON r.eui = c.eui WHERE r.key > 0",
    "SELECT reseller_id FROM (SELECT * FROM (SELECT * FROM device) d) d",
    "SELECT reseller_id FROM device UNION ALL SELECT reseller_id FROM reading_block",
    "SELECT reseller_id FROM device WHERE key IN (SELECT device FROM reading_block)",
    "SELECT o.reseller_id FROM device d, LATERAL (
         SELECT * FROM ownership WHERE device_id = d.id OR true LIMIT 9) o",
    "WITH RECURSIVE tree AS (SELECT id FROM device UNION
         SELECT o.device_id FROM tree, ownership o WHERE report <> '')
     SELECT o.reseller_id FROM tree JOIN ownership o ON o.device_id = tree.id",
    "SELECT c.reseller_id FROM customer c WHERE position('' IN folded_name) > 0",
    "SELECT first_value(reseller_id) OVER (ORDER BY key DESC) FROM device",
    "SELECT max(reseller_id::text) FROM reading_block",
    "WITH device AS (SELECT * FROM device) SELECT reseller_id FROM device",
    "WITH reading_block_default AS (SELECT * FROM reading_block) SELECT reseller_id FROM reading_block_default",
    "WITH tenancy AS (SELECT * FROM public.device) SELECT reseller_id FROM tenancy",
    "WITH RECURSIVE tree AS (SELECT * FROM device UNION SELECT d.* FROM device d, tree t)
     SELECT reseller_id FROM tree",
    "WITH gone AS (DELETE FROM sighting RETURNING *) SELECT reseller_id FROM gone",
    "SELECT (d).reseller_id FROM device d",
    "SELECT (d.row).reseller_id FROM (SELECT device AS row FROM device) d",
    "SELECT reseller_id FROM device FOR UPDATE",
    "SELECT reseller_id FROM device TABLESAMPLE SYSTEM (100)",
    "SELECT xpath('/row/reseller_id/text()', row)::text
     FROM unnest(xpath('//row', query_to_xml('SELECT * FROM device', false, false, ''))) AS row",
    // An error that names a row, or comes from it, tells about it as well.
    "SELECT reseller_id FROM device WHERE 1 / (reseller_id <> '$theirs')::int = 1",
    "UPDATE device SET name = name RETURNING reseller_id",
    "UPDATE device d SET name = r.since FROM reading_block r WHERE r.device = d.key RETURNING d.reseller_id",
    "DELETE FROM reading_block RETURNING reseller_id",
    "DELETE FROM ownership RETURNING reseller_id",
    "DELETE FROM day USING device d RETURNING day.reseller_id",
    "INSERT INTO fleet_count SELECT * FROM fleet_count
     ON CONFLICT (reseller_id, customer_id, is_assigned, is_principal, is_active)
     DO UPDATE SET devices = fleet_count.devices + excluded.devices RETURNING reseller_id",
    "DELETE FROM reading_block r USING device d WHERE d.key = r.device RETURNING r.reseller_id",
    "INSERT INTO quota_usage SELECT reseller_id, 7 FROM api_key RETURNING reseller_id",
    "INSERT INTO reading_block SELECT d.reseller_id, d.key, 77, '' FROM device d
     ON CONFLICT DO NOTHING RETURNING reseller_id",
    "INSERT INTO sighting SELECT * FROM sighting
     ON CONFLICT (reseller_id, eui) DO UPDATE SET message_count = 99 RETURNING reseller_id",
];

/// Ways to change or read that must fail.
pub const FORBIDDEN: &[&str] = &[
    // Partitions, by name.
    "SELECT reseller_id FROM reading_block_default",
    "SELECT reseller_id FROM $month",
    "SELECT d.reseller_id FROM device d JOIN reading_block_default r ON r.device = d.key",
    "WITH r AS (SELECT * FROM reading_block_default) SELECT reseller_id FROM r",
    "INSERT INTO reading_block_default SELECT '$mine', key, 1, '' FROM device",
    "UPDATE reading_block_default SET readings = ''",
    "DELETE FROM reading_block_default",
    "DELETE FROM $month",
    // Rows for, and into, another reseller.
    "INSERT INTO reseller VALUES ('$theirs', 'x', 'x', 'starter', 0, 'UTC', false, 0)",
    "INSERT INTO reseller VALUES (gen_random_uuid(), 'x', 'x', 'starter', 0, 'UTC', false, 0)",
    "INSERT INTO reseller_alias VALUES ('$theirs', 'x')",
    "INSERT INTO api_key VALUES ('$theirs', gen_random_uuid(), 'x', '', 0)",
    "INSERT INTO member VALUES
         ('$theirs', gen_random_uuid(), 'email', '', 'globex@example.org', 'admin', 0)",
    "INSERT INTO customer VALUES ('$theirs', gen_random_uuid(), 'x', 0)",
    "INSERT INTO end_user VALUES ('$theirs', gen_random_uuid(), 'x', NULL, 0)",
    "INSERT INTO ownership SELECT '$theirs', gen_random_uuid(), id, NULL, NULL, 0, 'x', false FROM device",
    "INSERT INTO ownership VALUES
         ('$theirs', gen_random_uuid(), '$their_device', NULL, NULL, 0, 'x', false)",
    "INSERT INTO sighting (reseller_id, eui, dev_eui, message_count) VALUES ('$theirs', 1, 'x', 0)",
    "INSERT INTO quota_usage VALUES ('$theirs', 1, 0)",
    "INSERT INTO quota_usage VALUES ('$theirs', 24312, 0)
     ON CONFLICT (reseller_id, month) DO UPDATE SET used = 0",
    "INSERT INTO quota_usage SELECT month_of, 9 FROM (VALUES ('$theirs'::uuid)) AS v (month_of)
     ON CONFLICT DO NOTHING",
    "INSERT INTO reading_block SELECT '$theirs', key, 1, '' FROM device",
    "INSERT INTO day SELECT '$theirs', key, 8, 1, 1, false FROM device",
    "INSERT INTO day VALUES ('$theirs', $their_key, 8, 1, 1, false)",
    "INSERT INTO day VALUES ('$theirs', $their_key, 7, 1, 1, false)
     ON CONFLICT (reseller_id, device, day) DO UPDATE SET consumption = 0",
    "INSERT INTO fleet_count VALUES ('$theirs', '$their_customer', true, true, true, 1)",
    "INSERT INTO fleet_count VALUES ('$theirs', '$their_customer', false, false, true, 1)
     ON CONFLICT (reseller_id, customer_id, is_assigned, is_principal, is_active)
     DO UPDATE SET devices = 0",
    "UPDATE day SET reseller_id = '$theirs'",
    "UPDATE fleet_count SET reseller_id = '$theirs'",
    "UPDATE device SET reseller_id = '$theirs'",
    "UPDATE sighting SET reseller_id = '$theirs'",
    "UPDATE quota_usage SET reseller_id = '$theirs'",
    // Their device under my name, their customer for my device.
    "INSERT INTO reading_block VALUES ('$mine', $their_key, 1, '')",
    "INSERT INTO day VALUES ('$mine', $their_key, 8, 1, 1, false)",
    "UPDATE day SET device = $their_key",
    "UPDATE device SET effective_customer_id = '$their_customer'",
    "INSERT INTO ownership VALUES
         ('$mine', gen_random_uuid(), '$their_device', NULL, NULL, 0, 'x', false)",
    "UPDATE end_user SET customer_id = '$their_customer'",
    "UPDATE device SET customer_id = '$their_customer'",
    "UPDATE device SET parent_id = '$their_device'",
    // The claims that hold their live devices.
    "DELETE FROM eui_claim",
    "DELETE FROM membership",
    "UPDATE membership SET reseller_id = '$mine'",
    "UPDATE member SET role = 'admin'",
    "UPDATE api_key SET name = 'x'",
    "UPDATE api_key SET sealed = ''",
    "INSERT INTO membership VALUES ('email', '', 'x@example.org', '$theirs', gen_random_uuid())",
    "ALTER FUNCTION memberships_of(text[], text[], text[]) SECURITY INVOKER",
    "UPDATE eui_claim SET reseller_id = '$mine'",
    "UPDATE tenant_name SET reseller_id = '$mine'",
    "UPDATE api_key_hash SET reseller_id = '$mine'",
    // Around the policies.
    "SET LOCAL row_security = off; SELECT reseller_id FROM device",
    "RESET app.reseller_id; SELECT reseller_id FROM device",
    "SET LOCAL app.reseller_id = ''; SELECT reseller_id FROM device",
    "ALTER TABLE device DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE device NO FORCE ROW LEVEL SECURITY",
    "DROP POLICY tenancy ON device",
    "CREATE POLICY open ON device USING (true)",
    "ALTER ROLE weir_app BYPASSRLS",
    "GRANT SELECT ON reading_block_default TO weir_app",
    "ALTER TABLE reading_block DETACH PARTITION reading_block_default",
    "CREATE TABLE loot AS SELECT * FROM device",
    "TRUNCATE reading_block",
    "TRUNCATE day",
    "TRUNCATE fleet_count",
    "TRUNCATE sighting CASCADE",
    "DROP TABLE reading_block",
    "COPY device FROM STDIN",
    "COPY reading_block_default TO STDOUT",
    "LOCK TABLE reading_block_default",
    "UPDATE reading_block SET reseller_id = '$theirs'",
    "UPDATE reading_block SET device = $their_key",
    // What has happened stays as it was.
    "UPDATE ownership SET notes = 'x'",
];

/// Ways to change that may work, and then reach what is mine alone.
pub const CHANGES: &[&str] = &[
    "UPDATE reseller SET name = 'mine', monthly_quota = 0",
    "UPDATE device SET name = 'mine'",
    "UPDATE device SET name = 'mine' WHERE reseller_id = '$theirs'",
    "UPDATE device SET name = 'mine' WHERE id = '$their_device'",
    "UPDATE sighting SET message_count = 0",
    "UPDATE quota_usage SET used = 0",
    "UPDATE reading_block SET readings = ''",
    "UPDATE reading_block SET readings = '' WHERE device = $their_key",
    "DELETE FROM reading_block",
    "DELETE FROM reading_block WHERE device = $their_key",
    "UPDATE day SET consumption = 0",
    "DELETE FROM day WHERE device = $their_key",
    "UPDATE fleet_count SET devices = 0 WHERE reseller_id = '$theirs'",
    "UPDATE fleet_count SET devices = 0 WHERE customer_id = '$their_customer'",
    "DELETE FROM fleet_count",
    "DELETE FROM sighting_reading",
    "DELETE FROM sighting",
    "DELETE FROM reseller_alias",
    "DELETE FROM api_key",
    "UPDATE api_key SET last_used_at = 7 WHERE reseller_id = '$theirs' OR true",
    "DELETE FROM member",
    "DELETE FROM member; DELETE FROM membership",
    "DELETE FROM membership WHERE reseller_id = '$theirs'",
    "DELETE FROM quota_usage",
    "DELETE FROM ownership",
    "DELETE FROM ownership WHERE reseller_id = '$theirs'",
    "UPDATE customer SET email = 'mine', timezone = 'UTC'",
    "UPDATE end_user SET email = 'mine'",
    "DELETE FROM reading_block; DELETE FROM day; DELETE FROM ownership; DELETE FROM device; DELETE FROM end_user;
     DELETE FROM customer",
    "WITH gone AS (DELETE FROM reading_block RETURNING *) UPDATE device SET name = 'mine' FROM gone",
    "MERGE INTO device d USING eui_claim c ON c.eui = d.eui
     WHEN MATCHED THEN UPDATE SET name = 'mine'",
    "MERGE INTO sighting s USING (VALUES (0)) AS v (least) ON s.message_count > v.least
     WHEN MATCHED THEN DELETE",
    "INSERT INTO reading_block SELECT '$mine', d.key, since + 1, readings FROM reading_block, device d ON CONFLICT DO NOTHING",
    "SELECT reseller_id FROM device FOR UPDATE",
];
