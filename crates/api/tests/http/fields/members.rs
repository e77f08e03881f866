//! Members.

use serde_json::{Value, json};

use super::table::Table;
use super::table::Told::{Fits, Odd, Schema};
use super::values::*;
use crate::support::*;

const ODD: super::table::Told = Odd("VALIDATION_ERROR");

/// Texts that no issuer and no user of one can have.
fn not_a_subject() -> Vec<String> {
    let mut texts = vec!["x".repeat(256), "💧".repeat(256)];
    texts.extend(["", "a\u{0}b", "a\n", "\u{7f}"].map(String::from));
    texts
}

/// What is good here is refused only because they are a member, so that the rows may repeat it.
fn add(good: Value) -> Table {
    Table::of_body("POST /api/v1/members", good)
        .answered(400, "MEMBER_ALREADY_EXISTS")
        .rows("role", Fits, ["admin", "viewer"])
        .rows("role", Schema, not_text())
        .rows("role", Schema, ["", "Admin", "viewer ", "owner"])
}

pub fn tables() -> Vec<Table> {
    let known = "{dev_eui}@example.org";
    vec![
        add(json!({ "email": known }))
            .rows("", ODD, [json!({}), json!({ "role": "admin" })])
            .rows("email", Schema, not_text())
            .rows("email", Schema, not_an_email())
            .rows("email", Fits, ["{dev_eui}@EXAMPLE.org"]),
        add(json!({ "issuer": ISSUER, "subject": "{dev_eui}" }))
            .rows("email", ODD, [known])
            .absent("issuer", ODD)
            .rows("issuer", Schema, not_text())
            .rows("issuer", Schema, not_a_subject())
            .absent("subject", ODD)
            .rows("subject", Schema, not_text())
            .rows("subject", Schema, not_a_subject()),
    ]
}

#[tokio::test]
async fn of_members() {
    super::check(tables()).await;
}
