//! What is no token at all, or not quite one.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE};
use serde_json::json;

use super::Table;
use crate::testing::encode;
use crate::testing::setting::altered;

pub(super) fn list(table: &mut Table<'_>) {
    let token = table.setting.p256.token(&table.claims());
    parts(table, &token);
    alphabet(table, &token);
    spaces(table, &token);
    lengths(table, &token);
    payloads(table);
}

fn parts(table: &mut Table<'_>, token: &str) {
    table.group = "form";
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, signature] = parts[..] else { return };
    for text in ["", ".", "..", "...", "a.b.c", "e30.e30.e30", "null", "undefined", "{}", "Bearer"]
    {
        table.add(&format!("{text:?}"), text);
    }
    let arrangements = [
        ("the header alone", header.to_owned()),
        ("without a signature", format!("{header}.{payload}")),
        ("without a payload", format!("{header}..{signature}")),
        ("without a header", format!(".{payload}.{signature}")),
        ("with a part more", format!("{token}.{signature}")),
        ("with an empty part more", format!("{token}.")),
        ("with an empty part in front", format!(".{token}")),
        ("with the payload twice", format!("{header}.{payload}.{payload}.{signature}")),
        ("of five parts", format!("{header}.{payload}.{signature}.{payload}.{signature}")),
        ("payload first", format!("{payload}.{header}.{signature}")),
        ("signature first", format!("{signature}.{payload}.{header}")),
        ("signature in the middle", format!("{header}.{signature}.{payload}")),
        ("with other separators", token.replace('.', ":")),
        ("twice", format!("{token}{token}")),
        ("in quotes", format!("\"{token}\"")),
        ("with its scheme", format!("Bearer {token}")),
        ("backwards", token.chars().rev().collect()),
        ("in capitals", token.to_uppercase()),
    ];
    for (name, text) in arrangements {
        table.add(name, text);
    }
    let json = json!({ "protected": header, "payload": payload, "signature": signature });
    table.add("as JSON", json.to_string());
}

fn alphabet(table: &mut Table<'_>, token: &str) {
    table.group = "base64";
    let parts: Vec<&str> = token.split('.').collect();
    let [header, payload, signature] = parts[..] else { return };
    table.add("padded everywhere", format!("{header}==.{payload}==.{signature}=="));
    table.add("a padded signature", format!("{token}=="));
    table.add("with one sign of padding", format!("{token}="));
    table.add("with a percent sign", token.replace('.', "%2E"));
    // Enough question marks that the two alphabets differ.
    let claims = altered(table.claims(), "padding", json!("???>>>~~~".repeat(9))).to_string();
    let plain = STANDARD_NO_PAD.encode(&claims);
    let sign = |message: &str| encode(table.setting.p256.sign(message.as_bytes()));
    let message = format!("{header}.{plain}");
    table.add("of the other alphabet", format!("{message}.{}", sign(&message)));
    let padded = URL_SAFE.encode(format!("{claims}{}", " ".repeat((4 - claims.len() % 3) % 3)));
    let message = format!("{header}.{padded}");
    table.add("signed with its padding", format!("{message}.{}", sign(&message)));
    // The last sign of 64 bytes holds four bits that mean nothing.
    let (rest, last) = token.split_at(token.len() - 1);
    let next = char::from(last.as_bytes()[0] + 1);
    table.add("with bits that mean nothing", format!("{rest}{next}"));
    table.group = "bytes";
    table.add("with a letter of another script", token.replacen('e', "é", 1));
    table.add("with a zero byte", format!("{token}\0"));
    table.add("with a zero byte inside", token.replacen('.', ".\0", 1));
}

fn spaces(table: &mut Table<'_>, token: &str) {
    table.group = "space";
    table.add("in front", format!(" {token}"));
    table.add("behind", format!("{token} "));
    table.add("a tab behind", format!("{token}\t"));
    table.group = "base64";
    table.add("with a space inside", token.replacen('.', ". ", 1));
    table.add("with a tab inside", token.replacen('.', ".\t", 1));
    table.group = "bytes";
    table.add("with a line break behind", format!("{token}\n"));
    table.add("with line breaks inside", token.replace('.', ".\r\n"));
}

fn lengths(table: &mut Table<'_>, token: &str) {
    table.group = "length";
    table.add("just over what is taken", table.setting.padded_token(12_100));
    table.add("a good one of a megabyte", table.setting.padded_token(1 << 20));
    table.add("a megabyte of a letter", "a".repeat(1 << 20));
    table.add("a megabyte of dots", ".".repeat(1 << 20));
    table.add("a signature of a megabyte", format!("{token}{}", "A".repeat(1 << 20)));
    let header = altered(table.setting.p256.header(), "kid", "k".repeat(1 << 20).into());
    let token = table.setting.p256.token_with(&header, &table.claims());
    table.add("a header of a megabyte", token);
}

fn payloads(table: &mut Table<'_>) {
    table.group = "payload";
    let good = table.claims().to_string();
    let nested = |open: &str, close: &str, depth: usize| {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        format!("{{\"deep\":{open}1{close},{}", &good[1..]).into_bytes()
    };
    let payloads: [(&str, Vec<u8>); 18] = [
        ("empty", Vec::new()),
        ("an empty object", b"{}".to_vec()),
        ("null", b"null".to_vec()),
        ("true", b"true".to_vec()),
        ("a number", b"1".to_vec()),
        ("a text", format!("{good:?}").into_bytes()),
        ("an array", format!("[{good}]").into_bytes()),
        ("an empty array", b"[]".to_vec()),
        ("cut", good.as_bytes()[..good.len() - 1].to_vec()),
        ("two objects", format!("{good}{good}").into_bytes()),
        ("with something behind", format!("{good}x").into_bytes()),
        ("with a byte order mark", format!("\u{feff}{good}").into_bytes()),
        ("in UTF-16", good.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("not UTF-8", [b"{\"a\":\"\xff\",", &good.as_bytes()[1..]].concat()),
        ("with half a surrogate", good.replacen('{', "{\"a\":\"\\ud800\",", 1).into_bytes()),
        ("with a comment", good.replacen('{', "{/**/", 1).into_bytes()),
        ("arrays nested deeply", nested("[", "]", 2_000)),
        ("objects nested deeply", nested("{\"a\":", "}", 1_000)),
    ];
    for (name, payload) in payloads {
        table.add(name, table.payload(&payload));
    }
}
