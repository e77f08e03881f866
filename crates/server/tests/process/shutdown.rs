//! Asked to stop, the service answers what it has begun, settles what it holds, and goes.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::block_in_place;
use weir_testkit::faults::{tell, times};
use weir_testkit::postgres::{Cluster, Stop};

use crate::client::{Answer, INGEST};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, STORES, Store};
use crate::patience::{soon, until};
use crate::traffic::Traffic;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_service_stops_in_order() {
    for (store, signal) in STORES.into_iter().zip([Signal::TERM, Signal::INT]) {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &[]).await;
        let mut server = home.serve().await;
        let fleet = Arc::new(Fleet::register(&mut server.client(&key), 4, 2).await);
        let traffic = Traffic::prepare(&fleet, &key, 16);
        let (stops, mut slowest) = (times(2, 25), Duration::ZERO);
        for _ in 0..stops {
            traffic.post_anew_to(&[server.address]);
            traffic.more(200).await;
            slowest = slowest.max(server.stop(signal).await);
            assert_eq!(home.spools().len(), 0, "a spool is left behind");
            server = home.serve().await;
        }
        let book = traffic.stop().await;
        assert_eq!(book.lost(), 0, "requests went without an answer");
        let mut client = server.client(&key);
        let found = book.check(&fleet, &mut client).await;
        book.check_quota(&fleet, &mut client, &found).await;
        tell(&format!("{stops} stops on {store:?}: {found}; 0 cut, slowest {slowest:.1?}"));
    }
}

#[tokio::test]
async fn what_keys_were_used_is_noted_at_last() {
    for store in STORES {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &[]).await;
        home.run(&["api-key", "create", "--reseller", TENANT, "--name", "idle"]).await.json();
        let server = home.serve().await;
        server.client(&key).get("/api/v1/devices").await.data();
        let list = ["api-key", "list", "--reseller", TENANT, "--json"];
        assert!(home.run(&list).await.json()[0]["last_used_at"].is_null(), "it is not written yet");
        server.stop(Signal::TERM).await;
        let keys = home.run(&list).await.json();
        let (made, used) = (keys[0]["created_at"].as_str(), keys[0]["last_used_at"].as_str());
        assert!(used > made, "{keys}");
        assert!(keys[1]["last_used_at"].is_null(), "{keys}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_has_begun_is_answered() {
    let home = Home::on(Store::Sqlite);
    let key = home.reseller(TENANT, &[]).await;
    let mut server = home.serve().await;
    let fleet = Fleet::register(&mut server.client(&key), 1, 0).await;
    let body = fleet.of_meter(0, 1).to_string();
    let mut begun = server.begin(&key, body.len()).await;

    server.signal(Signal::TERM);
    let connect = async || TcpStream::connect(server.address).await.err().map(|it| it.kind());
    until(connect, |error| *error == Some(ErrorKind::ConnectionRefused)).await;
    begun.write_all(body.as_bytes()).await.unwrap();
    let answer = soon(Answer::read(&mut begun)).await.unwrap();
    assert_eq!(answer.header("connection"), Some("close"));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(server.ended().await.success());

    let server = home.serve().await;
    assert_eq!(fleet.history(&mut server.client(&key), 0).await, [1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_settled_waits_for_the_next_start() {
    let cluster = Cluster::start();
    let home = Home::in_cluster(&cluster);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let fleet = Arc::new(Fleet::register(&mut server.client(&key), 4, 0).await);
    let traffic = Traffic::prepare(&fleet, &key, 8);
    traffic.post_to(&[server.address]);
    traffic.more(100).await;
    block_in_place(|| cluster.stop(Stop::Fast));
    traffic.more(100).await;
    // Somebody who never ends must not cost the others their ten seconds.
    let _endless = server.begin(&key, 1_000).await;
    server.stop(Signal::TERM).await;
    let book = traffic.stop().await;
    assert_eq!(home.spools().len(), 1);

    block_in_place(|| cluster.start_again());
    let server = home.serve().await;
    let mut client = server.settled(&key).await;
    let found = book.check(&fleet, &mut client).await;
    assert_eq!(found.readings, found.acknowledged);
    server.stop(Signal::INT).await;
    assert_eq!(home.spools().len(), 0);
    let server = home.serve().await;
    book.check_quota(&fleet, &mut server.client(&key), &found).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_that_cannot_be_given_back_is_given_back_at_the_next_start() {
    let cluster = Cluster::start();
    let home = Home::in_cluster(&cluster);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    let limit = client.post(INGEST, &fleet.of_meter(0, 1)).await.number("x-ratelimit-limit");
    // A read waits until the uplink is settled, so that nothing is left to do but to let go.
    assert_eq!(fleet.history(&mut client, 0).await, [1]);
    block_in_place(|| cluster.stop(Stop::Fast));
    server.stop(Signal::TERM).await;

    block_in_place(|| cluster.start_again());
    let server = home.serve().await;
    let mut client = server.settled(&key).await;
    assert_eq!(fleet.history(&mut client, 0).await, [1]);
    let answer = client.post(INGEST, &fleet.of_meter(0, 2)).await;
    assert_eq!(answer.number("x-ratelimit-remaining"), limit - 2);
    let deleted = home.run(&["reseller", "delete", "--reseller", TENANT]).await.json();
    assert_eq!(deleted["deleted"], true);
}
