//! Many devices at once.

use serde_json::{Value, json};

use super::table::Told::{Fits, Odd, OddAt, Refused, Schema, SchemaAt};
use super::table::{Table, Told};
use super::values::*;
use crate::support::*;

const ODD: Told = Odd("VALIDATION_ERROR");

/// Lists of one id, which is not a string.
fn of_other_types() -> Vec<Value> {
    not_text().into_iter().map(|element| json!([element])).collect()
}

/// Lists of one string, which is not an id.
fn of_other_strings() -> Vec<Value> {
    not_a_uuid().into_iter().map(|text| json!([text])).collect()
}

/// Lists of ids: 1 to 1000 of them, repeated ones too.
fn with_ids(table: Table) -> Table {
    table
        .absent("device_ids", Schema)
        .rows("device_ids", Schema, not_a_list())
        .rows("device_ids", Schema, [json!([]), json!(ids(1001)), json!(vec![NOBODY; 1001])])
        .rows("device_ids", SchemaAt(".0"), of_other_types())
        .rows("device_ids", SchemaAt(".0"), of_other_strings())
        .rows("device_ids", SchemaAt(".1"), [json!([NOBODY, 7]), json!([NOBODY, "x"])])
        .rows("device_ids", Fits, [json!(ids(1)), json!(ids(1000)), json!(vec![NOBODY; 1000])])
}

/// The same where strings and lengths fit the schema and make no sense.
fn with_sensible_ids(table: Table) -> Table {
    let (device, customer) = ("{device_id}", Refused(400, "DEVICES_NOT_FOUND"));
    let mut one_more = json!(ids(1000));
    one_more.as_array_mut().unwrap().push(json!(7));
    table
        .absent("device_ids", Schema)
        .rows("device_ids", Schema, not_a_list())
        .rows("device_ids", ODD, [json!([]), json!(ids(1001)), json!(vec![device; 1001])])
        .rows("device_ids", SchemaAt(".0"), of_other_types())
        .rows("device_ids", OddAt("VALIDATION_ERROR", ".0"), of_other_strings())
        .rows("device_ids", SchemaAt(".1"), [json!(["x", 7]), json!([device, null])])
        .rows("device_ids", SchemaAt(".1000"), [one_more])
        .rows("device_ids", Fits, [json!([device]), json!(vec![device; 1000])])
        .rows("device_ids", customer, [json!(ids(1)), json!(ids(1000))])
}

pub fn tables() -> Vec<Table> {
    let status = json!({ "device_ids": [NOBODY], "status": "auto" });
    let assign = json!({ "device_ids": [NOBODY], "end_user_id": "{end_user_id}" });
    let give = json!({ "device_ids": ["{device_id}"], "customer_id": "{customer_id}" });
    vec![
        with_ids(Table::of_body("POST /api/v1/devices/bulk-status", status))
            .absent("status", Schema)
            .rows("status", Schema, not_text())
            .rows("status", Odd("INVALID_STATUS"), ["online", "offline", "", " ", "AUTO", "x"])
            .rows("status", Fits, ["maintenance", "auto"]),
        with_ids(Table::of_body(
            "POST /api/v1/devices/bulk-delete",
            json!({ "device_ids": [NOBODY] }),
        )),
        with_ids(Table::of_body("POST /api/v1/devices/bulk-assign", assign))
            .absent("end_user_id", Schema)
            .rows("end_user_id", Schema, not_text_or_null())
            .rows("end_user_id", Schema, not_a_uuid())
            .rows("end_user_id", Fits, [Value::Null, json!(NOBODY)]),
        with_sensible_ids(Table::of_body("POST /api/v1/devices/bulk-assign-customer", give))
            .absent("customer_id", Schema)
            .rows("customer_id", Schema, not_text())
            .rows("customer_id", ODD, not_a_uuid())
            .rows("customer_id", Refused(404, "CUSTOMER_NOT_FOUND"), [NOBODY]),
        hierarchy(),
    ]
}

fn hierarchy() -> Table {
    let good = json!({
        "device_id": "{spare_device_id}",
        "hierarchy_level": 1,
        "parent_device_id": "{device_id}",
    });
    let (list, device) = ("assignments", "assignments/0/device_id");
    let (level, parent) = ("assignments/0/hierarchy_level", "assignments/0/parent_device_id");
    let top = |id: String| json!({ "device_id": id, "hierarchy_level": 0 });
    let over: Vec<Value> = ids(1001).into_iter().map(top).collect();
    Table::of_body("PATCH /api/v1/devices/hierarchy-batch", json!({ "assignments": [good] }))
        .absent(list, Schema)
        .rows(list, Schema, not_a_list())
        .rows(list, Schema, [json!([]), json!(over)])
        .rows(list, SchemaAt(".0"), [json!([7]), json!([null]), json!(["x"]), json!([[]])])
        .rows(list, OddAt("VALIDATION_ERROR", ".1.device_id"), [json!([good, good])])
        .absent(device, Schema)
        .rows(device, Schema, not_text())
        .rows(device, Schema, not_a_uuid())
        .rows(device, ODD, [NOBODY, "{deleted_device_id}"])
        .absent(level, Schema)
        .rows(level, Schema, not_an_integer())
        .rows(level, ODD, [json!(-1), json!(11), json!(i64::MIN), json!(i64::MAX), json!(1e300)])
        .rows(level, Fits, [json!(0), json!(1), json!(1.0), json!(10)])
        .absent(parent, ODD)
        .rows(parent, ODD, [Value::Null, json!(NOBODY), json!("{deleted_device_id}")])
        .rows(parent, ODD, ["{spare_device_id}"])
        .rows(parent, Schema, not_text_or_null())
        .rows(parent, Schema, not_a_uuid())
}

#[tokio::test]
async fn of_many_devices() {
    super::check(tables()).await;
}
