//! What happens while the database is away.

#![expect(clippy::unwrap_used, reason = "these are tests")]

mod support;

use std::sync::mpsc;
use std::time::{Duration, Instant};

use support::{ACME, News, PATIENCE};
use weir_store::{Db, StoreError};
use weir_store_postgres::{OpenError, Options, Postgres, migrate};
use weir_testkit::postgres::{Cluster, Stop, TestDatabase};

fn assert_unavailable<T: std::fmt::Debug>(outcome: &Result<T, StoreError>) {
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
}

async fn served(cluster: &Cluster) -> (TestDatabase, Db) {
    let database = cluster.fresh_database(|url| {
        migrate(url).unwrap();
    });
    let db = support::connect(&database);
    support::found(&db, ACME, "acme").await;
    (database, db)
}

#[tokio::test]
async fn work_fails_fast_during_an_outage_and_goes_on_after_it() {
    let cluster = Cluster::start();
    let (_database, db) = served(&cluster).await;
    let news = support::listen(&db);
    let ends: [fn(&Cluster); 3] =
        [|it| it.stop(Stop::Fast), |it| it.stop(Stop::Immediate), Cluster::kill];
    for end in ends {
        assert_eq!(db.health().trouble, None);
        end(&cluster);
        assert_unavailable(&support::read(&db).await);
        assert!(db.health().trouble.is_some());
        let begun = Instant::now();
        for _ in 0..100 {
            assert_unavailable(&support::read(&db).await);
            assert_unavailable(
                &db.write::<_, StoreError>(&support::scope(ACME), |tx| tx.devices_billed()).await,
            );
        }
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());

        cluster.start_again();
        assert_eq!(news.recv_timeout(PATIENCE), Ok(News::Missed));
        assert!(support::read_in_the_end(&db).await.is_some());
    }
}

#[tokio::test]
async fn work_in_hand_is_answered_when_the_server_ends() {
    let cluster = Cluster::start();
    let (_database, db) = served(&cluster).await;
    let news = support::listen(&db);
    let (begun, has_begun) = mpsc::channel();
    let (stopped, was_stopped) = mpsc::channel();
    let stop = std::thread::Builder::new().spawn(move || {
        has_begun.recv_timeout(PATIENCE).unwrap();
        // Not a kill, which connections may outlive for a moment.
        cluster.stop(Stop::Immediate);
        stopped.send(()).unwrap();
        cluster
    });
    let scope = support::scope(ACME);
    let outcome = db.write::<_, StoreError>(&scope, move |tx| {
        tx.lock_device_tree()?;
        begun.send(()).unwrap();
        was_stopped.recv_timeout(PATIENCE).unwrap();
        tx.devices_billed()
    });
    assert_unavailable(&outcome.await);
    let cluster = stop.unwrap().join().unwrap();
    cluster.start_again();
    assert_eq!(news.recv_timeout(PATIENCE), Ok(News::Missed));
    assert!(support::read_in_the_end(&db).await.is_some());
}

#[tokio::test]
async fn connections_that_are_lost_while_nobody_uses_them_cost_nobody_anything() {
    let database = support::database();
    let db = support::connect(&database);
    support::found(&db, ACME, "acme").await;
    for _ in 0..3 {
        assert!(support::read(&db).await.unwrap().is_some());
        database.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()
                 AND query NOT IN ('', 'LISTEN weir_change')",
        );
    }
    assert!(support::read(&db).await.unwrap().is_some());
}

#[test]
fn a_database_that_is_not_there_cannot_be_opened() {
    let cluster = Cluster::start();
    let database = cluster.empty_database();
    cluster.stop(Stop::Immediate);
    let opened = Postgres::connect(&database.url(), Options::default());
    assert!(matches!(opened.err(), Some(OpenError::Unreachable(_))));
}
