//! Addresses count where the issuer vouches for them.

use std::sync::Arc;

use serde_json::{Value, json};
use weir_identity::testing::{Setting, StillClock};
use weir_identity::token::Verifier;

use crate::{NOON, SETTING, issuer, settings};

/// The address of whoever presents a token with these claims to an issuer with these settings.
async fn email(more_settings: Value, more_claims: Value) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let keys = directory.path().join("keys.json");
    std::fs::write(&keys, SETTING.jwks().to_string()).unwrap();
    let (issuer_url, audience) = (Setting::ISSUER, Setting::AUDIENCE);
    let mut table = json!({ "issuer": issuer_url, "audience": audience, "jwks_file": keys });
    table.as_object_mut().unwrap().extend(more_settings.as_object().unwrap().clone());
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = Verifier::new([issuer("first", &settings(table))], clock).unwrap();
    let mut claims = SETTING.claims(Setting::ISSUER);
    claims.as_object_mut().unwrap().extend(more_claims.as_object().unwrap().clone());
    let verified = verifier.verify(&SETTING.p256.token(&claims)).await.unwrap();
    assert!(verified.person.subject.is_some(), "a user is always the subject");
    verified.person.email.map(|email| email.to_string())
}

#[tokio::test]
async fn an_address_counts_where_it_was_verified() {
    let ada = Some(Setting::EMAIL.to_owned());
    for yes in [json!(true), json!("true")] {
        assert_eq!(email(json!({}), json!({ "email_verified": yes })).await, ada);
    }
    let no = [json!(false), json!("false"), json!("True"), json!("yes"), json!(1), Value::Null];
    for no in no.into_iter().chain([json!([true]), json!({ "true": true })]) {
        assert_eq!(email(json!({}), json!({ "email_verified": no })).await, None, "{no}");
    }
}

#[tokio::test]
async fn what_is_no_address_is_none() {
    for text in [json!("ada"), json!(""), json!(7), json!(["ada@example.org"]), Value::Null] {
        assert_eq!(email(json!({}), json!({ "email": text })).await, None, "{text}");
    }
    let email = email(json!({}), json!({ "email": "Ada@Example.ORG" })).await;
    assert_eq!(email.as_deref(), Some(Setting::EMAIL));
}

#[tokio::test]
async fn issuers_have_claims_of_their_own() {
    let claims = json!({ "email_verified": false, "mail": "eve@example.org", "checked": "true" });
    let renamed = json!({ "email_claim": "mail", "email_verified_claim": "checked" });
    assert_eq!(email(renamed, claims.clone()).await.as_deref(), Some("eve@example.org"));
    let vouched = json!({ "email_is_verified": true });
    assert_eq!(email(vouched, claims).await.as_deref(), Some(Setting::EMAIL));
}
