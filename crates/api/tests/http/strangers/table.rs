//! What happens when one reseller asks for what is another's: one row or more for every operation.
//!
//! A row holds the body that is sent, if any, and what the stranger gets. The owner sends the same
//! request and succeeds, which shows that the stranger failed for being one. In paths, bodies and
//! results, the names in braces stand for what is the owner's, and those with `my_` for what is the
//! asker's own; see [`crate::support::Belongings`].

/// What a stranger gets.
#[derive(Clone, Copy)]
pub enum Stranger {
    /// An error with this status and code: the same as for a thing that does not exist.
    Refused(u16, &'static str),
    /// A success with this data, in JSON, where the owner gets something else.
    Sees(&'static str),
    /// A success of its own, which the owner does not see.
    Succeeds,
}

use Stranger::{Refused, Sees, Succeeds};

/// A row: the operation, the body, and what the stranger gets.
pub type Row = (&'static str, &'static str, Stranger);

const NO_DEVICE: Stranger = Refused(404, "DEVICE_NOT_FOUND");
const NO_PARENT: Stranger = Refused(404, "PARENT_DEVICE_NOT_FOUND");
const NO_USER: Stranger = Refused(404, "USER_NOT_FOUND");
const NO_CUSTOMER: Stranger = Refused(404, "CUSTOMER_NOT_FOUND");
const ODD: Stranger = Refused(400, "VALIDATION_ERROR");

/// A device of a list fails alone, as one that is absent does.
const FAILED_DEVICE: Stranger = Sees(
    r#"{"succeeded": [], "failed": [
        {"device_id": "{device_id}", "error": "DEVICE_NOT_FOUND", "message": "No such device."}]}"#,
);
const NOTHING: Stranger =
    Sees(r#"{"total": 0, "new_7_days": 0, "unassociated": 0, "unassigned_users": 0}"#);

pub const TABLE: &[Row] = &[
    // Devices
    ("GET /api/v1/devices", "", Sees("[]")),
    ("GET /api/v1/devices?customer={customer_id}", "", Sees("[]")),
    ("GET /api/v1/devices?customer_id={customer_id}", "", Sees("[]")),
    ("GET /api/v1/devices/stats", "", NOTHING),
    ("GET /api/v1/devices/stats?customer={customer_id}", "", NOTHING),
    (
        "POST /api/v1/devices/register",
        r#"{"dev_eui": "{free_eui}", "name": "Below", "device_type": "water_meter",
            "parent_device_id": "{device_id}"}"#,
        NO_PARENT,
    ),
    ("GET /api/v1/devices/{device_id}", "", NO_DEVICE),
    ("PUT /api/v1/devices/{device_id}", r#"{"name": "Taken", "is_active": false}"#, NO_DEVICE),
    ("PUT /api/v1/devices/{my_device_id}", r#"{"parent_device_id": "{device_id}"}"#, NO_PARENT),
    ("DELETE /api/v1/devices/{device_id}", "", NO_DEVICE),
    ("PUT /api/v1/devices/{device_id}/status", r#"{"status": "maintenance"}"#, NO_DEVICE),
    ("PUT /api/v1/devices/{device_id}/parent", r#"{"parent_device_id": null}"#, NO_DEVICE),
    (
        "PUT /api/v1/devices/{device_id}/parent",
        r#"{"parent_device_id": "{my_device_id}"}"#,
        NO_DEVICE,
    ),
    (
        "PUT /api/v1/devices/{my_spare_device_id}/parent",
        r#"{"parent_device_id": "{device_id}"}"#,
        NO_PARENT,
    ),
    ("GET /api/v1/devices/{device_id}/children", "", NO_DEVICE),
    ("PUT /api/v1/devices/{deleted_device_id}/restore", "", NO_DEVICE),
    ("GET /api/v1/devices/{device_id}/consumption", "", NO_DEVICE),
    ("GET /api/v1/devices/{deleted_device_id}/consumption", "", NO_DEVICE),
    ("GET /api/v1/devices/{device_id}/consumption-per-day", "", NO_DEVICE),
    (
        "PATCH /api/v1/devices/hierarchy-batch",
        r#"{"assignments": [{"device_id": "{device_id}", "hierarchy_level": 0}]}"#,
        ODD,
    ),
    (
        "PATCH /api/v1/devices/hierarchy-batch",
        r#"{"assignments": [{"device_id": "{my_spare_device_id}", "hierarchy_level": 1,
            "parent_device_id": "{device_id}"}]}"#,
        ODD,
    ),
    (
        "POST /api/v1/devices/bulk-status",
        r#"{"device_ids": ["{device_id}"], "status": "maintenance"}"#,
        FAILED_DEVICE,
    ),
    ("POST /api/v1/devices/bulk-delete", r#"{"device_ids": ["{device_id}"]}"#, FAILED_DEVICE),
    ("GET /api/v1/unregistered-devices", "", Sees("[]")),
    // Whom they belong to
    ("PUT /api/v1/devices/{dev_eui}/assign", r#"{"end_user_id": null}"#, NO_DEVICE),
    ("PUT /api/v1/devices/{dev_eui}/assign", r#"{"end_user_id": "{my_end_user_id}"}"#, NO_DEVICE),
    ("PUT /api/v1/devices/{my_dev_eui}/assign", r#"{"end_user_id": "{end_user_id}"}"#, NO_USER),
    (
        "POST /api/v1/devices/bulk-assign",
        r#"{"device_ids": ["{device_id}"], "end_user_id": null}"#,
        FAILED_DEVICE,
    ),
    (
        "POST /api/v1/devices/bulk-assign",
        r#"{"device_ids": ["{my_device_id}"], "end_user_id": "{end_user_id}"}"#,
        Sees(
            r#"{"succeeded": [], "failed": [{"device_id": "{my_device_id}",
                "error": "USER_NOT_FOUND", "message": "No such end user."}]}"#,
        ),
    ),
    (
        "PUT /api/v1/devices/{device_id}/assign-customer",
        r#"{"customer_id": "{my_customer_id}"}"#,
        NO_DEVICE,
    ),
    (
        "PUT /api/v1/devices/{my_device_id}/assign-customer",
        r#"{"customer_id": "{customer_id}"}"#,
        NO_CUSTOMER,
    ),
    (
        "POST /api/v1/devices/bulk-assign-customer",
        r#"{"device_ids": ["{device_id}"], "customer_id": "{my_customer_id}"}"#,
        Refused(400, "DEVICES_NOT_FOUND"),
    ),
    (
        "POST /api/v1/devices/bulk-assign-customer",
        r#"{"device_ids": ["{my_device_id}"], "customer_id": "{customer_id}"}"#,
        NO_CUSTOMER,
    ),
    ("GET /api/v1/devices/{device_id}/ownership-history", "", NO_DEVICE),
    ("GET /api/v1/devices/{device_id}/ownership-history?include_details=true", "", NO_DEVICE),
    ("GET /api/v1/devices/{device_id}/ownership-history/{record_id}/report", "", NO_DEVICE),
    // Customers
    ("GET /api/v1/customers", "", Sees("[]")),
    ("POST /api/v1/customers", r#"{"name": "Another"}"#, Succeeds),
    ("GET /api/v1/customers/{customer_id}", "", NO_CUSTOMER),
    ("PUT /api/v1/customers/{customer_id}", r#"{"name": "Taken"}"#, NO_CUSTOMER),
    ("DELETE /api/v1/customers/{spare_customer_id}", "", NO_CUSTOMER),
    ("POST /api/v1/customers/{customer_id}/register-unregistered-devices", "", NO_CUSTOMER),
    (
        "POST /api/v1/customers/{customer_id}/register-unregistered-devices",
        r#"{"dev_euis": ["{unregistered_eui}"]}"#,
        NO_CUSTOMER,
    ),
    (
        "POST /api/v1/customers/{my_customer_id}/register-unregistered-devices",
        r#"{"dev_euis": ["{unregistered_eui}"]}"#,
        Sees(
            r#"{"registered_count": 0, "devices": [], "failed": [{"dev_eui": "{unregistered_eui}",
                "error": "DEVICE_NOT_FOUND", "message": "No such device."}]}"#,
        ),
    ),
    // End users
    ("GET /api/v1/end-users", "", Sees("[]")),
    ("GET /api/v1/end-users?customer={customer_id}", "", Sees("[]")),
    ("POST /api/v1/end-users", r#"{"name": "Eve", "customer_id": "{customer_id}"}"#, NO_CUSTOMER),
    ("GET /api/v1/end-users/{end_user_id}", "", NO_USER),
    ("PUT /api/v1/end-users/{end_user_id}", r#"{"name": "Taken"}"#, NO_USER),
    ("PUT /api/v1/end-users/{my_end_user_id}", r#"{"customer_id": "{customer_id}"}"#, NO_CUSTOMER),
    ("DELETE /api/v1/end-users/{spare_end_user_id}", "", NO_USER),
    // Members
    ("GET /api/v1/me", "", Succeeds),
    ("GET /api/v1/members", "", Sees("[]")),
    ("POST /api/v1/members", r#"{"email": "{free_eui}@example.org"}"#, Succeeds),
    ("DELETE /api/v1/members/{member_id}", "", Refused(404, "MEMBER_NOT_FOUND")),
    // The reseller
    (
        "GET /api/v1/reseller/billing",
        "",
        Sees(
            r#"{"subscription_tier": "starter", "active_devices": 0, "included_devices": 50,
                "overage_devices": 0, "base_cost": 49.0, "overage_cost": 0.0, "total_cost": 49.0,
                "currency": "EUR"}"#,
        ),
    ),
];

/// Operations whose stranger test is one of its own, in [`super::resellers`]. This list only shrinks.
pub const TESTED_APART: &[&str] = &["POST /api/v1/ingest/water-consumption"];
