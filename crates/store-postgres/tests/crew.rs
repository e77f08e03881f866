//! Work of one kind does not keep other work from running.

mod support;

use std::sync::mpsc;

use support::{ACME, PATIENCE};
use weir_store::{Db, Purpose, StoreError};

/// More work than there are connections.
const MORE_THAN_THE_CREW: usize = 12;

async fn settle(db: &Db) -> Result<u64, StoreError> {
    let spool = weir_domain::SpoolId::from_uuid(ACME.uuid());
    db.system(Purpose::Settle, move |tx| Ok(tx.spool_positions(spool)?.lowest())).await
}

#[tokio::test]
async fn writes_that_wait_for_a_lock_hold_up_neither_reads_nor_settling() {
    let database = support::database();
    let db = support::connect(&database);
    support::found(&db, ACME, "acme").await;
    let scope = support::scope(ACME);
    let (release, released) = mpsc::channel::<()>();
    let (locked, is_locked) = tokio::sync::oneshot::channel();
    let mut locked = Some(locked);
    let holder = db.write::<_, StoreError>(&scope, move |tx| {
        tx.lock_device_tree()?;
        let _ = locked.take().map(|locked| locked.send(()));
        let _ = released.recv_timeout(PATIENCE);
        Ok(())
    });
    let beside = async {
        is_locked.await.unwrap();
        let waiting = (0..MORE_THAN_THE_CREW).map(|_| db.write(&scope, |tx| tx.lock_device_tree()));
        let waiting = futures_util::future::join_all(waiting);
        let others = async {
            assert!(support::read(&db).await.unwrap().is_some());
            assert_eq!(settle(&db).await, Ok(0));
            drop(release);
        };
        tokio::join!(waiting, others).0
    };
    let (held, waited) = tokio::join!(holder, beside);
    assert_eq!(held, Ok(()));
    assert!(waited.iter().all(Result::is_ok), "{waited:?}");
}

#[tokio::test]
async fn reads_that_take_long_do_not_hold_up_settling() {
    let database = support::database();
    let db = support::connect(&database);
    let scope = support::scope(ACME);
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Arc::new(std::sync::Mutex::new(released));
    let reads = (0..MORE_THAN_THE_CREW).map(|_| {
        let released = released.clone();
        db.read::<_, StoreError>(&scope, move |_| {
            let _ = released.lock().unwrap().recv_timeout(PATIENCE);
            Ok(())
        })
    });
    let reads = futures_util::future::join_all(reads);
    let settling = async {
        assert_eq!(settle(&db).await, Ok(0));
        drop(release);
    };
    let (reads, ()) = tokio::join!(reads, settling);
    assert!(reads.iter().all(Result::is_ok), "{reads:?}");
}
