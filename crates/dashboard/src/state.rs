//! What handlers share.

use std::sync::Arc;

use weir_app::Env;
use weir_app::credentials::{Keyring, Secret};
use weir_domain::billing::Tiers;
use weir_identity::People;
use weir_identity::provider::Provider;
use weir_identity::social::Social;
use weir_identity::source::TrustedProxies;
use weir_report::Reports;
use weir_store::Db;

/// The parts of the service that pages use.
pub struct Dashboard {
    /// The store, behind the barrier: what this node acknowledged before is seen.
    pub db: Db,
    /// Where the server's secret is.
    pub keyring: Arc<Keyring>,
    /// Who people are, and for whom they may ask.
    pub people: Arc<People>,
    /// Sessions, and signing in by what is built in.
    pub sign_in: Arc<Provider>,
    /// Signing in at someone else's.
    pub social: Arc<Social>,
    /// Final reports of previous owners.
    pub reports: Arc<Reports>,
    /// Time and ids.
    pub env: Env,
    /// What the tiers cost.
    pub tiers: Arc<Tiers>,
    /// Whose word counts on where a request comes from.
    pub proxies: TrustedProxies,
    /// Whether anybody may sign up.
    pub sign_up: bool,
}

impl Dashboard {
    /// The server's secret.
    pub fn secret(&self) -> &Secret {
        self.keyring.secret()
    }

    /// Whether browsers reach it over TLS.
    pub fn is_https(&self) -> bool {
        self.sign_in.url().is_https()
    }
}
