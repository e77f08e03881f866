//! What the tests of this crate share.

#![allow(dead_code, reason = "every test target uses a part of it")]
#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::sync::{Arc, mpsc};
use std::time::Duration;

use tokio_postgres::{Client, NoTls};
use uuid::Uuid;
use weir_domain::{Name, Reseller, ResellerId, Timestamp};
use weir_store::{Change, Db, Listener, Purpose, Scope, StoreError, SystemTx};
use weir_store_postgres::{Options, Postgres, migrate};
use weir_testkit::postgres::{Cluster, TestDatabase};

/// How long something that has to come is waited for.
pub const PATIENCE: Duration = Duration::from_secs(20);

pub const ACME: ResellerId = ResellerId::from_uuid(Uuid::from_u128(0xac3e));
pub const GLOBEX: ResellerId = ResellerId::from_uuid(Uuid::from_u128(0x910be8));

/// A migrated database of one's own.
pub fn database() -> TestDatabase {
    Cluster::shared().fresh_database(|url| {
        migrate(url).expect("a fresh database can be migrated");
    })
}

/// A store with the login of the owner.
pub fn connect(database: &TestDatabase) -> Db {
    connect_to(&database.url())
}

/// A store at an address.
pub fn connect_to(url: &str) -> Db {
    let opened = Postgres::connect(url, Options::default());
    Db::new(opened.unwrap_or_else(|error| panic!("{url} cannot be served from: {error}")))
}

/// A plain connection, past the store.
pub async fn client(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// A scope such as authentication grants.
#[expect(clippy::disallowed_methods, reason = "tests play authentication")]
pub fn scope(reseller: ResellerId) -> Scope {
    Scope::granted(reseller, "test")
}

/// Inserts a reseller of that name.
pub async fn found(db: &Db, id: ResellerId, name: &'static str) {
    let reseller = Reseller {
        id,
        name: Name::parse(name).unwrap(),
        slug: name.to_owned(),
        aliases: vec![Name::parse(&format!("{name} water")).unwrap()],
        tier: "starter".to_owned(),
        monthly_quota: 1000,
        timezone: "UTC".to_owned(),
        is_closing: false,
        created_at: Timestamp::from_micros(1),
    };
    let insert = move |tx: &mut dyn SystemTx| {
        tx.tenant_name_claim(name, id)?;
        tx.scoped(id)?.reseller_insert(&reseller)
    };
    db.system::<_, StoreError>(Purpose::Administer, insert).await.unwrap();
}

/// The simplest use of a store.
pub async fn read(db: &Db) -> Result<Option<Reseller>, StoreError> {
    db.read(&scope(ACME), |tx| tx.reseller()).await
}

/// Asks again until the store answers, which it does a moment after it told that news were missed.
pub async fn read_in_the_end(db: &Db) -> Option<Reseller> {
    let deadline = std::time::Instant::now() + PATIENCE;
    loop {
        match read(db).await {
            Ok(found) => return found,
            Err(error) => assert!(std::time::Instant::now() < deadline, "{error}"),
        }
        tokio::task::yield_now().await;
    }
}

/// What a listener was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    Changed(Change),
    Missed,
}

struct Teller(mpsc::Sender<News>);

impl Listener for Teller {
    fn changed(&self, change: &Change) {
        let _ = self.0.send(News::Changed(change.clone()));
    }

    fn missed(&self) {
        let _ = self.0.send(News::Missed);
    }
}

/// Listens to a store.
pub fn listen(db: &Db) -> mpsc::Receiver<News> {
    let (sender, receiver) = mpsc::channel();
    db.listen(Arc::new(Teller(sender)));
    receiver
}
