//! Tokens, read and verified without the library that makes them.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

/// What the header of an access token says.
pub fn header(tokens: &Value) -> Value {
    part(tokens, 0)
}

/// What an access token says.
pub fn claims(tokens: &Value) -> Value {
    part(tokens, 1)
}

fn part(tokens: &Value, index: usize) -> Value {
    let token = tokens["access_token"].as_str().unwrap();
    serde_json::from_slice(&decode(token.split('.').nth(index).unwrap())).unwrap()
}

/// Whether the key that an access token names is among those that are published, and signed it.
pub fn is_verified_by(tokens: &Value, published: &Value) -> bool {
    let token = tokens["access_token"].as_str().unwrap();
    let (message, signature) = token.rsplit_once('.').unwrap();
    let keys = published["keys"].as_array().unwrap();
    let Some(key) = keys.iter().find(|key| key["kid"] == header(tokens)["kid"]) else {
        return false;
    };
    let coordinate = |name: &str| decode(key[name].as_str().unwrap());
    // An uncompressed point: a mark and both coordinates.
    let point = [vec![4], coordinate("x"), coordinate("y")].concat();
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
    key.verify(message.as_bytes(), &decode(signature)).is_ok()
}

fn decode(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}
