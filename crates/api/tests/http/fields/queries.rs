//! Queries.

use super::table::Told::{Fits, Odd, Schema};
use super::table::{Table, Told};
use super::values::*;
use crate::support::*;

const ODD: Told = Odd("VALIDATION_ERROR");

fn with_boolean(table: Table, name: &'static str) -> Table {
    table.rows(name, Schema, ["", " ", "yes", "2", "-1", "null", "maybe", " true", "1.0"]).rows(
        name,
        Fits,
        ["true", "false", "1", "0", "TRUE", "False"],
    )
}

fn with_page(table: Table) -> Table {
    let beyond = ["9223372036854775807", "9223372036854775808", "99999999999999999999"];
    table
        .rows("limit", Schema, ["", " ", "0", "-1", "x", "1.5", "1e2", "+1", "0x10", " 1", "１"])
        .rows("limit", Fits, ["1", "50", "1000", "1001", "007"])
        .rows("limit", Fits, beyond)
        .rows("offset", Schema, ["", " ", "-1", "x", "0.5", "+0", "null"])
        .rows("offset", Fits, ["0", "1", "1000000"])
        .rows("offset", Fits, beyond)
}

fn with_search(table: Table) -> Table {
    table
        .rows("search", Schema, ["x".repeat(256), "ä".repeat(256), "a\u{0}b".into()])
        .rows("search", Fits, ["", " ", "%", "_", "'", "\\", "\"; --", "💧"])
        .rows("search", Fits, ["x".repeat(255), "ä".repeat(255)])
}

fn with_customer(table: Table) -> Table {
    table
        .rows("customer", ODD, not_a_uuid())
        .rows("customer", ODD, ["Unassociated", "unassociated ", "associated"])
        .rows("customer", Fits, ["unassociated", NOBODY, "{customer_id}"])
}

fn with_customer_id(table: Table) -> Table {
    with_customer(table)
        .rows("customer_id", Schema, not_a_uuid())
        .rows("customer_id", Schema, ["unassociated"])
        .rows("customer_id", Fits, [NOBODY, "{customer_id}"])
}

fn with_days(table: Table) -> Table {
    table
        .rows(
            "days",
            Schema,
            ["", " ", "0", "-1", "366", "x", "1.5", "30d", "99999999999999999999"],
        )
        .rows("days", Fits, ["1", "7", "30", "365"])
}

fn devices() -> Table {
    let no_dates =
        ["2026-02-30", "2026-13-01", "2026-00-01", "2026-3-1", "20260301", "2026-03-01T00:00:00Z"];
    let table = with_page(with_search(with_customer_id(Table::of_query("GET /api/v1/devices"))));
    with_boolean(with_boolean(table, "is_principal"), "include_consumption")
        .rows("user", ODD, ["", " ", "somebody", "Assigned", "assigned,unassigned", NOBODY])
        .rows("user", Fits, ["assigned", "unassigned"])
        .rows("first_seen", ODD, ["", " ", "year", "Today", " today", "yesterday", "7"])
        .rows("first_seen", ODD, no_dates)
        .rows("first_seen", Fits, ["today", "week", "month"])
        .rows("first_seen", Fits, ["0001-01-01", "2024-02-29", "9999-12-31"])
        .rows("status", ODD, ["", " ", "auto", "Online", "broken", "online,offline"])
        .rows("status", Fits, ["online", "offline", "maintenance"])
}

pub fn tables() -> Vec<Table> {
    let device = |operation| Table::of_query(operation);
    vec![
        devices(),
        with_customer_id(Table::of_query("GET /api/v1/devices/stats")),
        with_page(Table::of_query("GET /api/v1/unregistered-devices")),
        with_search(with_page(Table::of_query("GET /api/v1/customers"))),
        with_customer(with_search(with_page(Table::of_query("GET /api/v1/end-users")))),
        with_boolean(device("GET /api/v1/devices/{device_id}/children"), "include_descendants"),
        with_boolean(
            device("GET /api/v1/devices/{device_id}/ownership-history"),
            "include_details",
        ),
        with_days(device("GET /api/v1/devices/{device_id}/consumption")),
        with_days(device("GET /api/v1/devices/{device_id}/consumption-per-day"))
            .rows("timezone", ODD, not_a_timezone())
            .rows("timezone", Fits, timezones()),
        device("GET /api/v1/devices/{device_id}/ownership-history/{record_id}/report")
            .rows("format", Schema, ["", " ", "doc", "PDF", "pdf,csv", "application/pdf"])
            .rows("format", Fits, ["pdf", "csv"]),
    ]
}

#[tokio::test]
async fn of_queries() {
    super::check(tables()).await;
}
