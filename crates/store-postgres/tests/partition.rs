//! Partitions of readings by month.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod support;

use tokio_postgres::Client;
use weir_store_postgres::migrate;

/// The partitions and where they end, in the order of their months.
async fn partitions(client: &Client) -> Vec<String> {
    let query = "SELECT inhrelid::regclass::text FROM pg_inherits
        WHERE inhparent = 'reading_block'::regclass ORDER BY 1";
    client.query(query, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
}

async fn expected(client: &Client) -> Vec<String> {
    let query = "SELECT to_char((now() AT TIME ZONE 'UTC') + n * interval '1 month',
            '\"reading_block_\"YYYY\"_\"MM') FROM generate_series(0, 3) AS n";
    let months = client.query(query, &[]).await.unwrap();
    let mut names: Vec<String> = months.iter().map(|row| row.get(0)).collect();
    names.push("reading_block_default".into());
    names.sort();
    names
}

const FURNISH: &str = "
    INSERT INTO reseller VALUES
        ('00000000-0000-0000-0000-00000000ac3e', 'a', 'a', 'starter', 0, 'UTC', false, 0);
    INSERT INTO eui_claim VALUES (1, '00000000-0000-0000-0000-00000000ac3e');
    INSERT INTO device (reseller_id, id, eui, live_eui, dev_eui, name, status, is_active,
        is_principal, hierarchy_level, created_at, updated_at)
    VALUES ('00000000-0000-0000-0000-00000000ac3e', gen_random_uuid(), 1, 1, '0000000000000001',
        'a', 'offline', true, false, 0, 0, 0);";

fn insert_reading(at: &str) -> String {
    format!(
        "INSERT INTO reading_block
         SELECT reseller_id, key, (extract(epoch FROM {at}) * 1000000)::bigint, ''
         FROM device RETURNING tableoid::regclass::text"
    )
}

#[tokio::test]
async fn this_month_and_the_next_three_are_made_ahead() {
    let database = support::database();
    let client = support::client(&database.url()).await;
    assert_eq!(partitions(&client).await, expected(&client).await);
    client.batch_execute(FURNISH).await.unwrap();
    for (at, partition) in [
        ("now()", expected(&client).await[0].as_str()),
        (
            "date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'",
            &expected(&client).await[0],
        ),
        ("timestamptz '2011-02-03 04:05Z'", "reading_block_default"),
        ("timestamptz '2099-02-03 04:05Z'", "reading_block_default"),
    ] {
        let row = client.query_one(&insert_reading(at), &[]).await.unwrap();
        assert_eq!(row.get::<_, String>(0), partition, "{at}");
    }
}

#[tokio::test]
async fn a_month_that_was_forgotten_is_made_when_the_owner_connects() {
    let database = support::database();
    let client = support::client(&database.url()).await;
    let third = &expected(&client).await[2];
    client.batch_execute(&format!("DROP TABLE {third}")).await.unwrap();
    assert_ne!(partitions(&client).await, expected(&client).await);
    support::connect(&database);
    assert_eq!(partitions(&client).await, expected(&client).await);
}

#[tokio::test]
async fn a_month_whose_readings_came_first_is_passed_over() {
    let database = support::database();
    let client = support::client(&database.url()).await;
    let this = &expected(&client).await[0];
    client.batch_execute(&format!("DROP TABLE {this}; {FURNISH}")).await.unwrap();
    let row = client.query_one(&insert_reading("now()"), &[]).await.unwrap();
    assert_eq!(row.get::<_, String>(0), "reading_block_default");
    assert_eq!(migrate(&database.url()), Ok(Vec::new()));
    let without: Vec<_> = expected(&client).await.into_iter().filter(|name| name != this).collect();
    assert_eq!(partitions(&client).await, without);
}

#[tokio::test]
async fn every_partition_has_room_for_blocks_to_grow_and_packs_nothing_twice() {
    let database = support::database();
    let client = support::client(&database.url()).await;
    let query = "SELECT count(*), array_agg(DISTINCT array_to_string(c.reloptions, ' ')),
            array_agg(DISTINCT a.attstorage::text), bool_and(c.relrowsecurity)
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'readings'
        WHERE i.inhparent = 'reading_block'::regclass";
    let row = client.query_one(query, &[]).await.unwrap();
    assert_eq!(row.get::<_, i64>(0), 5);
    assert_eq!(row.get::<_, Vec<String>>(1), ["fillfactor=25"]);
    assert_eq!(row.get::<_, Vec<String>>(2), ["e"], "EXTERNAL");
    assert!(row.get::<_, bool>(3));
}
