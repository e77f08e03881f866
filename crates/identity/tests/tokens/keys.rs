//! What is read from a set of keys.

use serde_json::{Value, json};
use weir_identity::keys::{Algorithm, KeySet};
use weir_identity::testing::encode;

use crate::SETTING;

fn parse(keys: &Value) -> KeySet {
    KeySet::parse(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
}

fn changed(mut key: Value, field: &str, value: Value) -> Value {
    key[field] = value;
    key
}

#[test]
fn keys_are_found_by_name_and_kind() {
    let keys = parse(&SETTING.jwks()["keys"]);
    assert!(keys.find(Some("p256"), Algorithm::Es256).is_some());
    assert!(keys.find(Some("p256"), Algorithm::Rs256).is_none());
    assert!(keys.find(Some("p256"), Algorithm::Hs256).is_none());
    assert!(keys.find(Some("oct"), Algorithm::Hs256).is_none());
    assert!(keys.find(None, Algorithm::Rs256).is_some(), "the only one");
    assert!(keys.find(None, Algorithm::Es256).is_none(), "one of two");
    for (name, signer) in &SETTING.unfit {
        for algorithm in Algorithm::PUBLIC {
            assert!(keys.find(Some(signer.id()), algorithm).is_none(), "{name}");
        }
    }
}

#[test]
fn a_key_says_what_it_is_for_or_nothing() {
    let good = SETTING.p256.jwk();
    let find = |key: Value| parse(&json!([key])).find(Some("p256"), Algorithm::Es256);
    for (field, value) in [
        ("use", Value::Null),
        ("alg", Value::Null),
        ("key_ops", json!(["sign", "verify"])),
        ("ext", json!({ "anything": [true] })),
        ("x5c", json!(["MIIB"])),
    ] {
        assert!(find(changed(good.clone(), field, value)).is_some(), "{field}");
    }
    for (field, value) in [
        ("use", json!("enc")),
        ("use", json!(1)),
        ("alg", json!("ES384")),
        ("alg", json!("RS256")),
        ("key_ops", json!(["sign"])),
        ("kty", json!("RSA")),
        ("kty", json!("oct")),
        ("crv", json!("P-384")),
        ("crv", json!("Ed25519")),
        ("x", Value::Null),
        ("x", json!("AA")),
        ("y", json!("*")),
        ("kid", json!(256)),
    ] {
        assert!(find(changed(good.clone(), field, value.clone())).is_none(), "{field} {value}");
    }
}

#[test]
fn an_rsa_key_is_long_and_its_exponent_no_trick() {
    let good = SETTING.rsa.jwk();
    let find = |key: Value| parse(&json!([key])).find(Some("rsa"), Algorithm::Rs256);
    let modulus = SETTING.rsa.raw();
    let padded = encode([&[0], modulus.as_slice()].concat());
    assert!(find(changed(good.clone(), "n", json!(padded))).is_some(), "a zero in front");
    assert!(find(changed(good.clone(), "e", json!("Aw"))).is_some(), "three");
    for exponent in ["", "AA", "AQ", "AAE", "Ag", "AQAA"] {
        assert!(find(changed(good.clone(), "e", json!(exponent))).is_none(), "{exponent}");
    }
    let long = encode([modulus.repeat(4), vec![1]].concat());
    for modulus in [String::new(), encode(&modulus[..255]), encode([0; 256]), long] {
        assert!(find(changed(good.clone(), "n", json!(modulus))).is_none());
    }
}

#[test]
fn one_bad_key_does_not_cost_the_others() {
    let keys = parse(&json!([null, 7, {}, { "kty": [] }, SETTING.p256.jwk()]));
    assert!(keys.find(Some("p256"), Algorithm::Es256).is_some());
}

#[test]
fn rubbish_is_told_from_keys() {
    for document in ["", "<html>", "null", "[]", "{}", r#"{"keys":{}}"#, r#"{"keys":[]"#] {
        assert!(KeySet::parse(document.as_bytes()).is_err(), "{document}");
    }
    let many = |count| json!({ "keys": vec![SETTING.p256.jwk(); count] }).to_string();
    assert!(KeySet::parse(many(100).as_bytes()).is_ok());
    assert!(KeySet::parse(many(101).as_bytes()).is_err());
}

#[tokio::test]
async fn a_point_off_the_curve_verifies_nothing() {
    let off = changed(SETTING.p256.jwk(), "y", json!(encode([1; 32])));
    let key = parse(&json!([off])).find(Some("p256"), Algorithm::Es256).unwrap();
    assert!(!key.has_signed("message", &encode(SETTING.p256.sign(b"message"))));
}
