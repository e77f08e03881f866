//! Settings of issuers, right and wrong.

use serde_json::{Value, json};

use super::{Issuer, IssuerSettings};
use crate::keys::Algorithm;

fn read(settings: Value) -> Result<Issuer, String> {
    let settings = serde_json::from_value::<IssuerSettings>(settings);
    let settings = settings.map_err(|error| error.to_string())?;
    Issuer::new("acme", &settings).map_err(|error| error.to_string())
}

fn with(more: &Value) -> Value {
    let mut settings = json!({ "issuer": "https://id.example", "audience": "weir" });
    for (name, value) in more.as_object().unwrap() {
        settings[name] = value.clone();
    }
    settings
}

const SECRET: &str = "thirty-two bytes of a good secret";

#[test]
fn little_has_to_be_said() {
    let issuer = read(with(&json!({}))).unwrap();
    assert_eq!((issuer.name(), issuer.url()), ("acme", "https://id.example"));
    assert_eq!(issuer.algorithms, Algorithm::PUBLIC);
    assert_eq!(issuer.email_claim, "email");
    assert_eq!(issuer.email_verified_claim.as_deref(), Some("email_verified"));
    assert!(issuer.sign_in().is_none());
}

#[test]
fn a_secret_is_for_its_algorithm_alone() {
    let issuer = read(with(&json!({ "secret": SECRET, "audience": ["weir", "api"] }))).unwrap();
    assert_eq!(issuer.algorithms, [Algorithm::Hs256]);
    assert_eq!(issuer.audience, ["weir", "api"]);
    for (algorithms, secret) in [
        (json!(["HS256"]), None),
        (json!(["RS256", "HS256"]), None),
        (json!(["RS256"]), Some(SECRET)),
        (json!(["HS256", "ES256"]), Some(SECRET)),
    ] {
        let settings = json!({ "algorithms": algorithms, "secret": secret });
        let error = read(with(&settings)).unwrap_err();
        assert!(error.contains("acme") && error.contains("algorithms"), "{error}");
    }
}

#[test]
fn people_can_sign_in_where_there_is_a_client() {
    let client = json!({ "client_id": "weir", "client_secret": "s3cret", "audience": null });
    let issuer = read(with(&client)).unwrap();
    let sign_in = issuer.sign_in().unwrap();
    assert_eq!((sign_in.client_id.as_str(), sign_in.label.as_str()), ("weir", "acme"));
    assert_eq!(sign_in.scopes, ["openid", "email"]);
    assert_eq!(sign_in.client_secret.as_ref().unwrap().reveal(), "s3cret");
    // Nothing but signing in: a bearer token of it is for nobody here.
    assert!(issuer.audience.is_empty());
}

#[test]
fn what_is_wrong_is_said_with_issuer_and_field() {
    let wrong = [
        (json!({ "issuer": null }), "issuer"),
        (json!({ "issuer": "id.example" }), "issuer"),
        (json!({ "issuer": "http://id.example" }), "issuer"),
        (json!({ "audience": null }), "audience"),
        (json!({ "audience": "" }), "audience"),
        (json!({ "audience": [] }), "audience"),
        (json!({ "audience": ["weir", " "] }), "audience"),
        (json!({ "discovery": false }), "discovery"),
        (json!({ "discovery": true, "secret": SECRET }), "discovery"),
        (json!({ "jwks_url": "https://id.example/keys", "jwks_file": "keys.json" }), "jwks_url"),
        (json!({ "jwks_url": "http://id.example/keys" }), "jwks_url"),
        (json!({ "jwks_url": "keys" }), "jwks_url"),
        (json!({ "secret": "short" }), "secret"),
        (json!({ "algorithms": [] }), "algorithms"),
        (json!({ "algorithms": ["none"] }), "algorithms"),
        (json!({ "algorithms": ["RS512"] }), "RS512"),
        (json!({ "email_claim": "" }), "email_claim"),
        (json!({ "email_is_verified": true, "email_verified_claim": "v" }), "email_verified_claim"),
        (json!({ "client_id": " " }), "client_id"),
        (json!({ "client_id": "weir", "jwks_file": "keys.json" }), "client_id"),
        (json!({ "client_id": "weir", "client_secret": "" }), "client_secret"),
        (json!({ "client_secret": "s3cret" }), "client_id"),
        (json!({ "client_id": "weir", "scopes": ["email"] }), "scopes"),
        (json!({ "client_id": "weir", "label": "" }), "label"),
    ];
    for (settings, field) in wrong {
        let error = read(with(&settings)).unwrap_err();
        assert!(error.contains("acme") && error.contains(field), "{settings}: {error}");
        assert!(!error.contains("s3cret") && !error.contains(SECRET), "{error}");
    }
}

#[test]
fn a_misspelt_field_is_named() {
    let error = read(with(&json!({ "audiense": "weir" }))).unwrap_err();
    assert!(error.contains("audiense"), "{error}");
}

#[test]
fn names_are_fit_for_addresses() {
    for name in ["", "Acme", "a/b", "a b", "ä", &"a".repeat(65)] {
        let settings = serde_json::from_value(with(&json!({}))).unwrap();
        assert!(Issuer::new(name, &settings).is_err(), "{name:?}");
    }
}

#[test]
fn secrets_are_not_printed() {
    let settings = with(&json!({ "client_id": "weir", "client_secret": SECRET }));
    let settings: IssuerSettings = serde_json::from_value(settings).unwrap();
    assert!(!format!("{settings:?}").contains(SECRET));
    let issuer = Issuer::new("acme", &settings).unwrap();
    assert!(!format!("{issuer:?} {:?}", issuer.sign_in()).contains(SECRET));
    let shared = read(with(&json!({ "secret": SECRET }))).unwrap();
    assert!(!format!("{shared:?}").contains(SECRET));
}
