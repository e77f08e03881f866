//! A whole service in a process, behind its real router, on either store.
//!
//! ```no_run
//! # async fn example() {
//! use serde_json::json;
//! use weir_testkit::app::{Store, TestApp};
//!
//! let app = TestApp::start(Store::Sqlite).await;
//! let acme = app.reseller("Acme").await;
//! let meter = json!({ "dev_eui": "70b3d57ed02a3654", "name": "Main", "device_type": "water_meter" });
//! acme.post("/api/v1/devices/register", meter).await.ok();
//! # }
//! ```

mod actor;
mod answer;
mod clock;
pub mod document;
mod issuers;
mod letterbox;
mod surroundings;
mod uplinks;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use weir_api::source::TrustedProxies;
use weir_api::{Beside, Service};
use weir_app::api_keys::Minting;
use weir_app::credentials::{Keyring, Secret};
use weir_app::resellers::{NewReseller, ResellerChange};
use weir_app::{Env, TimeOrderedIds};
use weir_dashboard::Dashboard;
use weir_domain::member::{Member, Role};
use weir_domain::person::{Email, Identity};
use weir_domain::{MemberId, Name, SpoolId};
use weir_identity::Reception;
use weir_identity::provider::{Provider, PublicUrl};
use weir_ingest::Node;
use weir_report::{Archive, Reports};
use weir_store::{Db, Engine, Purpose};

pub use actor::Actor;
pub use answer::Answer;
pub use clock::TestClock;
pub use issuers::issuers;
use issuers::known_issuers;
pub use letterbox::Letterbox;
pub use surroundings::Surroundings;
pub use uplinks::{chirpstack, things_stack};

use crate::postgres::{Cluster, TestDatabase};

/// Which store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// SQLite, in a file of its own.
    Sqlite,
    /// PostgreSQL, in a database of its own.
    Postgres,
}

/// Where the service says it is.
pub const PUBLIC_URL: &str = "https://weir.example.org";

/// A running service.
pub struct TestApp {
    router: Router,
    secret: Secret,
    env: Env,
    /// The store, without the barrier in front of it.
    pub db: Db,
    /// The API keys that it has seen.
    pub keyring: Arc<Keyring>,
    /// Its ingestion.
    pub node: Arc<Node>,
    /// Its provider of identities.
    pub provider: Arc<Provider>,
    /// The letters that it sends.
    pub letters: Arc<Letterbox>,
    /// Its clock.
    pub clock: Arc<TestClock>,
    /// Its data directory.
    pub directory: Arc<tempfile::TempDir>,
    database: Option<Arc<TestDatabase>>,
    store: Store,
    surroundings: Surroundings,
}

impl TestApp {
    /// Starts a service on a store of its own.
    pub async fn start(store: Store) -> Self {
        Self::start_among(store, Surroundings::default()).await
    }

    /// The same among others that it speaks with.
    pub async fn start_among(store: Store, surroundings: Surroundings) -> Self {
        let directory = Arc::new(tempfile::tempdir().expect("a directory for the test"));
        let database = (store == Store::Postgres).then(|| {
            Arc::new(Cluster::shared().fresh_database(|url| {
                weir_store_postgres::migrate(url).expect("a migrated template");
            }))
        });
        let clock = Arc::new(TestClock::new());
        Self::start_on(store, directory, database, clock, surroundings).await
    }

    /// One more node on the same store, with a data directory of its own and the same clock.
    pub async fn another_node(&self) -> Self {
        let directory = match self.store {
            Store::Sqlite => self.directory.clone(),
            Store::Postgres => Arc::new(tempfile::tempdir().expect("a directory for the test")),
        };
        let (database, surroundings) = (self.database.clone(), self.surroundings.clone());
        Self::start_on(self.store, directory, database, self.clock.clone(), surroundings).await
    }

    async fn start_on(
        store: Store,
        directory: Arc<tempfile::TempDir>,
        database: Option<Arc<TestDatabase>>,
        clock: Arc<TestClock>,
        surroundings: Surroundings,
    ) -> Self {
        let (path, url) =
            (directory.path().join("weir.db"), database.as_ref().map(|database| database.url()));
        let engine = tokio::task::spawn_blocking(move || -> Arc<dyn Engine> {
            match url {
                None => {
                    weir_store_sqlite::Sqlite::open(&path, Default::default()).expect("a store")
                }
                Some(url) => weir_store_postgres::Postgres::connect(&url, Default::default())
                    .expect("a store"),
            }
        });
        let db = Db::new(engine.await.expect("a store"));
        let env = Env { clock: clock.clone(), ids: Arc::new(TimeOrderedIds::default()) };
        let spool = SpoolId::from_uuid(env.ids.next(env.now()));
        let node =
            Node::start(db.clone(), &directory.path().join("spool"), spool, Default::default());
        let node = Arc::new(node.expect("a spool"));
        let secret = Secret::new(b"a secret that only tests share").expect("a secret");
        let letters = Arc::new(Letterbox::default());
        let mut issuers = known_issuers(directory.path());
        issuers.extend(surroundings.issuers.iter().cloned());
        let reception = Reception::open(
            &db,
            &env,
            &secret,
            &PublicUrl::parse(PUBLIC_URL).expect("a URL"),
            surroundings.postman.clone().unwrap_or_else(|| letters.clone()),
            &issuers,
        );
        let Reception { people, provider, social } = reception.expect("issuers");
        let reports = Reports::start(
            db.clone(),
            Archive::in_directory(directory.path()).expect("an archive"),
        );
        // Actors ask from this machine, and say for whom as a proxy does.
        let proxies = TrustedProxies::parse(["127.0.0.0/8"]).expect("a network");
        let keyring = Keyring::new(db.clone(), secret.clone());
        let dashboard = Dashboard {
            db: db.behind(node.barrier()),
            keyring: keyring.clone(),
            people: people.clone(),
            sign_in: provider.clone(),
            social: social.clone(),
            reports: reports.clone(),
            env: env.clone(),
            tiers: Default::default(),
            proxies: proxies.clone(),
            sign_up: surroundings.sign_up,
        };
        let service = Service {
            db: db.behind(node.barrier()),
            keyring: keyring.clone(),
            intake: node.intake(),
            node: node.clone(),
            reports,
            env: env.clone(),
            tiers: Default::default(),
            sign_in: provider.clone(),
            people,
            social,
            proxies,
        };
        let pages = weir_dashboard::router(dashboard);
        let beside = Beside { pages, error_page: weir_dashboard::error_page };
        let router = weir_api::router(service, &Default::default(), beside);
        Self {
            router,
            secret,
            env,
            db,
            keyring,
            node,
            provider,
            letters,
            clock,
            directory,
            database,
            store,
            surroundings,
        }
    }

    /// Creates a reseller and speaks with its first key.
    pub async fn reseller(&self, name: &str) -> Actor {
        let new = NewReseller {
            name: Name::parse(name).expect("a name"),
            aliases: Vec::new(),
            tier: None,
            monthly_quota: None,
            timezone: None,
        };
        self.reseller_as(new).await
    }

    /// Creates a reseller with everything said about it, and speaks with its first key.
    pub async fn reseller_as(&self, new: NewReseller) -> Actor {
        let minting = Minting::random().expect("randomness");
        let (env, secret) = (self.env.clone(), self.secret.clone());
        let created = self.db.system(Purpose::Administer, move |tx| {
            weir_app::resellers::create(tx, &env, &secret, &Default::default(), &new, &minting)
        });
        let created = created.await.expect("a reseller");
        let key = created.api_key.reveal().to_owned();
        Actor::new(self.router.clone(), Some(key), created.reseller)
    }

    /// Changes the reseller that an actor speaks for, as its operator does.
    pub async fn change(&self, actor: &Actor, change: ResellerChange) {
        let id = actor.reseller().id.to_string();
        let changed = self.db.system(Purpose::Administer, move |tx| {
            weir_app::resellers::update(tx, &Default::default(), &id, &change)
        });
        changed.await.expect("a changed reseller");
    }

    /// Makes someone with that address a member of the reseller that an actor speaks for.
    pub async fn member(&self, actor: &Actor, email: &str, role: Role) -> MemberId {
        let (reseller, now) = (actor.reseller().id, self.env.now());
        let identity = Identity::Email(Email::parse(email).expect("an address"));
        let id = MemberId::from_uuid(self.env.ids.next(now));
        let member = Member { id, identity, role, created_at: now };
        let added = self
            .db
            .system(Purpose::Administer, move |tx| tx.scoped(reseller)?.member_insert(&member));
        assert!(added.await.expect("a member"), "{email} is a member already");
        id
    }

    /// A new member of the reseller that an actor speaks for, who looks at its pages with a browser.
    pub async fn visitor(&self, of: &Actor, email: &str, role: Role) -> Actor {
        self.member(of, email, role).await;
        self.browser_of(email).await.of(of.reseller().clone())
    }

    /// The browser of somebody with that address who is a member already, signed in.
    pub async fn browser_of(&self, email: &str) -> Actor {
        let person = Email::parse(email).expect("an address").into();
        let session = self.provider.begin_session(person).await.expect("a session").session;
        let cookie = self.provider.session_cookie(session).expect("a cookie");
        let cookie = cookie.to_str().expect("text").split(';').next().unwrap_or_default();
        self.browser().with_header("cookie", cookie).with_token(weir_dashboard::forms::token(
            &self.secret,
            session,
            None,
        ))
    }

    /// A browser in which nobody is signed in.
    pub fn browser(&self) -> Actor {
        self.stranger()
            .with_header("accept", "text/html,application/xhtml+xml,*/*;q=0.8")
            .with_header("sec-fetch-site", "same-origin")
    }

    /// Somebody without credentials.
    pub fn stranger(&self) -> Actor {
        Actor::nobody(self.router.clone())
    }

    /// The same actor, asking this node.
    pub fn actor(&self, of_another_node: &Actor) -> Actor {
        of_another_node.at(self.router.clone())
    }

    /// Stops ingestion in order and lets go of the store.
    pub async fn stop(self) {
        self.node.stop(Duration::from_secs(10)).await;
        let db = self.db.clone();
        tokio::task::spawn_blocking(move || db.close()).await.expect("a closed store");
    }
}

/// Makes a test on each store of every function that is named. A function takes the [`TestApp`].
///
/// ```text
/// on_both_stores!(a_device_is_registered);
///
/// async fn a_device_is_registered(app: TestApp) {
///     app.reseller("Acme").await.register("70b3d57ed02a3654").await;
/// }
/// ```
#[macro_export]
macro_rules! on_both_stores {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            use $crate::app::{Store, TestApp};

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(TestApp::start(Store::Sqlite).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(TestApp::start(Store::Postgres).await).await;
            }
        }
    )*};
}
