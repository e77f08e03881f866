//! Headers that ask for what must not be done.

use aws_lc_rs::hmac;
use aws_lc_rs::signature::{RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256};
use serde_json::{Value, json};

use super::Table;
use crate::testing::setting::altered;
use crate::testing::{Signer, assemble};

pub(super) fn list(table: &mut Table<'_>) {
    unsigned(table);
    confused(table);
    other_algorithms(table);
    keys_brought_along(table);
    demands(table);
    malformed(table);
}

fn unsigned(table: &mut Table<'_>) {
    table.group = "none";
    let claims = table.claims().to_string();
    let mut spellings: Vec<String> = (0..16_u32)
        .map(|bits| {
            let letter = |(index, c): (u32, char)| {
                if bits >> index & 1 == 1 { c.to_ascii_uppercase() } else { c }
            };
            (0..).zip("none".chars()).map(letter).collect()
        })
        .collect();
    spellings
        .extend(["", " none", "none ", "none\0", "nоne", "null", "NONE256"].map(str::to_owned));
    for spelling in &spellings {
        let p256 = &table.setting.p256;
        let header = altered(p256.header(), "alg", spelling.as_str().into()).to_string();
        let signed = p256.token_of(header.as_bytes(), claims.as_bytes());
        let unsigned = assemble(header.as_bytes(), claims.as_bytes(), |_| Vec::new());
        table.add(&format!("{spelling:?} unsigned"), unsigned.clone());
        table.add(&format!("{spelling:?} signed"), signed);
        table.add(&format!("{spelling:?} in two parts"), unsigned.trim_end_matches('.'));
    }
}

/// The public key as if it were a secret.
fn confused(table: &mut Table<'_>) {
    table.group = "confusion";
    let setting = table.setting;
    for signer in [&setting.rsa, &setting.p256, &setting.ed25519] {
        for (form, key) in signer.public_forms() {
            let hashes = [
                ("HS256", hmac::HMAC_SHA256),
                ("HS384", hmac::HMAC_SHA384),
                ("HS512", hmac::HMAC_SHA512),
            ];
            for (name, hash) in hashes {
                let header = altered(signer.header(), "alg", name.into()).to_string();
                let secret = hmac::Key::new(hash, &key);
                let sign = |message: &[u8]| hmac::sign(&secret, message).as_ref().to_vec();
                let claims = table.claims().to_string();
                let token = assemble(header.as_bytes(), claims.as_bytes(), sign);
                table.add(
                    &format!("{name} with the key for {} as {form}", signer.algorithm()),
                    token,
                );
            }
        }
    }
    let empty = Signer::hs256("/dev/null", &[]);
    table.add("HS256 with an empty key", empty.token(&table.claims()));
}

fn other_algorithms(table: &mut Table<'_>) {
    table.group = "algorithm";
    let setting = table.setting;
    let claims = table.claims().to_string();
    let ways: [(&str, &'static dyn aws_lc_rs::signature::RsaEncoding); 3] =
        [("RS384", &RSA_PKCS1_SHA384), ("RS512", &RSA_PKCS1_SHA512), ("PS256", &RSA_PSS_SHA256)];
    for (name, way) in ways {
        let header = altered(setting.rsa.header(), "alg", name.into()).to_string();
        let sign = |message: &[u8]| setting.rsa.sign_rsa(way, message);
        table.add(name, assemble(header.as_bytes(), claims.as_bytes(), sign));
    }
    for name in ["es256", "ES256 ", "ES384", "ES512", "ES256K", "RS256", "EdDSA", "HS256", "dir"] {
        table.header(&format!("{name:?}"), "alg", name.into());
    }
    for value in [Value::Null, json!(256), json!(["ES256"]), json!({ "ES256": true }), json!(true)]
    {
        table.header(&value.to_string(), "alg", value);
    }
    for (one, other) in [(&setting.rsa, &setting.p256), (&setting.ed25519, &setting.rsa)] {
        let header = altered(one.header(), "kid", other.id().into());
        let name = format!("{} under the name of a key for {}", one.algorithm(), other.algorithm());
        table.add(&name, one.token_with(&header, &table.claims()));
    }
}

fn keys_brought_along(table: &mut Table<'_>) {
    table.group = "brought along";
    let stranger = &table.setting.stranger;
    let fields = [
        ("jwk", stranger.jwk()),
        ("jku", "https://evil.example/jwks.json".into()),
        ("x5u", "https://evil.example/certificate.pem".into()),
        ("x5c", json!(["MIIB"])),
    ];
    for (field, value) in fields {
        let header = altered(stranger.header(), field, value.clone());
        table.add(field, stranger.token_with(&header, &table.claims()));
        table.header("beside a good signature", field, value);
    }
}

fn demands(table: &mut Table<'_>) {
    table.group = "demand";
    table.header("for an extension", "crit", json!(["exp"]));
    table.header("for nothing", "crit", json!([]));
    table.header("false", "b64", json!(false));
    table.header("DEF", "zip", json!("DEF"));
    table.header("A256GCM", "enc", json!("A256GCM"));
    for kind in ["logout+jwt", "dpop+jwt", "secevent+jwt", "JOSE", ""] {
        table.header(&format!("{kind:?}"), "typ", kind.into());
    }
    table.header("a number", "typ", json!(1));
}

fn malformed(table: &mut Table<'_>) {
    table.group = "header";
    let claims = table.claims().to_string();
    let good = table.setting.p256.header().to_string();
    let deep = format!("{{\"a\":{}{},{}", "[".repeat(500), "]".repeat(500), &good[1..]);
    let headers: [(&str, Vec<u8>); 14] = [
        ("empty", Vec::new()),
        ("an empty object", b"{}".to_vec()),
        ("null", b"null".to_vec()),
        ("a text", b"\"ES256\"".to_vec()),
        ("a number", b"256".to_vec()),
        ("an array", format!("[{good}]").into_bytes()),
        ("cut", good.as_bytes()[..good.len() - 1].to_vec()),
        ("two objects", format!("{good}{good}").into_bytes()),
        ("with a byte order mark", format!("\u{feff}{good}").into_bytes()),
        ("not UTF-8", [&good.as_bytes()[..2], b"\xff\xfe", &good.as_bytes()[2..]].concat()),
        ("nested deeply", deep.into_bytes()),
        ("alg twice", good.replacen('{', "{\"alg\":\"none\",", 1).into_bytes()),
        (
            "alg twice, once in escapes",
            good.replacen('{', "{\"\\u0061lg\":\"ES256\",", 1).into_bytes(),
        ),
        ("kid twice", good.replacen('{', "{\"kid\":\"rsa\",", 1).into_bytes()),
    ];
    for (name, header) in headers {
        table.add(name, table.setting.p256.token_of(&header, claims.as_bytes()));
    }
}
