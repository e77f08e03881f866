//! A disk without room: refusals that say so, nothing half-written, and it goes on by itself.

use std::sync::Arc;

use tokio::task::block_in_place;
use weir_testkit::faults::{grouped, tell, times};
use weir_testkit::small_disk::SmallDisk;

use crate::client::{INGEST, REGISTER};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::server::Server;
use crate::traffic::Traffic;

/// Room for some of the spool's segments, which are allocated ahead, and for the store.
const DISK_BYTES: u64 = 96 << 20;

/// Less than a segment, and enough for SQLite to start.
const LITTLE_ROOM: u64 = 2 << 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_under_spool_and_sqlite_costs_nothing_that_was_acknowledged() {
    fill_up(Store::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_under_the_spool_alone_costs_nothing_that_was_acknowledged() {
    fill_up(Store::Postgres).await;
}

async fn fill_up(store: Store) {
    let disk = match SmallDisk::mount(DISK_BYTES) {
        Ok(disk) => disk,
        Err(reason) => return tell(&format!("SKIPPED: a full disk under {store:?}: {reason}")),
    };
    let home = Home::on(store).with_data_on(&disk);
    let key = home.reseller(TENANT, &[]).await;
    let mut server = home.serve().await;
    let fleet = Arc::new(Fleet::register(&mut server.client(&key), 4, 2).await.verbose());
    let traffic = Traffic::prepare(&fleet, &key, 16);
    traffic.expect_refusals();
    let rounds = times(1, 8);
    for round in 0..rounds {
        traffic.post_to(&[server.address]);
        traffic.more(200).await;
        if round % 2 == 0 {
            // A new process, whose first segment finds no room.
            server.kill().await;
            server = home.serve().await;
            server.settled(&key).await;
            block_in_place(|| disk.fill(LITTLE_ROOM));
            traffic.post_to(&[server.address]);
        } else {
            // The rest of the segment that is written is used up first.
            block_in_place(|| disk.fill(0));
        }
        traffic.more_refusals(50).await;
        assert_others_are_answered(store, &server, &key).await;
        block_in_place(|| disk.free());
        traffic.more(200).await;

        // What is acknowledged now stays in the spool, where the store is on the full disk too.
        block_in_place(|| disk.fill(0));
        traffic.more(100).await;
        server.kill().await;
        block_in_place(|| disk.free());
        server = home.serve().await;
        assert_nothing_is_damaged(&server, &key).await;
    }
    traffic.post_to(&[server.address]);
    traffic.more(50).await;
    let book = traffic.stop().await;
    let found = book.check(&fleet, &mut server.settled(&key).await).await;
    server.kill().await;
    let server = home.serve().await;
    let mut client = server.settled(&key).await;
    assert_eq!(book.check(&fleet, &mut client).await, found);
    book.check_quota(&fleet, &mut client, &found).await;
    let (fills, refused) = (2 * rounds, grouped(book.refused));
    tell(&format!(
        "{fills} times a full disk under {store:?}: {found}; {refused} refused with 503"
    ));
}

/// Whoever needs nothing of the full disk gets it, and who does is refused in order.
async fn assert_others_are_answered(store: Store, server: &Server, key: &str) {
    assert_eq!(server.anybody().get("/health").await.status, 503);
    let meter = serde_json::json!({
        "dev_eui": "70b3d57effffffff", "name": "Late", "device_type": "water_meter",
    });
    let (mut reader, mut writer) = (server.client(key), server.client(key));
    let answers = tokio::join!(reader.get("/api/v1/devices"), writer.post(REGISTER, &meter));
    for answer in [answers.0, answers.1] {
        let is_refused = answer.is_unavailable() && store == Store::Sqlite;
        let is_answered =
            answer.status == 200 || answer.body["error_code"] == "DEVICE_ALREADY_EXISTS";
        assert!(is_refused || is_answered, "{answer:?}");
    }
}

async fn assert_nothing_is_damaged(server: &Server, key: &str) {
    server.settled(key).await;
    let spool = server.anybody().get("/health").await.data()["spool"].clone();
    assert_eq!(
        (&spool["damaged"], &spool["missing"], &spool["set_aside"]),
        (&0.into(), &0.into(), &0.into())
    );
}

#[tokio::test]
async fn every_refusal_on_a_full_disk_says_when_to_come_again() {
    let disk = match SmallDisk::mount(DISK_BYTES) {
        Ok(disk) => disk,
        Err(reason) => return tell(&format!("SKIPPED: a full disk: {reason}")),
    };
    let home = Home::on(Store::Sqlite).with_data_on(&disk);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    disk.fill(LITTLE_ROOM);
    let refused = client.post(INGEST, &fleet.of_meter(0, 1)).await;
    assert!(refused.is_unavailable(), "{refused:?}");
    let health = client.get("/health").await;
    assert!(health.is_unavailable(), "{health:?}");
    disk.free();
    assert_eq!(client.post(INGEST, &fleet.of_meter(0, 1)).await.status, 200);
    assert_eq!(fleet.history(&mut client, 0).await, [1]);
    assert_eq!(client.get("/health").await.status, 200);
}
