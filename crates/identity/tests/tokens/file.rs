//! Keys in a file that changes.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use weir_identity::keys::Unreachable;
use weir_identity::testing::{Setting, StillClock};
use weir_identity::token::{Reason, Unverified, Verifier};

use crate::{NOON, SETTING, issuer, settings};

/// Writes a file that was changed so many seconds after 1970.
fn write(path: &Path, text: &str, seconds: u64) {
    fs::write(path, text).unwrap();
    let file = File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
}

fn verifier(path: &Path, clock: &Arc<StillClock>) -> Verifier {
    let table: Value =
        json!({ "issuer": Setting::ISSUER, "audience": Setting::AUDIENCE, "jwks_file": path });
    Verifier::new([issuer("first", &settings(table))], clock.clone()).unwrap()
}

#[tokio::test]
async fn a_file_is_read_again_when_it_was_changed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("keys.json");
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = verifier(&path, &clock);
    let mut claims = SETTING.claims(Setting::ISSUER);
    claims["exp"] = SETTING.seconds(86_400).into();
    let (old, new) = (SETTING.p256.token(&claims), SETTING.next_p256.token(&claims));
    let made_up =
        SETTING.stranger.token_with(&json!({ "alg": "ES256", "kid": "made-up" }), &claims);
    let unknown = Err(Unverified::Rejected(Reason::Key));

    assert_eq!(verifier.verify(&old).await, Err(Unverified::Unreachable(Unreachable)));
    write(&path, &json!({ "keys": [SETTING.p256.jwk()] }).to_string(), 1);
    clock.advance(Duration::from_secs(5));
    assert!(verifier.verify(&old).await.is_ok());

    write(&path, &json!({ "keys": [SETTING.next_p256.jwk()] }).to_string(), 2);
    assert!(verifier.verify(&old).await.is_ok(), "looked at a moment ago");
    assert!(verifier.verify(&new).await.is_ok(), "an unknown name looks");
    assert_eq!(verifier.verify(&old).await, unknown);

    // Half of a file, while it is written, does not count.
    write(&path, "{\"keys\": [", 3);
    clock.advance(Duration::from_secs(60));
    assert_eq!(verifier.verify(&made_up).await, unknown);
    assert!(verifier.verify(&new).await.is_ok());

    // What was not changed is not read: a file that says it was not is taken at its word.
    write(&path, &json!({ "keys": [SETTING.p256.jwk()] }).to_string(), 2);
    clock.advance(Duration::from_secs(60));
    assert_eq!(verifier.verify(&made_up).await, unknown);
    assert!(verifier.verify(&new).await.is_ok());

    fs::remove_file(&path).unwrap();
    clock.advance(Duration::from_secs(3_600));
    assert_eq!(verifier.verify(&made_up).await, unknown);
    assert!(verifier.verify(&new).await.is_ok());
}
