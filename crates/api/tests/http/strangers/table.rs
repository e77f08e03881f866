//! What happens when one reseller asks for what is another's: one row or more for every operation.
//!
//! A row holds the body that is sent, if any, and what the stranger gets. The owner sends the same
//! request and succeeds, which shows that the stranger failed for being one. In paths, bodies and
//! results, the names in braces stand for what is the owner's; see [`super::resellers`].

/// What a stranger gets.
#[derive(Clone, Copy)]
pub enum Stranger {
    /// An error with this status and code: the same as for a thing that does not exist.
    Refused(u16, &'static str),
    /// A success with this data, in JSON, where the owner gets something else.
    Sees(&'static str),
}

use Stranger::{Refused, Sees};

/// A row: the operation, the body, and what the stranger gets.
pub type Row = (&'static str, &'static str, Stranger);

pub const TABLE: &[Row] = &[
    ("GET /api/v1/devices", "", Sees("[]")),
    (
        "POST /api/v1/devices/register",
        r#"{"dev_eui": "{free_eui}", "name": "Below", "device_type": "water_meter",
            "parent_device_id": "{device_id}"}"#,
        Refused(404, "PARENT_DEVICE_NOT_FOUND"),
    ),
    ("GET /api/v1/devices/{dev_eui}", "", Refused(404, "DEVICE_NOT_FOUND")),
    ("GET /api/v1/devices/{device_id}/consumption", "", Refused(404, "DEVICE_NOT_FOUND")),
    ("GET /api/v1/unregistered-devices", "", Sees("[]")),
];

/// Operations whose stranger test is one of its own, in [`super::resellers`]. This list only shrinks.
pub const TESTED_APART: &[&str] = &["POST /api/v1/ingest/water-consumption"];
