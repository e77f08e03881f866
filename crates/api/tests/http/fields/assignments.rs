//! Whom a device is given to.

use serde_json::{Value, json};

use super::table::Table;
use super::table::Told::{Fits, Odd, Refused, Schema};
use super::values::*;
use crate::support::*;

pub fn tables() -> Vec<Table> {
    vec![
        Table::of_body(
            "PUT /api/v1/devices/{dev_eui}/assign",
            json!({ "end_user_id": "{end_user_id}" }),
        )
        .absent("end_user_id", Schema)
        .rows("end_user_id", Fits, [Value::Null])
        .rows("end_user_id", Schema, not_text_or_null())
        .rows("end_user_id", Schema, not_a_uuid())
        .rows("end_user_id", Refused(404, "USER_NOT_FOUND"), [NOBODY, "{customer_id}"]),
        Table::of_body(
            "PUT /api/v1/devices/{device_id}/assign-customer",
            json!({ "customer_id": "{customer_id}" }),
        )
        .absent("customer_id", Schema)
        .rows("customer_id", Schema, not_text())
        .rows("customer_id", Odd("VALIDATION_ERROR"), not_a_uuid())
        .rows("customer_id", Refused(404, "CUSTOMER_NOT_FOUND"), [NOBODY, "{end_user_id}"]),
    ]
}

#[tokio::test]
async fn of_assignments() {
    super::check(tables()).await;
}
