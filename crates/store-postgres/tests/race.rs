//! Changes that meet each other: what follows from them is right, whoever was first.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::ACME;
use tokio_postgres::Client;
use uuid::Uuid;
use weir_domain::{
    Customer, CustomerId, DeviceId, EndUser, EndUserId, Eui, Name, NewDevice, Timestamp,
};
use weir_store::{Db, StoreError, StoreResult, WriteTx};
use weir_testkit::postgres::TestDatabase;

const ROUNDS: u128 = 60;
const CUSTOMERS: u128 = 3;
const END_USERS: u128 = 2;
const DEVICES: u128 = 6;

fn customer(number: u128) -> CustomerId {
    CustomerId::from_uuid(Uuid::from_u128(100 + number % CUSTOMERS))
}

fn end_user(number: u128) -> EndUserId {
    EndUserId::from_uuid(Uuid::from_u128(200 + number % END_USERS))
}

fn device(number: u128) -> DeviceId {
    DeviceId::from_uuid(Uuid::from_u128(300 + number))
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn register(tx: &mut dyn WriteTx, number: u128) -> StoreResult<()> {
    let dev_eui = Eui::from_bits(number as u64);
    assert!(tx.eui_claim(dev_eui)?);
    tx.device_insert(&NewDevice {
        id: device(number),
        dev_eui,
        name: name("Meter"),
        parent: None,
        is_principal: number.is_multiple_of(2),
        hierarchy_level: 0,
        customer: (!number.is_multiple_of(3)).then(|| customer(number)),
        created_at: Timestamp::from_micros(0),
    })?;
    Ok(())
}

/// A reseller with customers and end users, and how often work was begun on it.
struct Stage {
    database: TestDatabase,
    db: Db,
    begun: Arc<AtomicUsize>,
    asked: AtomicUsize,
}

impl Stage {
    async fn set() -> Self {
        let database = support::database();
        let db = support::connect(&database);
        support::found(&db, ACME, "acme").await;
        let stage = Self { database, db, begun: Arc::default(), asked: AtomicUsize::new(0) };
        let furnish = |tx: &mut dyn WriteTx| {
            let created_at = Timestamp::from_micros(0);
            for number in 0..CUSTOMERS {
                let (email, phone, address, timezone) = (None, None, None, None);
                let (id, name) = (customer(number), name("Lakeside"));
                let new = Customer { id, name, email, phone, address, timezone, created_at };
                tx.customer_insert(&new)?;
            }
            for number in 0..END_USERS {
                let (id, name, email) = (end_user(number), name("Ada"), None);
                tx.end_user_insert(&EndUser { id, name, email, customer: None, created_at })?;
            }
            Ok(())
        };
        stage.write(furnish).await;
        stage
    }

    async fn write(
        &self,
        mut work: impl FnMut(&mut dyn WriteTx) -> StoreResult<()> + Send + 'static,
    ) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let begun = self.begun.clone();
        let counted = move |tx: &mut dyn WriteTx| {
            begun.fetch_add(1, Ordering::Relaxed);
            work(tx)
        };
        self.db.write::<_, StoreError>(&support::scope(ACME), counted).await.unwrap();
    }

    /// Work that lost a race is run again: where nobody waited in a circle, none was.
    fn assert_nothing_was_run_again(&self) {
        let asked = self.asked.load(Ordering::Relaxed);
        assert_eq!(self.begun.load(Ordering::Relaxed), asked);
    }

    async fn client(&self) -> Client {
        support::client(&self.database.url()).await
    }
}

/// Devices whose effective customer is not what it should be, and kinds of devices whose count is not.
async fn assert_right(client: &Client, when: &str) {
    let astray = "SELECT count(*) FROM device d
        LEFT JOIN end_user u ON u.reseller_id = d.reseller_id AND u.id = d.end_user_id
        WHERE d.effective_customer_id IS DISTINCT FROM coalesce(u.customer_id, d.customer_id)";
    let astray: i64 = client.query_one(astray, &[]).await.unwrap().get(0);
    assert_eq!(astray, 0, "devices have a customer that is not theirs {when}");
    let miscounted = "SELECT count(*) FROM (
            SELECT customer_id, is_assigned, is_principal, is_active, devices
            FROM fleet_count WHERE devices <> 0
        ) kept FULL JOIN (
            SELECT coalesce(effective_customer_id, '00000000-0000-0000-0000-000000000000')
                AS customer_id, end_user_id IS NOT NULL AS is_assigned, is_principal, is_active,
                count(*) AS devices
            FROM device WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
        ) actual USING (customer_id, is_assigned, is_principal, is_active)
        WHERE kept.devices IS DISTINCT FROM actual.devices";
    let miscounted: i64 = client.query_one(miscounted, &[]).await.unwrap().get(0);
    assert_eq!(miscounted, 0, "kinds of devices are miscounted {when}");
}

/// Gives a device to an end user, or to nobody, as an assignment does.
fn assign(tx: &mut dyn WriteTx, id: DeviceId, to: Option<EndUserId>) -> StoreResult<()> {
    let mut devices = tx.devices_locked(&[id])?;
    if let Some(to) = to {
        tx.end_user_references(to)?;
        tx.end_user_by_id(to)?.unwrap();
    }
    // Those who lose it are looked at for their report.
    let previous: Vec<_> = devices.iter().filter_map(|device| device.end_user).collect();
    tx.end_users_by_ids(&previous)?;
    devices.iter_mut().for_each(|device| device.end_user = to);
    tx.devices_store(&devices)
}

/// Moves an end user to a customer, or to none.
fn belong(tx: &mut dyn WriteTx, id: EndUserId, to: Option<CustomerId>) -> StoreResult<()> {
    tx.end_user_references(id)?;
    let mut moved = tx.end_user_by_id(id)?.unwrap().end_user;
    moved.customer = to;
    assert!(tx.end_user_update(&moved)?);
    Ok(())
}

#[tokio::test]
async fn devices_have_the_customer_of_their_end_user_whoever_was_first() {
    let stage = Stage::set().await;
    for number in 0..DEVICES {
        stage.write(move |tx| register(tx, number)).await;
    }
    let client = stage.client().await;
    for round in 0..ROUNDS {
        let to = (round % 5 > 0).then(|| customer(round));
        let moved = stage.write(move |tx| belong(tx, end_user(round), to));
        let other = stage.write(move |tx| belong(tx, end_user(round + 1), Some(customer(round))));
        let assigned = (0..DEVICES).map(|number| {
            let to = ((round + number) % 4 > 0).then(|| end_user(round / 2));
            stage.write(move |tx| assign(tx, device(number), to))
        });
        tokio::join!(moved, futures_util::future::join_all(assigned), other);
        assert_right(&client, &format!("after round {round}")).await;
    }
}

/// The store alone sees to it, whether or not the end user was read before.
#[tokio::test]
async fn an_assignment_that_looks_at_nobody_is_right_too() {
    let stage = Stage::set().await;
    stage.write(|tx| register(tx, 0)).await;
    let client = stage.client().await;
    for round in 0..ROUNDS {
        let moved = stage.write(move |tx| {
            let (id, name, email) = (end_user(0), name("Ada"), None);
            let (customer, created_at) = (Some(customer(round)), Timestamp::from_micros(0));
            assert!(tx.end_user_update(&EndUser { id, name, email, customer, created_at })?);
            Ok(())
        });
        let assigned = stage.write(move |tx| {
            let mut devices = tx.devices_by_ids(&[device(0)])?;
            devices[0].end_user = (round % 2 > 0).then(|| end_user(0));
            tx.devices_store(&devices)
        });
        tokio::join!(moved, assigned);
        assert_right(&client, &format!("after round {round}")).await;
    }
}

fn delete(tx: &mut dyn WriteTx, number: u128) -> StoreResult<()> {
    let mut devices = tx.devices_locked(&[device(number)])?;
    devices[0].deleted_at = Some(Timestamp::from_micros(9));
    devices[0].is_active = false;
    tx.devices_store(&devices)?;
    tx.euis_release(&[devices[0].dev_eui])
}

fn restore(tx: &mut dyn WriteTx, number: u128) -> StoreResult<()> {
    let mut devices = tx.devices_locked(&[device(number)])?;
    assert!(tx.eui_claim(devices[0].dev_eui)?);
    devices[0].deleted_at = None;
    devices[0].is_active = !number.is_multiple_of(5);
    tx.devices_store(&devices)
}

#[tokio::test]
async fn registrations_deletions_and_restorations_at_once_are_all_counted() {
    let stage = Stage::set().await;
    let lives = (0..ROUNDS).map(|number| {
        let stage = &stage;
        async move {
            stage.write(move |tx| register(tx, number)).await;
            stage.write(move |tx| delete(tx, number)).await;
            if number % 4 > 0 {
                stage.write(move |tx| restore(tx, number)).await;
            }
        }
    });
    futures_util::future::join_all(lives).await;
    assert_right(&stage.client().await, "in the end").await;
    stage.assert_nothing_was_run_again();
    let scope = support::scope(ACME);
    let count = stage
        .db
        .read::<_, StoreError>(&scope, |tx| tx.devices_count(&weir_store::DeviceFilter::default()));
    assert_eq!(count.await, Ok((ROUNDS - ROUNDS / 4) as u64));
}
