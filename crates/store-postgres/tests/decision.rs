//! What a writing transaction has read of customers and end users is still so when it writes.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod support;

use std::sync::mpsc;

use support::{ACME, PATIENCE};
use tokio_postgres::Client;
use uuid::Uuid;
use weir_domain::{
    Customer, CustomerId, DeviceId, EndUser, EndUserId, Eui, Name, NewDevice, Timestamp,
};
use weir_store::{Db, StoreError, StoreResult, WriteTx};
use weir_testkit::postgres::TestDatabase;

const CUSTOMER: CustomerId = CustomerId::from_uuid(Uuid::from_u128(1));
const END_USER: EndUserId = EndUserId::from_uuid(Uuid::from_u128(2));
const DEVICE: DeviceId = DeviceId::from_uuid(Uuid::from_u128(3));

/// Work that calls its second argument between reading and writing.
type Work = fn(&mut dyn WriteTx, &mut dyn FnMut()) -> StoreResult<()>;

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

/// A customer, an end user of it and a device.
async fn furnished() -> (TestDatabase, Db) {
    let database = support::database();
    let db = support::connect(&database);
    support::found(&db, ACME, "acme").await;
    let furnish = |tx: &mut dyn WriteTx| {
        let created_at = Timestamp::from_micros(0);
        let (email, phone, address, timezone) = (Some(String::new()), None, None, None);
        let lakeside = name("Lakeside");
        tx.customer_insert(&Customer {
            id: CUSTOMER,
            name: lakeside,
            email: email.clone(),
            phone,
            address,
            timezone,
            created_at,
        })?;
        let customer = Some(CUSTOMER);
        tx.end_user_insert(&EndUser {
            id: END_USER,
            name: name("Ada"),
            email,
            customer,
            created_at,
        })?;
        let dev_eui = Eui::from_bits(7);
        assert!(tx.eui_claim(dev_eui)?);
        tx.device_insert(&NewDevice {
            id: DEVICE,
            dev_eui,
            name: name("Meter"),
            parent: None,
            is_principal: false,
            hierarchy_level: 0,
            customer: None,
            created_at,
        })?;
        Ok(())
    };
    db.write::<_, StoreError>(&support::scope(ACME), furnish).await.unwrap();
    (database, db)
}

async fn somebody_waits(client: &Client) -> bool {
    let query = "SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock')";
    client.query_one(query, &[]).await.unwrap().get(0)
}

/// Begins the second when the first has read, and lets the first write when the second has ended or
/// waits.
async fn overtake(database: &TestDatabase, db: &Db, first: Work, second: Work) {
    let (release, released) = mpsc::channel::<()>();
    let (begin, begun) = tokio::sync::oneshot::channel();
    let mut begin = Some(begin);
    let scope = support::scope(ACME);
    let first = db.write::<_, StoreError>(&scope, move |tx| {
        first(tx, &mut || {
            let _ = begin.take().map(|begin| begin.send(()));
            let _ = released.recv_timeout(PATIENCE);
        })
    });
    let beside = async {
        let client = support::client(&database.url()).await;
        begun.await.unwrap();
        let (db, scope) = (db.clone(), scope.clone());
        let second = tokio::spawn(async move {
            db.write::<_, StoreError>(&scope, move |tx| second(tx, &mut || ())).await
        });
        while !second.is_finished() && !somebody_waits(&client).await {}
        drop(release);
        second.await.unwrap()
    };
    let (first, second) = tokio::join!(first, beside);
    assert_eq!((first, second), (Ok(()), Ok(())));
}

#[tokio::test]
async fn changes_at_once_are_not_lost() {
    let (database, db) = furnished().await;
    let edit_customer: Work = |tx, pause| {
        let mut customer = tx.customer_by_id(CUSTOMER)?.unwrap().customer;
        pause();
        customer.email.as_mut().unwrap().push('x');
        assert!(tx.customer_update(&customer)?);
        Ok(())
    };
    overtake(&database, &db, edit_customer, edit_customer).await;
    let edit_end_user: Work = |tx, pause| {
        let mut end_user = tx.end_user_by_id(END_USER)?.unwrap().end_user;
        pause();
        end_user.email.as_mut().unwrap().push('x');
        assert!(tx.end_user_update(&end_user)?);
        Ok(())
    };
    overtake(&database, &db, edit_end_user, edit_end_user).await;
    let scope = support::scope(ACME);
    let read = db.read::<_, StoreError>(&scope, |tx| {
        let customer = tx.customer_by_id(CUSTOMER)?.unwrap().customer;
        Ok((customer.email, tx.end_user_by_id(END_USER)?.unwrap().end_user.email))
    });
    assert_eq!(read.await, Ok((Some("xx".into()), Some("xx".into()))));
}

#[tokio::test]
async fn whoever_was_found_can_be_assigned_to() {
    let by_id: Work = |tx, pause| {
        tx.end_user_by_id(END_USER)?.unwrap();
        pause();
        assign(tx)
    };
    let by_ids: Work = |tx, pause| {
        assert_eq!(tx.end_users_by_ids(&[END_USER])?.len(), 1);
        pause();
        assign(tx)
    };
    let first_of: Work = |tx, pause| {
        tx.end_user_first_of(CUSTOMER)?.unwrap();
        pause();
        assign(tx)
    };
    for find in [by_id, by_ids, first_of] {
        let (database, db) = furnished().await;
        overtake(&database, &db, find, |tx, _| {
            if tx.end_user_references(END_USER)? == 0 {
                tx.end_user_delete(END_USER)?;
            }
            Ok(())
        })
        .await;
        let scope = support::scope(ACME);
        let read = db.read::<_, StoreError>(&scope, |tx| {
            Ok(tx.end_user_by_id(END_USER)?.map(|found| found.devices))
        });
        assert_eq!(read.await, Ok(Some(1)));
    }
}

fn assign(tx: &mut dyn WriteTx) -> StoreResult<()> {
    let mut devices = tx.devices_locked(&[DEVICE])?;
    devices.iter_mut().for_each(|device| device.end_user = Some(END_USER));
    tx.devices_store(&devices)
}

/// A message changes what no index knows, so that it touches the row's page and no other.
#[tokio::test]
async fn messages_update_a_device_in_place() {
    let (database, db) = furnished().await;
    db.write::<_, StoreError>(&support::scope(ACME), |tx| {
        let keys: Vec<_> = tx.devices_locked(&[DEVICE])?.iter().map(|device| device.key).collect();
        let mut states = tx.device_states(&keys)?;
        states[0].telemetry.first_seen_at = Some(Timestamp::from_micros(1));
        tx.device_states_store(&states)
    })
    .await
    .unwrap();
    let client = support::client(&database.url()).await;
    client
        .batch_execute(
            "BEGIN; UPDATE device SET status = 'offline', device_name = 'x', battery_uv = 1,
                 last_reading_at = 2, newest_reading_at = 2, first_seen_at = 1, last_seen_at = 2,
                 message_count = message_count + 1, latitude = 1, longitude = 1, altitude = 1,
                 days_until = 3, days_zone = 'UTC'",
        )
        .await
        .unwrap();
    let query = "SELECT pg_stat_get_xact_tuples_updated('device'::regclass),
        pg_stat_get_xact_tuples_hot_updated('device'::regclass)";
    let row = client.query_one(query, &[]).await.unwrap();
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (1, 1));
}
