//! News between nodes.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod support;

use std::sync::mpsc::Receiver;
use std::time::Duration;

use support::{ACME, News, PATIENCE};
use weir_domain::{DeviceKey, Eui, SpoolId};
use weir_store::{Change, Db, StoreError};

async fn announce(db: &Db, change: Change) {
    let scope = support::scope(ACME);
    let announced = db.write::<_, StoreError>(&scope, move |tx| tx.announce(change.clone()));
    announced.await.unwrap();
}

fn next_change(news: &Receiver<News>, within: Duration) -> Change {
    match news.recv_timeout(within) {
        Ok(News::Changed(change)) => change,
        other => panic!("expected a change, not {other:?}"),
    }
}

#[tokio::test]
async fn a_change_reaches_another_node_within_a_second() {
    let database = support::database();
    let (one, other) = (support::connect(&database), support::connect(&database));
    let news = support::listen(&other);
    let changes = [
        Change::Device(ACME, Eui::parse("70B3D57ED02A3654").unwrap()),
        Change::Settled(SpoolId::from_uuid(ACME.uuid()), vec![DeviceKey(7), DeviceKey(i64::MAX)]),
        Change::Reseller(ACME),
    ];
    for change in changes {
        announce(&one, change.clone()).await;
        assert_eq!(next_change(&news, Duration::from_secs(1)), change);
    }
}

#[tokio::test]
async fn what_no_notification_can_hold_arrives_in_parts() {
    let database = support::database();
    let (one, other) = (support::connect(&database), support::connect(&database));
    let news = support::listen(&other);
    let spool = SpoolId::from_uuid(ACME.uuid());
    let devices: Vec<_> = (0..1000).map(|n| DeviceKey(i64::MAX - n)).collect();
    announce(&one, Change::Settled(spool, devices.clone())).await;
    let mut arrived = Vec::new();
    while arrived.len() < devices.len() {
        match next_change(&news, PATIENCE) {
            Change::Settled(from, part) if from == spool => arrived.extend(part),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(arrived, devices);
}

#[tokio::test]
async fn a_lost_listener_says_so_and_goes_on() {
    let database = support::database();
    let (one, other) = (support::connect(&database), support::connect(&database));
    let news = support::listen(&other);
    database.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND query <> '' AND pid <> pg_backend_pid()",
    );
    assert_eq!(news.recv_timeout(PATIENCE), Ok(News::Missed));
    announce(&one, Change::Reseller(ACME)).await;
    assert_eq!(next_change(&news, PATIENCE), Change::Reseller(ACME));
}

#[tokio::test]
async fn news_of_a_later_version_mean_that_anything_may_have_changed() {
    let database = support::database();
    let db = support::connect(&database);
    let news = support::listen(&db);
    database.execute("NOTIFY weir_change, 'firmware 7'");
    assert_eq!(news.recv_timeout(PATIENCE), Ok(News::Missed));
}
