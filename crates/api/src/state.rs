//! What handlers share.

use std::sync::Arc;

use weir_app::Env;
use weir_app::credentials::Keyring;
use weir_domain::billing::Tiers;
use weir_identity::People;
use weir_identity::provider::Provider;
use weir_identity::social::Social;
use weir_ingest::{Intake, Node};
use weir_report::Reports;
use weir_store::Db;

use crate::source::TrustedProxies;

/// The parts of the service that handlers use.
pub struct Service {
    /// The store, behind the barrier: what this node acknowledged before is seen.
    pub db: Db,
    /// Who is who.
    pub keyring: Arc<Keyring>,
    /// Who people are, by their tokens.
    pub people: Arc<People>,
    /// The way in for uplinks.
    pub intake: Arc<Intake>,
    /// Ingestion as a whole, for its health.
    pub node: Arc<Node>,
    /// Final reports of previous owners.
    pub reports: Arc<Reports>,
    /// Time and ids.
    pub env: Env,
    /// What the tiers cost.
    pub tiers: Arc<Tiers>,
    /// Signing in by what is built in.
    pub sign_in: Arc<Provider>,
    /// Signing in at someone else's.
    pub social: Arc<Social>,
    /// Whose word counts on where a request comes from.
    pub proxies: TrustedProxies,
}
