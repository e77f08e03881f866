//! Keys change while tokens come in.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use weir_app::Clock;
use weir_identity::testing::{Signer, StillClock};

use crate::provider::Provider;
use crate::{NOON, SETTING, discovering};

const TOKENS: usize = 1_000;
const TASKS: usize = 8;
const ROTATIONS: usize = 4;

/// A provider that signs with a new key as soon as it publishes it, which none should do, and no longer
/// publishes the one before the last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_token_is_refused_while_keys_change() {
    let first = Arc::new(Signer::es256("key-0"));
    let provider = Provider::start(&json!({ "keys": [first.jwk()] })).await;
    let url = provider.url().to_owned();
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = Arc::new(discovering(&url, &clock));
    let signer = Arc::new(Mutex::new(first));
    let done = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let (verifier, signer, done) = (verifier.clone(), signer.clone(), done.clone());
            let (clock, url) = (clock.clone(), url.clone());
            tokio::spawn(async move {
                for _ in 0..TOKENS / TASKS {
                    let mut claims = SETTING.claims(&url);
                    claims["exp"] = (clock.now().epoch_seconds() + 300).into();
                    let token = signer.lock().unwrap().token(&claims);
                    verifier.verify(&token).await.unwrap();
                    done.fetch_add(1, Ordering::SeqCst);
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for rotation in 1..=ROTATIONS {
        while done.load(Ordering::SeqCst) < TOKENS * rotation / (ROTATIONS + 1) {
            tokio::task::yield_now().await;
        }
        let next = Arc::new(Signer::es256(&format!("key-{rotation}")));
        let mut current = signer.lock().unwrap();
        clock.advance(Duration::from_secs(60));
        provider.publish(&json!({ "keys": [current.jwk(), next.jwk()] }));
        *current = next;
    }
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(done.load(Ordering::SeqCst), TOKENS);
    assert_eq!(provider.asked(), 1 + ROTATIONS);
}
