use refinery::Target;
use tokio_postgres::NoTls;
use weir_testkit::postgres::Cluster;

use super::*;

/// Two resellers as they were before devices knew their effective customers. Devices are named by what
/// they should come to have: a customer, and whether they are live.
const FURNISH: &str = "
    INSERT INTO reseller SELECT id, id, id, 'starter', 9, 'UTC', false, 0 FROM unnest(ARRAY[
        '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b']::uuid[]) id;
    INSERT INTO customer (reseller_id, id, name, created_at)
        SELECT r.id, c.id, c.name, 0 FROM reseller r, (VALUES
            ('00000000-0000-0000-0000-000000000001'::uuid, 'own'),
            ('00000000-0000-0000-0000-000000000002', 'theirs')) AS c (id, name);
    INSERT INTO end_user (reseller_id, id, name, customer_id, created_at)
        SELECT r.id, u.id, 'u', u.customer, 0 FROM reseller r, (VALUES
            ('00000000-0000-0000-0000-000000000003'::uuid,
             '00000000-0000-0000-0000-000000000002'::uuid),
            ('00000000-0000-0000-0000-000000000004', NULL)) AS u (id, customer);
    INSERT INTO eui_claim
        SELECT eui, '00000000-0000-0000-0000-00000000000a' FROM generate_series(1, 6) AS eui;
    INSERT INTO device (reseller_id, id, eui, live_eui, dev_eui, name, status, is_active,
            is_principal, hierarchy_level, customer_id, end_user_id, newest_reading_at, deleted_at,
            created_at, updated_at)
        SELECT '00000000-0000-0000-0000-00000000000a', gen_random_uuid(), d.eui,
            CASE WHEN d.is_live THEN d.eui END, d.eui, d.name, 'online', d.eui <> 2, d.eui = 1, 0,
            CASE WHEN d.is_own THEN '00000000-0000-0000-0000-000000000001'::uuid END,
            lpad(d.end_user, 32, '0')::uuid, d.heard, CASE WHEN NOT d.is_live THEN 9 END, 0, 0
        FROM (VALUES (1, 'none', false, NULL, true, NULL), (2, 'own', true, NULL, true, NULL),
            (3, 'theirs', true, '3', true, 5), (4, 'own', true, '4', true, NULL),
            (5, 'none', false, '4', true, NULL), (6, 'theirs', false, '3', true, 7),
            (7, 'theirs', true, '3', false, 8), (8, 'own', true, NULL, false, NULL)
        ) AS d (eui, name, is_own, end_user, is_live, heard);
    INSERT INTO reading SELECT reseller_id, key, newest_reading_at, 1 FROM device
        WHERE newest_reading_at IS NOT NULL;";

/// Readings of the first device: before 1970, 100 around the end of a month, and 50 of one time; some
/// without a battery. The new month has a partition.
const READ: &str = "
    CREATE TABLE reading_2026_01 PARTITION OF reading
        FOR VALUES FROM (1767225600000000) TO (1769904000000000);
    INSERT INTO reading SELECT d.reseller_id, d.key, r.ts, r.volume,
            CASE WHEN r.volume % 3 <> 0 THEN (-r.ts % 1000)::int END
        FROM device d, (
            VALUES (-1, 3), (0, 2), (1, 1)
            UNION ALL SELECT 1767225600000000 + n * 1800000000, n + 50 FROM generate_series(-50::bigint, 49) n
            UNION ALL SELECT 1767315600000000, n * 1000000000 FROM generate_series(0::bigint, 49) n
        ) AS r (ts, volume)
        WHERE d.eui = 1;
    CREATE TABLE before AS SELECT device, ts, volume, battery_uv FROM reading;";

#[tokio::test]
async fn an_older_database_comes_to_know_customers_and_counts_and_keeps_its_readings() {
    let database = Cluster::shared().empty_database();
    let (mut client, connection) = tokio_postgres::connect(&database.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(ROLE).await.unwrap();
    let before = embedded::migrations::runner().set_target(Target::Version(11));
    before.run_async(&mut client).await.unwrap();
    client.batch_execute(FURNISH).await.unwrap();
    client.batch_execute(READ).await.unwrap();
    assert_eq!(bring_up_to_date(&mut client).await.map(|applied| applied.len()), Ok(8));
    assert_readings_kept(&client).await;

    let devices = "SELECT array_agg(d.name || ' ' || coalesce(c.name, 'none') || ' '
            || coalesce(d.days_until, -1) || ' ' || coalesce(d.days_zone, '-') ORDER BY d.eui)
        FROM device d LEFT JOIN customer c
            ON c.reseller_id = d.reseller_id AND c.id = d.effective_customer_id";
    let devices: Vec<String> = client.query_one(devices, &[]).await.unwrap().get(0);
    let expected = ["none none -1 -", "own own -1 -", "theirs theirs 0 -", "own own -1 -"];
    let others = ["none none -1 -", "theirs theirs 0 -", "theirs theirs 0 -", "own own -1 -"];
    assert_eq!(devices, [expected, others].concat());

    let counts = "SELECT array_agg(concat_ws(' ', right(reseller_id::text, 1),
            right(customer_id::text, 1), is_assigned, is_principal, is_active, devices)
            ORDER BY customer_id, is_assigned) FROM fleet_count";
    let counts: Vec<String> = client.query_one(counts, &[]).await.unwrap().get(0);
    let expected = ["a 0 f t t 1", "a 0 t f t 1", "a 1 f f f 1", "a 1 t f t 1", "a 2 t f t 2"];
    assert_eq!(counts, expected);
}

async fn assert_readings_kept(client: &Client) {
    let before = "SELECT device, ts, volume, battery_uv FROM before ORDER BY device, ts, volume";
    let before = client.query(before, &[]).await.unwrap();
    let before: Vec<_> =
        before.iter().map(|row| (row.get(0), row.get(1), row.get(2), row.get(3))).collect();
    let blocks = "SELECT device, since, readings, tableoid::regclass::text FROM reading_block
        ORDER BY device, since";
    let (mut after, mut first) = (Vec::<(i64, i64, i64, Option<i32>)>::new(), Vec::new());
    for row in client.query(blocks, &[]).await.unwrap() {
        let (device, block) = crate::row::block(&row).unwrap();
        after.extend(block.readings().iter().map(|reading| {
            let battery = reading.battery.map(|battery| battery.microvolts());
            (device.0, reading.time.micros(), reading.volume.millilitres(), battery)
        }));
        if device.0 == 1 {
            first.push((block.readings().len(), row.get::<_, String>(3)));
        }
    }
    assert_eq!(after, before);
    let default = "reading_block_default";
    let own = "reading_block_2026_01";
    let expected = [(1, default), (2, default), (32, default), (18, default), (32, own), (68, own)];
    assert_eq!(first, expected.map(|(size, name)| (size, name.to_owned())));
}
