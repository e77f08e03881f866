//! Keys that are somebody else's, or nobody's.

use serde_json::{Value, json};

use super::Table;
use crate::testing::{Setting, Signer};

pub(super) fn list(table: &mut Table<'_>) {
    names(table);
    table.group = "key";
    let setting = table.setting;
    let claims = table.claims();
    table.add("a stranger's", setting.stranger.token(&claims));
    table.add("another issuer's, of the same name", setting.other.token(&claims));
    table.add("ours for another issuer", setting.p256.token(&setting.claims(Setting::OTHER)));
    table.add("a secret of another issuer", setting.shared.token(&claims));
    let shared = setting.claims(Setting::SHARED);
    table.add("a public one for an issuer with a secret", setting.p256.token(&shared));
    let guess = Signer::hs256("shared", b"secret");
    table.add("a secret that was guessed", guess.token(&shared));
    for (name, signer) in &setting.unfit {
        table.add(name, signer.token(&claims));
    }
}

/// Names of keys that some service, somewhere, took for something else.
fn names(table: &mut Table<'_>) {
    table.group = "kid";
    let names = [
        "",
        " ",
        "P256",
        "p256 ",
        "p256\0",
        "p25",
        "../../../../etc/passwd",
        "..\\..\\windows\\win.ini",
        "/dev/null",
        "/proc/sys/kernel/randomize_va_space",
        "file:///etc/passwd",
        "https://evil.example/jwks.json",
        "' OR '1'='1",
        "p256' OR '1'='1' --",
        "x'; DROP TABLE signing_key; --",
        "x' UNION SELECT 'AA==",
        "| sleep 10",
        "$(id)",
        "%00",
        "*",
        "\r\nX-Injected: 1",
        "ключ",
    ];
    for name in names {
        table.header(&format!("{name:?}"), "kid", name.into());
    }
    table.header("of 8,000 characters", "kid", "p".repeat(8_000).into());
    for value in [Value::Null, json!(256), json!(["p256"]), json!({ "p256": 1 }), json!(true)] {
        table.header(&value.to_string(), "kid", value);
    }
    let mut header = table.setting.p256.header();
    if let Some(header) = header.as_object_mut() {
        header.remove("kid");
    }
    let token = table.setting.p256.token_with(&header, &table.claims());
    table.add("missing though there are two", token);
}
