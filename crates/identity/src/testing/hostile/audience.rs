//! Tokens of other issuers, for other audiences, of nobody.

use serde_json::{Value, json};

use super::Table;
use crate::testing::Setting;

pub(super) fn list(table: &mut Table<'_>) {
    table.group = "audience";
    let good = Setting::AUDIENCE;
    table.without("aud");
    texts(table, "aud", good);
    table.claim("a list of nothing", "aud", json!([]));
    table.claim("a list of others", "aud", json!(["another", "weir", "weir-apis"]));
    table.claim("a list with a number", "aud", json!([good, 1]));
    table.claim("a list with null", "aud", json!([good, null]));
    table.claim("a list in a list", "aud", json!([[good]]));
    table.claim("several in a text", "aud", json!(format!("{good} another")));
    table.claim("several with commas", "aud", json!(format!("{good},another")));

    table.group = "issuer";
    let good = Setting::ISSUER;
    table.without("iss");
    texts(table, "iss", good);
    table.claim("a list", "iss", json!([good]));
    table.claim("with a slash", "iss", json!(format!("{good}/")));
    table.claim("with another scheme", "iss", json!(good.replace("https", "http")));
    table.claim("with its port", "iss", json!(good.replace(".example", ".example:443")));
    table.claim("with a dot", "iss", json!(good.replace(".example", ".example.")));
    table.claim("with a user", "iss", json!(good.replace("id.", "id.example@evil.")));
    table.claim("beneath another", "iss", json!(format!("https://evil.example/{good}")));
    table.claim("with letters that look alike", "iss", json!(good.replace('e', "е")));
    table.claim("unknown", "iss", json!("https://evil.example"));

    table.group = "subject";
    table.without("sub");
    for (name, value) in kinds(Setting::SUBJECT) {
        table.claim(name, "sub", value);
    }
    table.claim("empty", "sub", json!(""));
    table.claim("of 256 characters", "sub", json!("u".repeat(256)));
    table.claim("with a control character", "sub", json!("user\u{0}1"));
    table.claim("with a line break", "sub", json!("user\n1"));

    table.group = "twice";
    let claims = table.claims().to_string();
    for (claim, value) in [
        ("iss", json!("https://evil.example")),
        ("aud", json!("another")),
        ("sub", json!("user-2")),
        ("exp", json!(table.setting.seconds(3_000))),
        ("email", json!("eve@example.org")),
        ("jti", json!("1")),
    ] {
        let first = claims.replacen('{', &format!("{{\"{claim}\":{value},\"{claim}\":{value},"), 1);
        let body = &claims[..claims.len() - 1];
        let last = format!("{body},\"{claim}\":{value},\"{claim}\":{value}}}");
        let escape = format!("\\u{:04x}{}", u32::from(claim.as_bytes()[0]), &claim[1..]);
        let escaped = format!("{body},\"{claim}\":{value},\"{escape}\":{value}}}");
        table.add(&format!("{claim} before"), table.payload(first.as_bytes()));
        table.add(&format!("{claim} behind"), table.payload(last.as_bytes()));
        table.add(&format!("{claim} in escapes"), table.payload(escaped.as_bytes()));
    }
}

/// Texts that are nearly the right one, and what is no text.
fn texts(table: &mut Table<'_>, claim: &str, good: &str) {
    let nearly = [
        ("empty", String::new()),
        ("a space", " ".to_owned()),
        ("its beginning", good[..good.len() - 1].to_owned()),
        ("its end", good[1..].to_owned()),
        ("and more", format!("{good}x")),
        ("with more in front", format!("x{good}")),
        ("in capitals", good.to_uppercase()),
        ("with a space behind", format!("{good} ")),
        ("with a space in front", format!(" {good}")),
        ("with a zero byte", format!("{good}\0")),
        ("any", "*".to_owned()),
    ];
    for (name, text) in nearly {
        table.claim(name, claim, json!(text));
    }
    for (name, value) in kinds(good) {
        table.claim(name, claim, value);
    }
}

fn kinds(good: &str) -> [(&'static str, Value); 5] {
    [
        ("null", Value::Null),
        ("a number", json!(1)),
        ("true", json!(true)),
        ("an object", json!({ good: good })),
        ("a list of lists", json!([[good], []])),
    ]
}
