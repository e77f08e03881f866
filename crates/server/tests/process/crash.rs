//! Killed at any moment, the service has what it acknowledged, once.

use std::sync::Arc;

use rustix::process::Signal;

use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::traffic::Traffic;

const SENDERS: usize = 16;

/// How often the service is killed, unless the tester wants more.
const KILLS: u64 = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_kill_9_on_sqlite() {
    let told = survive(Store::Sqlite, 0x5eed).await;
    println!("{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_kill_9_on_postgres() {
    let told = survive(Store::Postgres, 0xfeed).await;
    println!("{told}");
}

async fn survive(store: Store, mut chance: u64) -> String {
    let home = Home::on(store);
    let key = home.reseller(TENANT, &[]).await;
    let mut server = home.serve().await;
    let fleet = Arc::new(Fleet::register(&mut server.client(&key), 5, 3).await);
    let traffic = Traffic::prepare(&fleet, &key, SENDERS);
    let kills = kills();
    for kill in 1..=kills {
        traffic.post_to(&[server.address]);
        chance =
            chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Every fourth dies before it has answered anyone, with what it inherited half settled.
        let answers = if kill % 4 == 0 { 0 } else { chance >> 56 };
        traffic.more(answers).await;
        server.kill().await;
        server = home.serve().await;
    }
    traffic.post_to(&[server.address]);
    traffic.more(SENDERS as u64).await;
    let mut book = traffic.stop().await;
    let mut client = server.settled(&key).await;
    book.repeat(&fleet, &mut client, 50).await;
    let found = book.check(&fleet, &mut client).await;

    server.stop(Signal::TERM).await;
    assert_eq!(home.spools().len(), 0, "a spool is left behind");
    let server = home.serve().await;
    let mut client = server.client(&key);
    assert_eq!(book.check(&fleet, &mut client).await, found);
    book.check_quota(&fleet, &mut client, &found).await;
    format!("{store:?}: {kills} kills, {} uplinks without an answer, {found:?}", book.lost())
}

fn kills() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a test runs is no setting of the service"
    )]
    let wanted = std::env::var("WEIR_TEST_KILLS");
    wanted.map_or(KILLS, |kills| kills.parse().unwrap())
}
