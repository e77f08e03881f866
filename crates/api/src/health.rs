//! `GET /health`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::Service;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;

/// When to look again: for so long a disk that refused a record counts as full.
const RETRY_AFTER_SECONDS: u32 = 5;

/// How the service is doing.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// The version of the program.
    #[schema(example = "0.1.0")]
    version: &'static str,
    store: StoreHealth,
    spool: SpoolHealth,
}

/// How its store is doing.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreHealth {
    /// `sqlite` or `postgres`.
    #[schema(example = "sqlite")]
    kind: &'static str,
    /// Whether it can be reached. While it cannot, uplinks of known devices are still taken, and
    /// credentials that were seen before stay valid.
    #[schema(example = true)]
    reachable: bool,
    /// Why not.
    #[schema(example = json!(null))]
    trouble: Option<String>,
}

/// How its spool is doing.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpoolHealth {
    /// How many acknowledged uplinks wait to be settled.
    #[schema(example = 0)]
    depth: u64,
    /// How many were settled since the start.
    #[schema(example = 120_000)]
    settled: u64,
    /// How many could never be settled and are set aside.
    #[schema(example = 0)]
    set_aside: u64,
    /// How many damaged stretches were found in spools since the start.
    #[schema(example = 0)]
    damaged: u64,
    /// How many acknowledged uplinks are known to be lost to damage since the start.
    #[schema(example = 0)]
    missing: u64,
    /// What settling waits for.
    #[schema(example = json!(null))]
    trouble: Option<String>,
}

/// Is the service well?
///
/// 200 as long as it can take uplinks, also while the store is away; `store.reachable` tells.
#[utoipa::path(
    get,
    path = "/health",
    operation_id = "health",
    tag = "service",
    security(()),
    responses(Errors<codes::ServiceUnavailable>),
)]
pub async fn health(State(service): State<Arc<Service>>) -> Result<Success<Health>, ApiError> {
    let store = service.db.health();
    let spool = service.node.health();
    let health = Health {
        version: env!("CARGO_PKG_VERSION"),
        store: StoreHealth {
            kind: store.kind,
            reachable: store.trouble.is_none(),
            trouble: store.trouble,
        },
        spool: SpoolHealth {
            depth: spool.depth,
            settled: spool.figures.settled,
            set_aside: spool.set_aside,
            damaged: spool.figures.damaged,
            missing: spool.figures.missing,
            trouble: spool.figures.trouble,
        },
    };
    match spool.trouble {
        None => Ok(Success::of(health)),
        Some(trouble) => {
            let message = format!("The service cannot take uplinks: {trouble}.");
            Err(ApiError::unavailable_because(message, RETRY_AFTER_SECONDS)
                .with_detail("health", serde_json::to_value(&health).unwrap_or_default()))
        }
    }
}
