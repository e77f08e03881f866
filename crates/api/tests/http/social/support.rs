//! A service that is a client of a provider.

use tokio::sync::OnceCell;
use url::Url;
use weir_app::{Clock, SystemClock};
use weir_domain::MemberId;
use weir_domain::member::{Member, Role};
use weir_domain::person::{Identity, Subject};
use weir_identity::issuer::{Hidden, Issuer, IssuerSettings};
use weir_store::Purpose;
use weir_testkit::app::{Actor, Answer, PUBLIC_URL, Store, Surroundings, TestApp};
use weir_testkit::oidc::{Browser, CLIENT, CLIENT_SECRET, Provider};

/// The provider of all tests that do it no harm.
static PROVIDER: OnceCell<Provider> = OnceCell::const_new();

/// A service at which a provider is called `test`.
pub struct World {
    pub app: TestApp,
}

/// A browser that was sent to the provider.
pub struct Started {
    pub location: String,
    /// The header by which it was given its cookie.
    pub cookie: String,
}

impl Started {
    /// The cookie as the browser sends it.
    pub fn sent(&self) -> String {
        self.cookie.split(';').next().unwrap().to_owned()
    }
}

/// A provider that sends people back to the service.
pub async fn provider() -> Provider {
    Provider::start(&format!("{PUBLIC_URL}/auth/test/callback")).await
}

impl World {
    /// A service that knows the provider which the tests share.
    pub async fn on(store: Store) -> Self {
        let provider = PROVIDER.get_or_init(provider).await;
        Self::knowing(store, provider.issuer()).await
    }

    /// A service that knows the provider at that address.
    pub async fn knowing(store: Store, issuer: &str) -> Self {
        let settings = IssuerSettings {
            issuer: Some(issuer.to_owned()),
            client_id: Some(CLIENT.to_owned()),
            client_secret: Some(Hidden::from(CLIENT_SECRET.to_owned())),
            ..Default::default()
        };
        let issuers = vec![Issuer::new("test", &settings).unwrap()];
        let surroundings = Surroundings { issuers, ..Default::default() };
        let world = Self { app: TestApp::start_among(store, surroundings).await };
        world.right_clock();
        world
    }

    /// Puts the service's clock right: the provider's tokens go by the real one.
    pub fn right_clock(&self) {
        self.app.clock.set(SystemClock.now());
    }

    /// Makes whoever the provider calls so a member of the reseller that an actor speaks for.
    pub async fn member_by_subject(&self, actor: &Actor, subject: &str) {
        let issuer = PROVIDER.get().unwrap().issuer();
        let member = Member {
            id: MemberId::from_uuid(uuid::Uuid::from_u128(7)),
            identity: Identity::Subject(Subject::new(issuer, subject).unwrap()),
            role: Role::Admin,
            created_at: self.app.clock.now(),
        };
        let reseller = actor.reseller().id;
        let added = self
            .app
            .db
            .system(Purpose::Administer, move |tx| tx.scoped(reseller)?.member_insert(&member));
        assert!(added.await.unwrap());
    }

    /// Begins in a browser that has never been here.
    pub async fn start(&self) -> Started {
        let answer = self.app.stranger().get("/auth/test/start").await;
        assert_eq!(answer.status, 303);
        assert_eq!(answer.headers["cache-control"], "no-store");
        let header = |name: &str| answer.headers[name].to_str().unwrap().to_owned();
        Started { location: header("location"), cookie: header("set-cookie") }
    }

    /// Comes back from the provider in the browser that began.
    pub async fn finish(&self, started: &Started, back: &Url) -> Answer {
        self.come_back(Some(&started.sent()), back.query().unwrap()).await
    }

    /// Comes back with that cookie, and with anything in the query.
    pub async fn come_back(&self, cookie: Option<&str>, query: &str) -> Answer {
        let path = format!("/auth/test/callback?{query}");
        match cookie {
            Some(cookie) => self.app.stranger().with_header("cookie", cookie).get(&path).await,
            None => self.app.stranger().get(&path).await,
        }
    }

    /// All of it, under a name that the provider knows.
    pub async fn sign_in(&self, name: &str) -> Answer {
        let started = self.start().await;
        let back = Browser::new().sign_in(&started.location, name).await;
        self.finish(&started, &back).await
    }
}
