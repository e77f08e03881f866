//! Killed at any moment, the service has what it acknowledged, once.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use weir_testkit::faults::{Chance, tell, times};

use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::traffic::Traffic;

const SENDERS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_kill_9_on_sqlite() {
    survive(Store::Sqlite, Chance::usually(0x5eed)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_outlives_kill_9_on_postgres() {
    survive(Store::Postgres, Chance::usually(0xfeed)).await;
}

async fn survive(store: Store, mut chance: Chance) {
    let (kills, seed) = (times(6, 50), chance.seed());
    tell(&format!("{kills} kills on {store:?}: seed {seed}"));
    let home = Home::on(store);
    let key = home.reseller(TENANT, &[]).await;
    let mut server = home.serve().await;
    let fleet = Arc::new(Fleet::register(&mut server.client(&key), 5, 3).await);
    let traffic = Traffic::prepare(&fleet, &key, SENDERS);
    let mut moment = |most| Duration::from_millis(chance.below(most));
    for kill in 1..=kills {
        let is_early = kill % 3 == 0;
        traffic.post_to(&[server.address]);
        if !is_early {
            // Until then uplinks wait, and hardly any would be under way.
            server.settled(&key).await;
        }
        traffic.more(10).await;
        tokio::time::sleep(moment(500)).await;
        server.kill().await;
        if is_early {
            home.kill_while_it_starts(moment(300)).await;
        }
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
    let (starts, cut) = (kills / 3, book.lost());
    tell(&format!(
        "{kills} kills on {store:?}, and {starts} of a start: {found}; {cut} without an answer"
    ));
}
