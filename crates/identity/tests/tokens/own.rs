//! Tokens of this service itself.

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;
use weir_domain::SessionId;
use weir_identity::issuer::{Address, Issuer, NotAnIssuer};
use weir_identity::keys::KeySet;
use weir_identity::testing::{Setting, Signer, StillClock};
use weir_identity::token::{Reason, Unverified, Verifier};

use crate::{NOON, SETTING, issuer, settings};

const URL: &str = "https://weir.example";

fn own(signer: &Signer) -> Issuer {
    let keys = KeySet::parse(json!({ "keys": [signer.jwk()] }).to_string().as_bytes()).unwrap();
    Issuer::own(Address::parse(URL, false).unwrap(), Arc::new(keys))
}

fn claims(session: Value) -> Value {
    let mut claims = SETTING.claims(URL);
    claims["aud"] = URL.into();
    claims["sid"] = session;
    claims
}

#[tokio::test]
async fn they_belong_to_sessions() {
    let verifier = Verifier::new([own(&SETTING.p256)], Arc::new(StillClock::at(NOON))).unwrap();
    let id = Uuid::from_u128(7);
    let token = SETTING.p256.token(&claims(json!(id)));
    let verified = verifier.verify(&token).await.unwrap();
    assert_eq!(verified.session, Some(SessionId::from_uuid(id)));
    for session in [json!("seven"), json!(7), Value::Null] {
        let token = SETTING.p256.token(&claims(session));
        let result = verifier.verify(&token).await;
        assert_eq!(result, Err(Unverified::Rejected(Reason::Field("sid"))));
    }
}

#[tokio::test]
async fn they_are_signed_in_one_way() {
    let verifier = Verifier::new([own(&SETTING.rsa)], Arc::new(StillClock::at(NOON))).unwrap();
    let token = SETTING.rsa.token(&claims(json!(Uuid::from_u128(7))));
    let result = verifier.verify(&token).await;
    assert_eq!(result, Err(Unverified::Rejected(Reason::Algorithm)));
}

#[test]
fn nobody_else_is_called_the_same() {
    let table = json!({ "issuer": URL, "audience": Setting::AUDIENCE, "jwks_file": "keys.json" });
    let issuers = [issuer("acme", &settings(table)), own(&SETTING.p256)];
    let error = Verifier::new(issuers, Arc::new(StillClock::at(NOON))).unwrap_err();
    assert_eq!(error, NotAnIssuer::Twice("acme".into(), "weir".into()));
}
