//! Providers that are away, or answer rubbish.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use weir_identity::keys::Unreachable;
use weir_identity::testing::{Setting, StillClock};
use weir_identity::token::Unverified;

use crate::provider::{Answer, Provider};
use crate::{NOON, SETTING, discovering};

const AWAY: Result<(), Unverified> = Err(Unverified::Unreachable(Unreachable));

fn lasting_claims(issuer: &str) -> Value {
    let mut claims: Value = SETTING.claims(issuer);
    claims["exp"] = SETTING.seconds(30 * 86_400).into();
    claims
}

fn lasting(issuer: &str) -> String {
    SETTING.p256.token(&lasting_claims(issuer))
}

/// What a provider may answer in place of its keys.
fn rubbish() -> Vec<(&'static str, Answer)> {
    let many = json!({ "keys": vec![SETTING.p256.jwk(); 101] });
    let large = format!("{}{}", SETTING.jwks(), " ".repeat(1 << 20));
    vec![
        ("not found", Answer::Status(404)),
        ("broken", Answer::Status(500)),
        ("a page", Answer::Text("<html>".to_owned())),
        ("nothing", Answer::Text(String::new())),
        ("something else", Answer::from(&json!({ "jwks": [] }))),
        ("no keys", Answer::from(&json!({ "keys": [] }))),
        ("too many keys", Answer::from(&many)),
        ("too large", Answer::Text(large)),
        ("another scheme", Answer::Redirect("https://127.0.0.1:9/keys".to_owned())),
        ("a file", Answer::Redirect("file:///etc/hostname".to_owned())),
        ("round and round", Answer::Redirect("/keys".to_owned())),
    ]
}

#[tokio::test]
async fn a_provider_that_is_away_takes_nobody_down() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let (url, token) = (provider.url().to_owned(), lasting(provider.url()));
    assert!(verifier.verify(&token).await.is_ok());
    drop(provider);
    let unknown = SETTING
        .ed25519
        .token_with(&json!({ "alg": "EdDSA", "kid": "made-up" }), &lasting_claims(&url));
    for _ in 0..24 {
        clock.advance(Duration::from_secs(3_600));
        assert!(verifier.verify(&token).await.is_ok());
        // Waits until asking has failed.
        let result = verifier.verify(&unknown).await;
        assert!(matches!(result, Err(Unverified::Rejected(_))), "{result:?}");
        assert!(verifier.verify(&token).await.is_ok());
    }
}

#[tokio::test]
async fn rubbish_does_not_replace_keys() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let token = lasting(provider.url());
    let unknown = SETTING
        .stranger
        .token_with(&json!({ "alg": "ES256", "kid": "made-up" }), &lasting_claims(provider.url()));
    assert!(verifier.verify(&token).await.is_ok());
    for (name, answer) in rubbish() {
        let asked = provider.asked();
        provider.publish(answer);
        clock.advance(Duration::from_secs(60));
        let result = verifier.verify(&unknown).await;
        assert!(matches!(result, Err(Unverified::Rejected(_))), "{name}: {result:?}");
        assert!(provider.asked() > asked, "{name}");
        assert!(verifier.verify(&token).await.is_ok(), "{name}");
    }
}

#[tokio::test]
async fn without_any_keys_nobody_can_tell() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let token = lasting(provider.url());
    for (name, answer) in rubbish() {
        provider.publish(answer);
        let verifier = discovering(provider.url(), &clock);
        assert_eq!(verifier.verify(&token).await.map(|_| ()), AWAY, "{name}");
        let asked = provider.asked();
        provider.publish(&SETTING.jwks());
        assert_eq!(verifier.verify(&token).await.map(|_| ()), AWAY, "{name}: too early");
        assert_eq!(provider.asked(), asked, "{name}");
        clock.advance(Duration::from_secs(5));
        assert!(verifier.verify(&token).await.is_ok(), "{name}: it is back");
    }
    // What is wrong with the token itself is told without any keys.
    let url = provider.url().to_owned();
    drop(provider);
    let verifier = discovering(&url, &clock);
    assert_eq!(verifier.verify(&token).await.map(|_| ()), AWAY, "nobody listens");
    let (mut expired, mut elsewhere) = (lasting_claims(&url), lasting_claims(&url));
    expired["exp"] = 1.into();
    elsewhere["aud"] = "another".into();
    for claims in [SETTING.claims(Setting::OTHER), expired, elsewhere] {
        let result = verifier.verify(&SETTING.p256.token(&claims)).await;
        assert!(matches!(result, Err(Unverified::Rejected(_))), "{result:?}");
    }
}

#[tokio::test]
async fn a_provider_must_be_who_we_think_it_is() {
    let provider = Provider::start(&SETTING.jwks()).await;
    let (url, clock) = (provider.url().to_owned(), Arc::new(StillClock::at(NOON)));
    let keys = format!("{url}/keys");
    for metadata in [
        json!({ "issuer": format!("{url}/"), "jwks_uri": keys }),
        json!({ "issuer": Setting::ISSUER, "jwks_uri": keys }),
        json!({ "jwks_uri": keys }),
        json!({ "issuer": url }),
        json!({ "issuer": url, "jwks_uri": "http://keys.example/" }),
        json!({ "issuer": url, "jwks_uri": "file:///etc/hostname" }),
        json!({ "issuer": url, "jwks_uri": "/keys" }),
    ] {
        provider.tell(&metadata);
        let verifier = discovering(&url, &clock);
        assert_eq!(verifier.verify(&lasting(&url)).await.map(|_| ()), AWAY, "{metadata}");
    }
    assert_eq!(provider.asked(), 0);
}

#[tokio::test]
async fn keys_may_have_moved() {
    let provider = Provider::start(&SETTING.jwks()).await;
    provider.publish(Answer::Redirect("/moved".to_owned()));
    let verifier = discovering(provider.url(), &Arc::new(StillClock::at(NOON)));
    assert!(verifier.verify(&lasting(provider.url())).await.is_ok());
}

#[tokio::test]
async fn without_encryption_nothing_leads_elsewhere() {
    let elsewhere = Provider::start(&SETTING.jwks()).await;
    let provider = Provider::start(&SETTING.jwks()).await;
    provider.publish(Answer::Redirect(format!("{}/keys", elsewhere.url())));
    let verifier = discovering(provider.url(), &Arc::new(StillClock::at(NOON)));
    assert_eq!(verifier.verify(&lasting(provider.url())).await.map(|_| ()), AWAY);
    assert_eq!(elsewhere.asked(), 0);
}
