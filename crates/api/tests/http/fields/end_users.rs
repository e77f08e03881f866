//! End users.

use serde_json::{Value, json};

use super::table::Table;
use super::table::Told::{Fits, Odd, Refused, Schema};
use super::values::*;
use crate::support::*;

/// What creating and updating have in common.
fn with_contact(table: Table) -> Table {
    table
        .rows("name", Schema, not_text())
        .rows("name", Schema, not_a_name())
        .rows("name", Fits, names_that_fit())
        .rows("email", Fits, [Value::Null])
        .rows("email", Schema, not_text_or_null())
        .rows("email", Schema, not_an_email())
        .rows("email", Fits, emails_that_fit())
        .rows("customer_id", Fits, [json!("{spare_customer_id}"), Value::Null])
        .rows("customer_id", Schema, not_text_or_null())
        .rows("customer_id", Schema, not_a_uuid())
        .rows("customer_id", Refused(404, "CUSTOMER_NOT_FOUND"), [NOBODY, "{end_user_id}"])
}

pub fn tables() -> Vec<Table> {
    let good = json!({ "name": "Ada" });
    vec![
        with_contact(Table::of_body("POST /api/v1/end-users", good.clone()))
            .absent("name", Schema)
            .rows("name", Schema, blank()),
        with_contact(Table::of_body("PUT /api/v1/end-users/{end_user_id}", good))
            .rows("", Odd("VALIDATION_ERROR"), [json!({}), json!({ "device_count": 3 })])
            .rows("name", Odd("VALIDATION_ERROR"), blank()),
    ]
}

#[tokio::test]
async fn of_end_users() {
    super::check(tables()).await;
}
