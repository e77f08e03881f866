//! A new process beside the old one, on the same data directory: a deployment without a gap.

use std::sync::Arc;

use rustix::process::Signal;
use weir_testkit::faults::{tell, times};

use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, STORES, Store};
use crate::patience::until;
use crate::traffic::Traffic;

/// One process after the other takes over the port of the one before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_process_takes_over_the_port_while_the_old_one_drains() {
    for store in STORES {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &[]).await;
        let mut old = home.serve().await;
        let home = home.listening_on(old.address);
        let fleet = Arc::new(Fleet::register(&mut old.client(&key), 4, 2).await);
        let traffic = Traffic::prepare(&fleet, &key, 16);
        let handovers = times(3, 50);
        for _ in 0..handovers {
            traffic.post_anew_to(&[old.address]);
            traffic.more(100).await;
            let new = home.serve().await;
            traffic.more(100).await;
            old.stop(Signal::TERM).await;
            old = new;
        }
        traffic.more(50).await;
        let book = traffic.stop().await;
        assert_eq!((book.lost(), &book.unheard), (0, &Vec::new()), "cut, and not even heard");
        let mut client = old.client(&key);
        let found = book.check(&fleet, &mut client).await;
        old.stop(Signal::TERM).await;
        assert_eq!(home.spools().len(), 0);
        let server = home.serve().await;
        book.check_quota(&fleet, &mut server.client(&key), &found).await;
        tell(&format!("{handovers} handovers on {store:?}: {found}; 0 cut, 0 connections refused"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_process_adopts_the_spool_of_one_that_is_killed_beside_it() {
    let home = Home::on(Store::Sqlite);
    let key = home.reseller(TENANT, &[]).await;
    let (old, new) = (home.serve().await, home.serve().await);
    let fleet = Arc::new(Fleet::register(&mut old.client(&key), 4, 2).await);
    let traffic = Traffic::prepare(&fleet, &key, 12);
    traffic.post_to(&[old.address, new.address]);
    traffic.more(200).await;
    old.kill().await;
    // Half of the senders go on without a pause.
    until(async || home.spools().len(), |spools| *spools == 1).await;
    traffic.post_to(&[new.address]);
    traffic.more(50).await;
    let book = traffic.stop().await;
    let found = book.check(&fleet, &mut new.settled(&key).await).await;
    new.stop(Signal::TERM).await;
    let server = home.serve().await;
    book.check_quota(&fleet, &mut server.client(&key), &found).await;
}
