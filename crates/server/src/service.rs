//! A running service: its parts put together, and taken apart again without losing anything.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use tokio::net::TcpListener;
use weir_api::Beside;
use weir_api::cors::Origins;
use weir_app::Env;
use weir_app::credentials::{ApiKeyText, Keyring};
use weir_dashboard::Dashboard;
use weir_domain::SpoolId;
use weir_domain::billing::Tiers;
use weir_identity::Reception;
use weir_identity::provider::Provider;
use weir_ingest::Node;
use weir_report::Reports;
use weir_store::Db;
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::key_uses::{self, EVERY};
use crate::settings::{Settings, SettingsError};
use crate::{archive, demo, http, secret, store};

/// How long after it was told to stop the service may still settle uplinks that were acknowledged: what
/// the transport's grace leaves of it. So stopping stays below 10 seconds.
const STOPPING: Duration = Duration::from_millis(7_500);

/// How long letting go of the store may take beyond that. A store that says nothing more must not keep
/// the process: what it was not told, the next process finds in the spool.
const LETTING_GO: Duration = Duration::from_secs(1);

/// The ways into the demonstration.
pub struct Demonstration {
    /// The API key of its reseller.
    pub key: ApiKeyText,
    /// A link that signs its member in, once and in any browser.
    pub link: Zeroizing<String>,
}

/// A service that listens.
pub struct Service {
    listener: TcpListener,
    address: SocketAddr,
    router: axum::Router,
    limits: http::Limits,
    /// Outlives serving: leases, lookups and records whose senders hung up are seen to on it.
    crew: http::Crew,
    node: Arc<Node>,
    db: Db,
    keyring: Arc<Keyring>,
    sign_in: Arc<Provider>,
    env: Env,
    tiers: Arc<Tiers>,
}

impl Service {
    /// Opens the store, recovers the spool, and listens.
    pub async fn start(settings: &Settings) -> Result<Self, Failure> {
        // Before anything is opened that would have to be closed again.
        settings.check_sign_in()?;
        let opened = settings.clone();
        let db = tokio::task::spawn_blocking(move || store::open(&opened))
            .await
            .map_err(|error| Failure::Said(format!("the store could not be opened: {error}")))??;
        let secret = secret::find(&db, settings).await?;
        let origins = Origins::parse(settings.cors_origins.iter().map(String::as_str))
            .map_err(|error| Failure::Said(error.to_string()))?;
        let listener = http::bind(&settings.listen).await.map_err(|error| {
            Failure::Said(format!("{} cannot be listened on: {error}", settings.listen))
        })?;
        let address = listener.local_addr()?;
        let crew = http::Crew::start()?;
        let env = Env::system();
        let spool = SpoolId::from_uuid(env.ids.next(env.now()));
        let options = weir_ingest::Options {
            spool: weir_ingest::spool::Options {
                max_pending: settings.spool_max_pending,
                ..Default::default()
            },
            ..Default::default()
        };
        let spools = settings.spool_dir();
        let node = Node::start(db.clone(), &spools, spool, options).map_err(|error| {
            Failure::Said(format!("no spool can be made in {}: {error}", spools.display()))
        })?;
        let node = Arc::new(node);
        let reception = Reception::open(
            &db,
            &env,
            &secret,
            &settings.public_url(address)?,
            settings.postman()?,
            &settings.issuers()?,
        );
        let Reception { people, provider, social } = reception.map_err(SettingsError::from)?;
        let keyring = Keyring::new(db.clone(), secret);
        let tiers: Arc<Tiers> = settings.tiers()?.into();
        let (reports, proxies) =
            (Reports::start(db.clone(), archive::open(settings)?), settings.trusted_proxies()?);
        let dashboard = Dashboard {
            db: db.behind(node.barrier()),
            keyring: keyring.clone(),
            people: people.clone(),
            sign_in: provider.clone(),
            social: social.clone(),
            reports: reports.clone(),
            env: env.clone(),
            tiers: tiers.clone(),
            proxies: proxies.clone(),
            sign_up: settings.sign_up,
        };
        let service = weir_api::Service {
            db: db.behind(node.barrier()),
            keyring: keyring.clone(),
            intake: node.intake(),
            node: node.clone(),
            reports,
            env: env.clone(),
            tiers: tiers.clone(),
            people,
            sign_in: provider.clone(),
            social,
            proxies,
        };
        let pages = weir_dashboard::router(dashboard);
        let beside = Beside { pages, error_page: weir_dashboard::error_page };
        let router = weir_api::router(service, &origins, beside);
        let limits = settings.http_limits();
        Ok(Self {
            listener,
            address,
            router,
            limits,
            crew,
            node,
            db,
            keyring,
            sign_in: provider,
            env,
            tiers,
        })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sees to it that the demonstration is there, and returns the ways into it.
    pub async fn demonstrate(&self) -> Result<Demonstration, Failure> {
        let key = demo::prepare(&self.db, &self.keyring, &self.env, &self.tiers).await?;
        let link = self.sign_in.open_link(demo::member()?);
        let link = link.map_err(|error| Failure::Said(error.to_string()))?;
        Ok(Demonstration { key, link })
    }

    /// Serves until `stop`; then answers the requests that have begun, settles the spool and lets go
    /// of the store.
    pub async fn run_until(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Self { listener, router, limits, crew, node, db, keyring, env, .. } = self;
        let noting = tokio::spawn(key_uses::keep_noting(keyring.clone(), env.clone(), EVERY));
        let told = Arc::new(OnceLock::new());
        let moment = told.clone();
        let stop = stop.map(move |()| moment.set(Instant::now()).unwrap_or_default());
        http::serve(listener, router, limits, &crew, stop).await;
        noting.abort();
        let settling = STOPPING.saturating_sub(told.get().map_or(Duration::ZERO, Instant::elapsed));
        let let_go = async {
            tokio::join!(node.stop(settling), key_uses::note_at_last(&keyring, &env));
            let _ = tokio::task::spawn_blocking(move || db.close()).await;
        };
        if tokio::time::timeout(settling + LETTING_GO, let_go).await.is_err() {
            tracing::warn!("the store does not answer and is left as it is");
        }
    }
}
