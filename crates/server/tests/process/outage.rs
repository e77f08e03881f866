//! While PostgreSQL is away, uplinks go on.

use std::sync::Arc;

use futures_util::future::join_all;
use rustix::process::Signal;
use tokio::task::block_in_place;
use weir_testkit::faults::{tell, times};
use weir_testkit::postgres::{Cluster, Stop};

use crate::client::{Client, INGEST};
use crate::fleet::{Fleet, TENANT};
use crate::home::Home;
use crate::patience::until;
use crate::traffic::Traffic;

const ENDS: [fn(&Cluster); 3] =
    [|it| it.stop(Stop::Fast), |it| it.stop(Stop::Immediate), Cluster::kill];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_meters_are_heard_while_the_store_is_away_and_nothing_is_lost() {
    let cluster = Cluster::start();
    let home = Home::in_cluster(&cluster);
    let key = home.reseller(TENANT, &[]).await;
    let unseen_key = home.reseller("Unseen", &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Arc::new(Fleet::register(&mut client, 4, 0).await);
    let traffic = Traffic::prepare(&fleet, &key, 8);
    traffic.post_to(&[server.address]);
    traffic.more(100).await;
    let ends = times(3, 60);
    for end in (0..ends as usize).map(|number| ENDS[number % ENDS.len()]) {
        block_in_place(|| end(&cluster));
        traffic.more(100).await;
        let (away, _) =
            until(async || health(&mut server.anybody()).await, |it| !it.reachable).await;
        assert!(away.depth > 0, "{away:?}");

        let stranger = fleet.uplink("0004a30b00000000", 1);
        let mut unseen = server.client(&unseen_key);
        let refused = [
            client.post(INGEST, &stranger).await,
            client.get("/api/v1/devices").await,
            client.get(&format!("/api/v1/devices/{}/consumption", fleet.meters[0])).await,
            unseen.post(INGEST, &stranger).await,
        ];
        for answer in refused {
            answer.assert_error(503, "SERVICE_UNAVAILABLE");
            assert!(answer.number("retry-after") > 0);
        }
        server
            .client("weir_wrong")
            .get("/api/v1/devices")
            .await
            .assert_error(401, "INVALID_API_KEY");
        traffic.more(100).await;

        block_in_place(|| cluster.start_again());
        until(async || client.get("/api/v1/devices").await, |it| it.status == 200).await;
        assert!(health(&mut server.anybody()).await.reachable);
        traffic.more(100).await;
    }
    let book = traffic.stop().await;
    let found = book.check(&fleet, &mut client).await;
    assert_eq!(book.lost(), 0);
    assert_eq!(found.readings, found.acknowledged);

    server.stop(Signal::TERM).await;
    let server = home.serve().await;
    book.check_quota(&fleet, &mut server.client(&key), &found).await;
    let slowest = book.slowest.as_millis();
    tell(&format!(
        "{ends} ends of PostgreSQL: {found}; 0 refused of known meters, slowest {slowest} ms"
    ));
}

/// What `/health` says, which is always 200.
#[derive(Debug)]
struct Health {
    reachable: bool,
    depth: u64,
}

async fn health(client: &mut Client) -> Health {
    let health = client.get("/health").await.data();
    Health {
        reachable: health["store"]["reachable"].as_bool().unwrap(),
        depth: health["spool"]["depth"].as_u64().unwrap(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_does_not_stretch_the_quota() {
    let cluster = Cluster::start();
    let home = Home::in_cluster(&cluster);
    let key = home.reseller(TENANT, &["--quota", "400"]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 2, 0).await;
    for number in 0..300 {
        // More than a lease is spent while nobody can be asked for another.
        if number == 100 {
            block_in_place(|| cluster.stop(Stop::Fast));
        }
        let answer = client.post(INGEST, &fleet.of_meter(number as usize % 2, number)).await;
        assert_eq!(answer.status, 200, "{number}: {answer:?}");
        assert_eq!(answer.number("x-ratelimit-remaining"), 399 - number as i64);
    }
    block_in_place(|| cluster.start_again());
    // A crowd asks the store as soon as it can be asked, before and while the rest is settled.
    let clients = (1..5).map(|n| (server.client(&key), n * 1_000));
    let taken = clients.map(async |(mut client, first)| fleet.use_up(&mut client, first).await);
    let taken: u64 = join_all(taken).await.iter().sum();
    assert!(taken <= 100, "{} of 400 requests were taken", 300 + taken);
    server.stop(Signal::TERM).await;
    let server = home.serve().await;
    let rest = fleet.use_up(&mut server.settled(&key).await, 5_000).await;
    assert_eq!(300 + taken + rest, 400);
}
