//! Times that have passed, are yet to come, or are no times.

use serde_json::{Value, json};

use super::Table;

pub(super) fn list(table: &mut Table<'_>) {
    table.group = "time";
    let later = table.setting.seconds(300);
    table.without("exp");
    let values: [(&str, Value); 16] = [
        ("null", Value::Null),
        ("a text", json!("later")),
        ("a number in a text", json!(later.to_string())),
        ("a date in a text", json!("2099-01-01T00:00:00Z")),
        ("NaN in a text", json!("NaN")),
        ("empty", json!("")),
        ("true", json!(true)),
        ("a list", json!([later])),
        ("an object", json!({ "at": later })),
        ("a fraction", json!(later as f64 + 0.5)),
        ("zero", json!(0)),
        ("negative", json!(-later)),
        ("the lowest number", json!(i64::MIN)),
        ("the highest number", json!(i64::MAX)),
        ("higher than that", json!(u64::MAX)),
        ("in milliseconds", json!(later * 1_000)),
    ];
    for (name, value) in values {
        table.claim(name, "exp", value);
    }
    for (name, from_now) in [
        ("just past the leeway", -60),
        ("an hour ago", -3_600),
        ("in three hundred years", 300 * 31_557_600),
    ] {
        table.claim(name, "exp", json!(table.setting.seconds(from_now)));
    }
    let digits = "9".repeat(400);
    let writings = [
        ("written NaN", "NaN"),
        ("written Infinity", "Infinity"),
        ("written 1e999", "1e999"),
        ("written 1e300", "1e300"),
        ("written -1e999", "-1e999"),
        ("written in base sixteen", "0x7fffffff"),
        ("written with a plus", "+4102444800"),
        ("written with a zero in front", "04102444800"),
        ("written with an exponent", "4.1024448e9"),
        ("written with a fraction of nothing", "4102444800.0"),
        ("written with 400 digits", digits.as_str()),
    ];
    for (name, text) in writings {
        table.written(name, "exp", text);
    }
    for claim in ["nbf", "iat"] {
        let future = table.setting.seconds(61);
        table.claim("just beyond the leeway", claim, json!(future));
        table.claim("in an hour", claim, json!(table.setting.seconds(3_600)));
        table.claim("a text", claim, json!(table.setting.seconds(0).to_string()));
        table.claim("null", claim, Value::Null);
        table.claim("huge", claim, json!(u64::MAX));
        table.claim("a list", claim, json!([]));
    }
}
