//! Customers, and registering for them.

use serde_json::{Value, json};

use super::table::Table;
use super::table::Told::{Fits, Odd, Schema, SchemaAt};
use super::values::*;
use crate::support::*;

/// What creating and updating have in common.
fn with_contact(table: Table) -> Table {
    let texts = |most: usize| ["".to_owned(), " ".into(), "x".repeat(most), "💧".repeat(most)];
    let over = |most: usize| ["x".repeat(most + 1), "ä".repeat(most + 1), "a\u{0}b".into()];
    table
        .rows("name", Schema, not_text())
        .rows("name", Schema, not_a_name())
        .rows("name", Fits, names_that_fit())
        .rows("email", Fits, [Value::Null])
        .rows("email", Schema, not_text_or_null())
        .rows("email", Schema, not_an_email())
        .rows("email", Fits, emails_that_fit())
        .rows("phone", Fits, [Value::Null])
        .rows("phone", Schema, not_text_or_null())
        .rows("phone", Schema, over(64))
        .rows("phone", Fits, texts(64))
        .rows("address", Fits, [Value::Null])
        .rows("address", Schema, not_text_or_null())
        .rows("address", Schema, over(500))
        .rows("address", Fits, texts(500))
        .rows("timezone", Fits, [Value::Null])
        .rows("timezone", Schema, not_text_or_null())
        .rows("timezone", Odd("VALIDATION_ERROR"), not_a_timezone())
        .rows("timezone", Fits, timezones())
}

pub fn tables() -> Vec<Table> {
    let good = json!({ "name": "North" });
    let euis = |count: usize| json!((0..count).map(eui).collect::<Vec<_>>());
    let elements = |values: Vec<Value>| values.into_iter().map(|value| json!([value]));
    let not_euis = not_an_eui().into_iter().map(|eui| json!([eui]));
    vec![
        with_contact(Table::of_body("POST /api/v1/customers", good.clone()))
            .absent("name", Schema)
            .rows("name", Schema, blank()),
        with_contact(Table::of_body("PUT /api/v1/customers/{customer_id}", good))
            .rows("", Odd("VALIDATION_ERROR"), [json!({}), json!({ "id": NOBODY })])
            .rows("name", Odd("VALIDATION_ERROR"), blank()),
        Table::of_body(
            "POST /api/v1/customers/{customer_id}/register-unregistered-devices",
            json!({ "dev_euis": ["ffffffffffffffff"] }),
        )
        .absent("dev_euis", Fits)
        .rows("dev_euis", Schema, not_a_list())
        .rows("dev_euis", Schema, [json!([]), euis(1001), json!(vec![EUI; 1001])])
        .rows("dev_euis", SchemaAt(".0"), elements(not_text()))
        .rows("dev_euis", SchemaAt(".0"), not_euis)
        .rows("dev_euis", SchemaAt(".1"), [json!([EUI, "x"]), json!([EUI, 7])])
        .rows("dev_euis", Fits, [euis(1), euis(1000), json!(vec![EUI; 1000])])
        .rows("name_prefix", Schema, not_text())
        .rows("name_prefix", Schema, not_a_name())
        .rows("name_prefix", Fits, ["", " ", "Riverside "])
        .rows("name_prefix", Fits, ["x".repeat(255), "💧".repeat(255)]),
    ]
}

#[tokio::test]
async fn of_customers() {
    super::check(tables()).await;
}
