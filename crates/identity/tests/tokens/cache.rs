//! Keys are asked for seldom, and once for all who wait.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;
use serde_json::json;
use weir_identity::testing::{Signer, StillClock};
use weir_identity::token::{Reason, Unverified};

use crate::provider::Provider;
use crate::{NOON, SETTING, discovering};

const UNKNOWN: Result<(), Unverified> = Err(Unverified::Rejected(Reason::Key));

#[tokio::test]
async fn a_flood_of_unknown_names_asks_once_a_minute() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let claims = SETTING.claims(provider.url());
    let good = SETTING.p256.token(&claims);
    assert!(verifier.verify(&good).await.is_ok());
    assert_eq!(provider.asked(), 1, "the first time");

    let flood = async || {
        let tokens: Vec<_> = (0..500)
            .map(|n| {
                let header = json!({ "alg": "ES256", "kid": format!("made-up-{n}") });
                SETTING.stranger.token_with(&header, &claims)
            })
            .collect();
        for result in join_all(tokens.iter().map(|token| verifier.verify(token))).await {
            assert_eq!(result.map(|_| ()), UNKNOWN);
        }
    };
    flood().await;
    assert_eq!(provider.asked(), 2);
    clock.advance(Duration::from_secs(59));
    flood().await;
    assert_eq!(provider.asked(), 2, "within the minute");
    clock.advance(Duration::from_secs(1));
    flood().await;
    flood().await;
    assert_eq!(provider.asked(), 3, "after it");
    assert!(verifier.verify(&good).await.is_ok());
}

#[tokio::test]
async fn a_flood_at_first_asks_once() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let verifier = discovering(provider.url(), &Arc::new(StillClock::at(NOON)));
    let token = SETTING.p256.token(&SETTING.claims(provider.url()));
    let results = join_all((0..500).map(|_| verifier.verify(&token))).await;
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(provider.asked(), 1);
}

#[tokio::test]
async fn known_names_do_not_wait_for_unknown_ones() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let verifier = discovering(provider.url(), &Arc::new(StillClock::at(NOON)));
    let claims = SETTING.claims(provider.url());
    let known = SETTING.p256.token(&claims);
    assert!(verifier.verify(&known).await.is_ok());

    provider.hold(true);
    let added = Signer::es256("added");
    let token = added.token(&claims);
    let mut waiting = std::pin::pin!(verifier.verify(&token));
    assert!(waiting.as_mut().now_or_never().is_none());
    provider.until_asked(2).await;
    assert!(verifier.verify(&known).now_or_never().is_some_and(|result| result.is_ok()));

    provider.publish(&json!({ "keys": [added.jwk()] }));
    provider.hold(false);
    assert!(waiting.await.is_ok());
}

#[tokio::test]
async fn whoever_hangs_up_does_not_stop_the_asking() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let verifier = discovering(provider.url(), &Arc::new(StillClock::at(NOON)));
    let claims = SETTING.claims(provider.url());
    assert!(verifier.verify(&SETTING.p256.token(&claims)).await.is_ok());

    provider.hold(true);
    let added = Signer::es256("added");
    let made_up = Signer::es256("made-up").token(&claims);
    assert!(verifier.verify(&made_up).now_or_never().is_none(), "hangs up while it waits");
    provider.until_asked(2).await;
    let token = added.token(&claims);
    let mut waiting = std::pin::pin!(verifier.verify(&token));
    assert!(waiting.as_mut().now_or_never().is_none());
    provider.publish(&json!({ "keys": [added.jwk()] }));
    provider.hold(false);
    assert!(waiting.await.is_ok());
    assert_eq!(provider.asked(), 2);
}

#[tokio::test]
async fn old_keys_are_renewed_behind_the_back_of_whoever_uses_them() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let mut claims = SETTING.claims(provider.url());
    claims["exp"] = SETTING.seconds(86_400).into();
    let token = SETTING.p256.token(&claims);
    assert!(verifier.verify(&token).await.is_ok());

    clock.advance(Duration::from_secs(3_599));
    assert!(verifier.verify(&token).await.is_ok());
    assert_eq!(provider.asked(), 1, "not old yet");

    clock.advance(Duration::from_secs(1));
    provider.hold(true);
    let at_once = verifier.verify(&token).now_or_never();
    assert!(at_once.is_some_and(|result| result.is_ok()), "nobody waits for it");
    provider.until_asked(2).await;
    // The key was withdrawn; whoever names an unknown one waits until that is known.
    provider.publish(&json!({ "keys": [SETTING.next_p256.jwk()] }));
    provider.hold(false);
    assert!(verifier.verify(&SETTING.next_p256.token(&claims)).await.is_ok());
    let unknown = Signer::es256("made-up").token(&claims);
    assert_eq!(verifier.verify(&unknown).await.map(|_| ()), UNKNOWN);
    assert_eq!(verifier.verify(&token).await.map(|_| ()), UNKNOWN);
}

#[tokio::test]
async fn whoever_was_asking_before_a_key_was_there_asks_again() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let mut claims = SETTING.claims(provider.url());
    claims["exp"] = SETTING.seconds(86_400).into();
    let token = SETTING.p256.token(&claims);
    assert!(verifier.verify(&token).await.is_ok());

    clock.advance(Duration::from_secs(3_600));
    provider.hold(true);
    assert!(verifier.verify(&token).await.is_ok());
    provider.until_asked(2).await;
    let added = Signer::es256("added");
    let token = added.token(&claims);
    let mut waiting = std::pin::pin!(verifier.verify(&token));
    assert!(waiting.as_mut().now_or_never().is_none());
    // The answer that is on its way is an old one.
    provider.publish_next(&json!({ "keys": [added.jwk()] }));
    provider.hold(false);
    assert!(waiting.await.is_ok());
    assert_eq!(provider.asked(), 3);
}
