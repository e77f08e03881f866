//! Tokens, good and hostile, and keys that come and go.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

mod cache;
mod claims;
mod file;
mod good;
mod hostile;
mod id_token;
mod keys;
mod log;
mod outage;
mod own;
mod provider;
mod rotation;

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use weir_domain::Timestamp;
use weir_identity::issuer::{Issuer, IssuerSettings};
use weir_identity::testing::{Setting, StillClock};
use weir_identity::token::Verifier;

/// Noon (UTC) of 2026-03-29.
const NOON: Timestamp = Timestamp::from_micros(1_774_785_600_000_000);

/// Making keys takes a moment: tests share them.
static SETTING: LazyLock<Setting> = LazyLock::new(|| Setting::at(NOON));

/// A verifier that trusts the issuers of the setting.
struct Bench {
    verifier: Verifier,
    clock: Arc<StillClock>,
    _directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let settings = SETTING.issuers(directory.path()).unwrap();
        let issuers = settings.into_iter().map(|(name, settings)| issuer(&name, &settings));
        let clock = Arc::new(StillClock::at(NOON));
        let verifier = Verifier::new(issuers, clock.clone()).unwrap();
        Self { verifier, clock, _directory: directory }
    }
}

fn issuer(name: &str, settings: &IssuerSettings) -> Issuer {
    Issuer::new(name, settings).unwrap()
}

/// Settings as a file has them.
fn settings(settings: Value) -> IssuerSettings {
    serde_json::from_value(settings).unwrap()
}

/// A verifier of one issuer whose keys are found by discovery.
fn discovering(url: &str, clock: &Arc<StillClock>) -> Verifier {
    let settings = settings(json!({ "issuer": url, "audience": Setting::AUDIENCE }));
    Verifier::new([issuer("first", &settings)], clock.clone()).unwrap()
}
