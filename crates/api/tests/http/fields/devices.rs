//! Devices one by one: registering, updating, status and parent.

use serde_json::{Value, json};

use super::table::Table;
use super::table::Told::{Fits, Odd, Refused, Schema};
use super::values::*;

const ODD: super::table::Told = Odd("VALIDATION_ERROR");

/// What is good here is refused only because the EUI is taken, so that the rows may repeat it.
fn register(good: Value) -> Table {
    Table::of_body("POST /api/v1/devices/register", good).answered(400, "DEVICE_ALREADY_EXISTS")
}

pub fn tables() -> Vec<Table> {
    let type_and_eui = json!({ "dev_eui": "{dev_eui}", "device_type": "water_meter" });
    let mut named = type_and_eui.clone();
    named["name"] = json!("Main");
    let mut device_named = type_and_eui;
    device_named["device_name"] = json!("Main");
    vec![
        register(named)
            .absent("dev_eui", Schema)
            .rows("dev_eui", Schema, not_text())
            .rows("dev_eui", Schema, not_an_eui())
            .rows("dev_eui", Schema, ["{device_id}"])
            .absent("name", Schema)
            .rows("name", Schema, not_text())
            .rows("name", Schema, blank())
            .rows("name", Schema, not_a_name())
            .rows("name", Fits, names_that_fit())
            .rows("device_name", Fits, names_that_fit())
            .absent("device_type", Schema)
            .rows("device_type", Schema, not_text())
            .rows("device_type", Schema, ["", " ", "gas_meter", "WATER_METER", "water_meter "])
            .rows("parent_device_id", Fits, [Value::Null, json!("{spare_device_id}")])
            .rows("parent_device_id", Schema, not_text_or_null())
            .rows("parent_device_id", Schema, not_a_uuid())
            .rows("is_principal", Fits, [true, false])
            .rows("is_principal", Schema, not_a_boolean())
            .rows("adopt_readings", Fits, [true, false])
            .rows("adopt_readings", Schema, not_a_boolean()),
        register(device_named)
            .rows("device_name", Schema, not_text())
            .rows("device_name", Schema, blank())
            .rows("device_name", Schema, not_a_name())
            .rows("device_name", Fits, names_that_fit()),
        Table::of_body("PUT /api/v1/devices/{device_id}", json!({ "name": "Main" }))
            .rows("", ODD, [json!({}), json!({ "dev_eui": "x", "status": "online" })])
            .rows("name", Schema, not_text())
            .rows("name", Schema, not_a_name())
            .rows("name", ODD, blank())
            .rows("name", Fits, names_that_fit())
            .rows("device_name", Fits, [Value::Null])
            .rows("device_name", Schema, not_text_or_null())
            .rows("device_name", Schema, not_a_name())
            .rows("device_name", ODD, blank())
            .rows("device_name", Fits, names_that_fit())
            .rows("parent_device_id", Fits, [json!("{spare_device_id}"), Value::Null])
            .rows("parent_device_id", Schema, not_text_or_null())
            .rows("parent_device_id", ODD, not_a_uuid())
            .rows("parent_device_id", Refused(404, "PARENT_DEVICE_NOT_FOUND"), ids(1))
            .rows("parent_device_id", Refused(400, "CIRCULAR_REFERENCE"), ["{device_id}"])
            .rows("is_principal", Schema, not_a_boolean())
            .rows("is_principal", Fits, [true, false])
            .rows("is_active", Schema, not_a_boolean())
            .rows("is_active", Fits, [false, true]),
        Table::of_body("PUT /api/v1/devices/{device_id}/status", json!({ "status": "auto" }))
            .absent("status", Schema)
            .rows("status", Schema, not_text())
            .rows("status", Odd("INVALID_STATUS"), ["online", "offline", "", " ", "broken"])
            .rows("status", Odd("INVALID_STATUS"), ["AUTO", " auto", "auto\n", "Maintenance"])
            .rows("status", Fits, ["maintenance", "auto"])
            .rows("is_active", Schema, not_a_boolean())
            .rows("is_active", Fits, [false, true]),
        Table::of_body(
            "PUT /api/v1/devices/{device_id}/parent",
            json!({ "parent_device_id": "{spare_device_id}" }),
        )
        .absent("parent_device_id", Schema)
        .rows("parent_device_id", Fits, [Value::Null])
        .rows("parent_device_id", Schema, not_text_or_null())
        .rows("parent_device_id", Schema, not_a_uuid())
        .rows("parent_device_id", Refused(404, "PARENT_DEVICE_NOT_FOUND"), ids(1))
        .rows("parent_device_id", Refused(400, "CIRCULAR_REFERENCE"), ["{device_id}"]),
    ]
}

#[tokio::test]
async fn of_single_devices() {
    super::check(tables()).await;
}
