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

#[tokio::test]
async fn an_older_database_comes_to_know_customers_and_counts() {
    let database = Cluster::shared().empty_database();
    let (mut client, connection) = tokio_postgres::connect(&database.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(ROLE).await.unwrap();
    let before = embedded::migrations::runner().set_target(Target::Version(11));
    before.run_async(&mut client).await.unwrap();
    client.batch_execute(FURNISH).await.unwrap();
    assert_eq!(bring_up_to_date(&mut client).await.map(|applied| applied.len()), Ok(4));

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
