//! Values that fit, and values that do not.

use serde_json::{Value, json};

use crate::support::*;

/// What is no string and not null.
pub fn not_text_or_null() -> Vec<Value> {
    vec![json!(7), json!(1.5), json!(true), json!([]), json!(["x"]), json!({}), json!({ "x": "x" })]
}

/// What is no string.
pub fn not_text() -> Vec<Value> {
    [vec![Value::Null], not_text_or_null()].concat()
}

/// What is no boolean.
pub fn not_a_boolean() -> Vec<Value> {
    vec![json!(null), json!(0), json!(1), json!("true"), json!(""), json!([true]), json!({})]
}

/// What is no list.
pub fn not_a_list() -> Vec<Value> {
    vec![json!(null), json!(7), json!(NOBODY), json!(""), json!(true), json!({ "0": NOBODY })]
}

/// What is no whole number.
pub fn not_an_integer() -> Vec<Value> {
    vec![json!(null), json!("0"), json!(0.5), json!(true), json!([0]), json!({}), json!("")]
}

/// Strings that are no UUID in its hyphenated form.
pub fn not_a_uuid() -> Vec<String> {
    let simple = NOBODY.replace('-', "");
    vec![
        String::new(),
        " ".into(),
        "x".into(),
        "null".into(),
        EUI.into(),
        simple.clone(),
        format!("{{{NOBODY}}}"),
        format!("urn:uuid:{NOBODY}"),
        format!(" {NOBODY}"),
        format!("{NOBODY}\n"),
        NOBODY[1..].into(),
        NOBODY.replacen('0', "g", 1),
        format!("{}----", simple),
    ]
}

/// Strings that are no EUI.
pub fn not_an_eui() -> Vec<&'static str> {
    vec![
        "",
        " ",
        "x",
        "70b3d57ed02a365",
        "70b3d57ed02a36544",
        "70b3d57ed02a365g",
        " 70b3d57ed02a365",
        "70b3d57ed02a3654 ",
        "70-b3-d5-7e-d0-2a",
        "0x70b3d57ed02a36",
        "７0b3d57ed02a365",
        NOBODY,
    ]
}

/// Names that have nothing in them.
pub fn blank() -> Vec<&'static str> {
    vec!["", " ", " \t\n", "\u{a0}", "\u{2003}"]
}

/// Names that are too long or have control characters.
pub fn not_a_name() -> Vec<String> {
    let mut names = vec!["x".repeat(256), "ä".repeat(256), format!(" {} ", "x".repeat(256))];
    names
        .extend(["a\u{0}b", "a\nb", "a\tb", "a\u{7f}b", "a\u{85}b", "\u{1b}[0m"].map(String::from));
    names
}

/// Names at their limits.
pub fn names_that_fit() -> Vec<String> {
    let longest = "x".repeat(255);
    vec!["x".into(), longest.clone(), "💧".repeat(255), format!(" \t{longest}\n "), "0".into()]
}

/// E-mail addresses that are none.
pub fn not_an_email() -> Vec<String> {
    let too_long = format!("{}@example.org", "a".repeat(243));
    let mut emails = vec![too_long];
    emails.extend(
        ["", " ", "nobody", "@", "a@", "@b", "a@b@c", "a b@c", " a@b", "a@b\n", "a@\u{0}"]
            .map(String::from),
    );
    emails
}

/// E-mail addresses at their limits.
pub fn emails_that_fit() -> Vec<String> {
    vec!["a@b".into(), "Ada+x@EXAMPLE.org".into(), format!("{}@example.org", "a".repeat(242))]
}

/// Strings that name no time zone.
pub fn not_a_timezone() -> Vec<&'static str> {
    vec!["", " ", "Mars/Olympus", "+02:00", "UTC+1", "Europe/", "../etc/localtime", "Etc/Unknown"]
}

/// Names of time zones.
pub fn timezones() -> Vec<&'static str> {
    vec!["UTC", "Europe/Lisbon", "Asia/Kathmandu", "America/Argentina/Buenos_Aires"]
}

/// So many different ids that nothing has.
pub fn ids(count: u128) -> Vec<String> {
    (0..count).map(|number| uuid::Uuid::from_u128(number).to_string()).collect()
}
