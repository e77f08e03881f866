//! Several processes on one file. A second store in this process stands for another one.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;
use weir_domain::{ApiKeyId, DeviceKey, Eui, Name, Reseller, ResellerId, SpoolId, Timestamp};
use weir_store::{ApiKey, Change, Db, Listener, Purpose, Scope, StoreError, StoreResult};
use weir_store_sqlite::{Options, Sqlite};

/// How long to wait for what has to come.
const PATIENCE: Duration = Duration::from_secs(20);

fn place() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("data").join("weir.db");
    (directory, path)
}

fn open(path: &Path) -> Db {
    let options = Options { watch_every: Duration::from_millis(5), ..Options::default() };
    Db::new(Sqlite::open(path, options).unwrap())
}

fn acme() -> ResellerId {
    ResellerId::from_uuid(Uuid::from_u128(1))
}

#[allow(clippy::disallowed_methods, reason = "nobody authenticates here")]
fn scope() -> Scope {
    Scope::granted(acme(), "test")
}

async fn found(db: &Db) {
    let reseller = Reseller {
        id: acme(),
        name: Name::stored("Acme".to_owned()),
        slug: "acme".to_owned(),
        aliases: Vec::new(),
        tier: "starter".to_owned(),
        monthly_quota: 10,
        timezone: "UTC".to_owned(),
        is_closing: false,
        created_at: Timestamp::from_micros(0),
    };
    db.write(&scope(), move |tx| tx.reseller_insert(&reseller)).await.unwrap();
}

async fn add_key(db: &Db, number: u32) -> StoreResult<()> {
    let key = ApiKey {
        id: ApiKeyId::from_uuid(Uuid::from_u128(number.into())),
        name: Name::stored(number.to_string()),
        sealed: vec![1],
        created_at: Timestamp::from_micros(0),
        last_used_at: None,
    };
    db.write(&scope(), move |tx| tx.api_key_insert(&key)).await
}

async fn announce(db: &Db, changes: Vec<Change>) {
    let announced = move |tx: &mut dyn weir_store::WriteTx| -> StoreResult<()> {
        changes.iter().try_for_each(|change| tx.announce(change.clone()))
    };
    db.write(&scope(), announced).await.unwrap();
}

/// What a listener heard; nothing where it may have missed something.
struct Ear(Mutex<Sender<Option<Change>>>);

impl Ear {
    fn on(db: &Db) -> Receiver<Option<Change>> {
        let (sender, heard) = mpsc::channel();
        db.listen(Arc::new(Self(Mutex::new(sender))));
        heard
    }
}

impl Listener for Ear {
    fn changed(&self, change: &Change) {
        let _ = self.0.lock().unwrap().send(Some(change.clone()));
    }

    fn missed(&self) {
        let _ = self.0.lock().unwrap().send(None);
    }
}

fn device(number: u64) -> Change {
    Change::Device(acme(), Eui::from_bits(number))
}

#[tokio::test]
async fn a_change_reaches_the_other_process_once_and_in_order() {
    let (_directory, path) = place();
    let (here, there) = (open(&path), open(&path));
    let (heard_here, heard_there) = (Ear::on(&here), Ear::on(&there));
    announce(&here, vec![Change::Reseller(acme()), device(1)]).await;
    announce(&here, vec![Change::Settled(SpoolId::from_uuid(Uuid::nil()), vec![DeviceKey(1)])])
        .await;
    announce(&here, vec![device(2)]).await;
    for change in [Change::Reseller(acme()), device(1), device(2)] {
        assert_eq!(heard_there.recv_timeout(PATIENCE), Ok(Some(change)));
    }
    // An answer shows that the own log entries were passed by without being told again.
    announce(&there, vec![device(3)]).await;
    let mut here_in_order = Vec::new();
    while here_in_order.last() != Some(&Some(device(3))) {
        here_in_order.push(heard_here.recv_timeout(PATIENCE).unwrap());
    }
    assert_eq!(here_in_order.len(), 5);
    assert_eq!(heard_there.try_recv(), Ok(Some(device(3))));
}

#[tokio::test]
async fn what_happened_before_the_opening_is_no_news() {
    let (_directory, path) = place();
    let here = open(&path);
    announce(&here, vec![device(1)]).await;
    let there = open(&path);
    let heard = Ear::on(&there);
    announce(&here, vec![device(2)]).await;
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(Some(device(2))));
}

#[tokio::test]
async fn who_falls_behind_is_told_to_check_everything() {
    let (_directory, path) = place();
    let (here, there) = (open(&path), open(&path));
    let heard = Ear::on(&there);
    announce(&here, (0..1_500).map(device).collect()).await;
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(None));
    announce(&here, vec![device(2_000)]).await;
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(Some(device(2_000))));
    let kept: i64 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM change_log", [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 1_000);
}

#[tokio::test]
async fn what_a_newer_program_announces_is_checked_for() {
    let (_directory, path) = place();
    let there = open(&path);
    let heard = Ear::on(&there);
    Connection::open(&path)
        .unwrap()
        .execute("INSERT INTO change_log (origin, change) VALUES (1, 'moonrise')", [])
        .unwrap();
    assert_eq!(heard.recv_timeout(PATIENCE), Ok(None));
}

#[tokio::test]
async fn two_processes_write_at_once_and_nothing_is_lost() {
    let (_directory, path) = place();
    let (here, there) = (open(&path), open(&path));
    found(&here).await;
    let (half, other) = tokio::join!(
        async {
            for number in 0..20 {
                add_key(&here, number).await.unwrap();
            }
        },
        async {
            for number in 20..40 {
                add_key(&there, number).await.unwrap();
            }
        }
    );
    assert_eq!((half, other), ((), ()));
    for db in [&here, &there] {
        assert_eq!(db.read(&scope(), |tx| tx.api_keys()).await.unwrap().len(), 40);
    }
}

#[tokio::test]
async fn a_write_waits_for_another_process_that_writes() {
    let (_directory, path) = place();
    let db = open(&path);
    found(&db).await;
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut writing = Box::pin(add_key(&db, 1));
    assert!(begin(writing.as_mut()).await.is_pending());
    // Readers do not wait for anyone.
    assert_eq!(db.read(&scope(), |tx| tx.api_keys()).await.unwrap(), []);
    other.execute_batch("COMMIT").unwrap();
    writing.await.unwrap();
    assert_eq!(db.health().trouble, None);
}

/// Begins a call without waiting for its end.
async fn begin<T>(mut call: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await
}

#[tokio::test]
async fn many_processes_may_start_on_a_new_file_at_once() {
    let (_directory, path) = place();
    let starts: Vec<_> = (0..6)
        .map(|_| {
            let path = path.clone();
            tokio::task::spawn_blocking(move || open(&path))
        })
        .collect();
    let mut stores = Vec::new();
    for start in starts {
        stores.push(start.await.unwrap());
    }
    found(&stores[0]).await;
    for db in &stores {
        let resellers = db.system(Purpose::Administer, |tx| tx.resellers()).await;
        assert_eq!(resellers, Ok::<_, StoreError>(vec![acme()]));
    }
}
