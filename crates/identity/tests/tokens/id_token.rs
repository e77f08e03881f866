//! ID tokens of providers that people sign in at.

use std::sync::Arc;

use serde_json::{Value, json};
use weir_identity::testing::{Setting, StillClock};
use weir_identity::token::{Reason, Unverified, Verifier};

use crate::provider::Provider;
use crate::{NOON, SETTING, issuer, settings};

const CLIENT: &str = "weir-client";
const NONCE: &str = "a nonce";

struct SignIn {
    verifier: Verifier,
    provider: Provider,
}

impl SignIn {
    async fn new() -> Self {
        let provider = Provider::start(&SETTING.jwks()).await;
        let table = json!({ "issuer": provider.url(), "client_id": CLIENT });
        let directory =
            json!({ "issuer": Setting::OTHER, "audience": CLIENT, "jwks_file": "none" });
        let issuers = [issuer("acme", &settings(table)), issuer("other", &settings(directory))];
        let verifier = Verifier::new(issuers, Arc::new(StillClock::at(NOON))).unwrap();
        Self { verifier, provider }
    }

    fn claims(&self) -> Value {
        let mut claims = SETTING.claims(self.provider.url());
        claims["aud"] = CLIENT.into();
        claims["nonce"] = NONCE.into();
        claims
    }

    async fn verify(&self, claims: &Value) -> Result<(), Unverified> {
        let token = SETTING.rsa.token(claims);
        self.verifier.verify_id_token("acme", &token, NONCE).await.map(|verified| {
            assert_eq!(verified.nonce.as_deref(), Some(NONCE));
        })
    }
}

#[tokio::test]
async fn an_id_token_of_this_sign_in_is_taken() {
    let sign_in = SignIn::new().await;
    let mut claims = sign_in.claims();
    assert_eq!(sign_in.verify(&claims).await, Ok(()));
    claims["azp"] = CLIENT.into();
    assert_eq!(sign_in.verify(&claims).await, Ok(()));
    claims["aud"] = json!([CLIENT, "another"]);
    assert_eq!(sign_in.verify(&claims).await, Ok(()));
}

#[tokio::test]
async fn an_id_token_of_anything_else_is_not() {
    let sign_in = SignIn::new().await;
    let changes = [
        ("nonce", json!("another"), Reason::Nonce),
        ("nonce", json!(""), Reason::Nonce),
        ("nonce", json!(7), Reason::Field("nonce")),
        ("aud", json!("another"), Reason::Audience),
        ("aud", json!([CLIENT, "another"]), Reason::Audience),
        ("aud", json!([]), Reason::Audience),
        ("azp", json!("another"), Reason::Audience),
        ("azp", json!(""), Reason::Audience),
        ("azp", json!([CLIENT]), Reason::Field("azp")),
        ("exp", json!(SETTING.seconds(-60)), Reason::Expired),
    ];
    for (claim, value, reason) in changes {
        let mut claims = sign_in.claims();
        claims[claim] = value.clone();
        let expected = Err(Unverified::Rejected(reason));
        assert_eq!(sign_in.verify(&claims).await, expected, "{claim} {value}");
    }
    let mut claims = sign_in.claims();
    claims.as_object_mut().unwrap().remove("nonce");
    assert_eq!(sign_in.verify(&claims).await, Err(Unverified::Rejected(Reason::Nonce)));
}

#[tokio::test]
async fn an_id_token_counts_for_its_provider_and_sign_in_alone() {
    let sign_in = SignIn::new().await;
    let token = SETTING.rsa.token(&sign_in.claims());
    for provider in ["other", "nobody", ""] {
        let result = sign_in.verifier.verify_id_token(provider, &token, NONCE).await;
        assert_eq!(result, Err(Unverified::Rejected(Reason::Issuer)), "{provider}");
    }
    let empty = sign_in.verifier.verify_id_token("acme", &token, "").await;
    assert_eq!(empty, Err(Unverified::Rejected(Reason::Nonce)));
    // The provider has no audience for bearer tokens: its tokens open nothing by themselves.
    let bearer = sign_in.verifier.verify(&token).await;
    assert_eq!(bearer, Err(Unverified::Rejected(Reason::Audience)));
}
