//! Several nodes on one PostgreSQL.

use rustix::process::Signal;
use serde_json::json;

use crate::client::{Client, INGEST};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::patience::{A_SECOND, until};

#[tokio::test]
async fn what_is_done_at_one_node_is_known_to_the_other() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &[]).await;
    let (here, there) = (home.serve().await, home.another_node().serve().await);
    let (mut here, mut there) = (here.client(&key), there.client(&key));
    let fleet = Fleet::register(&mut here, 2, 0).await;
    // Registered there, heard here at once, and the other way round.
    there.register("70b3d57effffffff").await;
    assert_eq!(here.post(INGEST, &fleet.uplink("70b3d57effffffff", 1)).await.status, 200);
    assert_eq!(there.post(INGEST, &fleet.of_meter(0, 1)).await.status, 200);

    for number in 2..6 {
        assert_eq!(here.post(INGEST, &fleet.of_meter(0, number)).await.status, 200);
        let seen = async || fleet.history(&mut there, 0).await;
        let (_, took) = until(seen, |history| history.contains(&number)).await;
        assert!(took < A_SECOND, "it took {took:?} to be seen at the other node");
    }
    let history = fleet.history(&mut here, 0).await;
    assert_eq!(history, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_repeat_at_another_node_is_known_as_one() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &[]).await;
    let other_key = home.reseller("Other", &[]).await;
    let (here, there) = (home.serve().await, home.another_node().serve().await);
    let fleet = Fleet::register(&mut here.client(&key), 1, 0).await;
    let mut first = Client::new(here.address, Some(&key));
    let mut second = Client::new(there.address, Some(&key));
    // The second node knows the meter, and knows nothing of what it sends to the first.
    second.post(INGEST, &fleet.of_meter(0, 1)).await.data();
    let mut ids = Vec::new();
    for number in 2..5 {
        ids.push(first.post(INGEST, &fleet.of_meter(0, number)).await.data()["id"].clone());
    }
    until(async || fleet.history(&mut first, 0).await, |history| *history == [1, 2, 3, 4]).await;
    // News comes in the order of the commits: when that of a revoked key is there, that of the
    // readings is as well. Until then nothing is posted that the second node would note by itself.
    assert_eq!(there.client(&other_key).get("/api/v1/devices").await.status, 200);
    home.run(&["api-key", "revoke", "--reseller", "Other"]).await.json();
    let (_, took) = until(
        async || there.client(&other_key).get("/api/v1/devices").await.status,
        |status| *status == 401,
    )
    .await;
    assert!(took < A_SECOND, "it took {took:?}");
    for (number, id) in (2..5).zip(ids) {
        let repeat = second.post(INGEST, &fleet.of_meter(0, number)).await.data();
        assert_eq!((&repeat["duplicate"], &repeat["id"]), (&json!(true), &id), "{repeat}");
    }
    assert_eq!(fleet.history(&mut second, 0).await, [1, 2, 3, 4]);
}

#[tokio::test]
async fn a_key_is_revoked_at_every_node() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &[]).await;
    let nodes = [home.serve().await, home.another_node().serve().await];
    for node in &nodes {
        assert_eq!(node.client(&key).get("/api/v1/devices").await.status, 200);
    }
    // The command has a data directory of its own: it is no node.
    home.another_node().run(&["api-key", "revoke", "--reseller", TENANT]).await.json();
    for node in &nodes {
        let ask = async || node.client(&key).get("/api/v1/devices").await.status;
        let (_, took) = until(ask, |status| *status == 401).await;
        assert!(took < A_SECOND, "it took {took:?}");
    }
}

const QUOTA: u64 = 100;

#[tokio::test]
async fn nodes_that_take_turns_use_the_quota_up_and_never_pass_it() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &["--quota", &QUOTA.to_string()]).await;
    let (here, there) = (home.serve().await, home.another_node().serve().await);
    let (mut here, mut there) = (here.client(&key), there.client(&key));
    let fleet = Fleet::register(&mut here, 2, 0).await;
    let mut taken = 0;
    for number in 0..QUOTA * 3 / 2 {
        let client = if number % 2 == 0 { &mut here } else { &mut there };
        let answer = client.post(INGEST, &fleet.of_meter(number as usize % 2, number)).await;
        taken += u64::from(answer.status == 200);
        assert!(answer.status == 200 || answer.status == 429, "{answer:?}");
        assert_eq!(answer.number("x-ratelimit-limit"), 100);
    }
    assert_eq!(taken, QUOTA);
    let kept = fleet.history(&mut here, 0).await.len() + fleet.history(&mut there, 1).await.len();
    assert_eq!(kept as u64, QUOTA);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_at_once_use_the_quota_up_and_never_pass_it() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &["--quota", &QUOTA.to_string()]).await;
    let nodes = [home.serve().await, home.another_node().serve().await];
    let fleet = Fleet::register(&mut nodes[0].client(&key), 2, 0).await;
    let clients = (0..8).map(|n| (nodes[n % 2].client(&key), n as u64 * 1_000));
    let taken = clients.map(async |(mut client, first)| fleet.use_up(&mut client, first).await);
    let taken: u64 = futures_util::future::join_all(taken).await.iter().sum();
    assert_eq!(taken, QUOTA);
    let mut client = nodes[1].client(&key);
    // What the other node acknowledged is here within a second.
    let kept = async || {
        let meters = [fleet.history(&mut client, 0).await, fleet.history(&mut client, 1).await];
        meters.concat().len() as u64
    };
    let (_, took) = until(kept, |kept| *kept >= QUOTA).await;
    assert!(took < A_SECOND, "it took {took:?}");
}

#[tokio::test]
async fn what_nodes_had_leased_is_there_when_they_have_stopped() {
    let home = Home::on(Store::Postgres);
    let key = home.reseller(TENANT, &["--quota", &QUOTA.to_string()]).await;
    let nodes = [home.serve().await, home.another_node().serve().await];
    let fleet = Fleet::register(&mut nodes[0].client(&key), 2, 0).await;
    for (node, number) in nodes.iter().zip(0..) {
        node.client(&key).post(INGEST, &fleet.of_meter(0, number)).await.data();
    }
    for node in nodes {
        node.stop(Signal::TERM).await;
    }
    let third = home.another_node().serve().await;
    let mut client = third.client(&key);
    let answer = client.post(INGEST, &fleet.of_meter(0, 2)).await;
    assert_eq!(answer.number("x-ratelimit-remaining"), 97);
    assert_eq!(fleet.use_up(&mut client, 3).await, 97);
}
