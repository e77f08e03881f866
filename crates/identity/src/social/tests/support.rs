//! A service that is a client of a provider, and a clock beside the provider's.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::sync::OnceCell;
use url::Url;
use weir_app::credentials::Secret;
use weir_app::{Clock, Env, SystemClock, TimeOrderedIds};
use weir_domain::Timestamp;
use weir_testkit::oidc::{Browser, CLIENT, CLIENT_SECRET, Provider};

use super::super::{Finished, ProviderAnswer, Social, SocialError, Started};
use crate::issuer::{Hidden, Issuer, IssuerSettings};
use crate::provider::PublicUrl;
use crate::token::Verifier;

pub const PUBLIC_URL: &str = "https://weir.example";
pub const CALLBACK: &str = "https://weir.example/auth/test/callback";

/// The system's clock, moved: a provider of independent make goes by that one.
#[derive(Debug, Default)]
pub struct LaterClock(AtomicI64);

impl LaterClock {
    pub fn advance(&self, duration: Duration) {
        self.0.fetch_add(duration.as_micros() as i64, Ordering::SeqCst);
    }
}

impl Clock for LaterClock {
    fn now(&self) -> Timestamp {
        let ahead = self.0.load(Ordering::SeqCst);
        Timestamp::from_micros(SystemClock.now().micros() + ahead)
    }
}

/// One provider, and a service at which it is called `test`.
pub struct World {
    pub social: Social,
    pub clock: Arc<LaterClock>,
}

impl World {
    /// A service that knows the provider at that address, as most services do.
    pub fn at(issuer: &str) -> Self {
        Self::with(&settings(issuer))
    }

    /// The same with everything said about the provider.
    pub fn with(settings: &IssuerSettings) -> Self {
        let clock = Arc::new(LaterClock::default());
        let env = Env { clock: clock.clone(), ids: Arc::new(TimeOrderedIds::default()) };
        let issuer = Issuer::new("test", settings).unwrap();
        let verifier = Arc::new(Verifier::new([issuer.clone()], clock.clone()).unwrap());
        let (public_url, secret) = (PublicUrl::parse(PUBLIC_URL).unwrap(), secret());
        let social = Social::new([&issuer], &public_url, verifier, secret, env).unwrap();
        Self { social, clock }
    }

    pub async fn start(&self) -> Started {
        self.social.start("test", None).await.unwrap()
    }

    /// Begins, signs in at the provider under that name, and brings back what it gave.
    pub async fn visit(&self, name: &str) -> (Started, ProviderAnswer) {
        let started = self.start().await;
        let back = Browser::new().sign_in(started.location.as_str(), name).await;
        (started, answer(&back))
    }

    pub async fn finish(
        &self,
        flow: &str,
        answer: &ProviderAnswer,
    ) -> Result<Finished, SocialError> {
        self.social.finish("test", Some(flow), answer).await
    }
}

pub fn secret() -> Secret {
    Secret::new(b"a secret that only tests share").unwrap()
}

pub fn settings(issuer: &str) -> IssuerSettings {
    IssuerSettings {
        issuer: Some(issuer.to_owned()),
        client_id: Some(CLIENT.to_owned()),
        client_secret: Some(Hidden::from(CLIENT_SECRET.to_owned())),
        ..Default::default()
    }
}

/// A service that knows the provider which the tests share, unless they do something to it.
pub async fn world() -> World {
    static SHARED: OnceCell<Provider> = OnceCell::const_new();
    let provider = SHARED.get_or_init(|| Provider::start(CALLBACK)).await;
    World::at(provider.issuer())
}

/// The same with a provider that nobody else uses.
pub async fn lonely_world() -> (Provider, World) {
    let provider = Provider::start(CALLBACK).await;
    let world = World::at(provider.issuer());
    (provider, world)
}

/// What a browser brings back.
pub fn answer(back: &Url) -> ProviderAnswer {
    assert!(back.as_str().starts_with(CALLBACK), "{back}");
    let find = |name: &str| back.query_pairs().find(|it| it.0 == name).map(|it| it.1.into_owned());
    ProviderAnswer {
        state: find("state").unwrap_or_default(),
        code: find("code"),
        error: find("error"),
        issuer: find("iss"),
    }
}
