//! The overview.

/// What it is.
pub const TITLE: &str = "Overview";
/// How many there are.
pub const DEVICES: &str = "Meters";
/// By status.
pub const ONLINE: &str = "Online";
/// By status.
pub const OFFLINE: &str = "Offline";
/// By status.
pub const MAINTENANCE: &str = "In maintenance";
/// First seen lately.
pub const NEW: &str = "New in 7 days";
/// Without a customer.
pub const UNASSOCIATED: &str = "Without a customer";
/// Without an end user.
pub const UNASSIGNED: &str = "Without an end user";
/// What was consumed.
pub const CONSUMPTION: &str = "Consumption of the last 30 days";
/// What that counts.
pub const CONSUMPTION_HINT: &str =
    "Meters at the top of the hierarchy: what sub-meters measure is in it once. Today is not over.";
/// Before the sum.
pub const TOTAL: &str = "Together";
/// While there is nothing.
pub const NO_CONSUMPTION: &str = "No finished day yet. It appears once a meter has sent readings on two \
                                  days.";
/// The table for those who see no picture.
pub const AS_TABLE: &str = "As a table";
/// A column.
pub const DAY: &str = "Day";
/// A column.
pub const VOLUME: &str = "Consumption";
/// A column.
pub const METERS: &str = "Meters";
/// Who needs somebody.
pub const ATTENTION: &str = "Meters to look at";
/// Nobody does.
pub const NO_ATTENTION: &str = "Nothing to look at: all meters are heard, their batteries are good, no \
                                counter fell.";
/// A reason.
pub const SILENT_SINCE: &str = "Silent since";
/// A reason.
pub const NEVER_HEARD: &str = "Never heard";
/// A reason.
pub const BATTERY_LOW: &str = "Battery low";
/// A reason.
pub const COUNTER_FELL: &str = "Counter fell: replaced or reset?";
/// The quota.
pub const QUOTA: &str = "Uplinks this month";
/// Between the numbers.
pub const OF: &str = "of";
/// The bill.
pub const BILL: &str = "This month's bill";
/// A line of it.
pub const TIER: &str = "Plan";
/// A line of it.
pub const ACTIVE: &str = "Active meters";
/// A line of it.
pub const INCLUDED: &str = "Included";
/// A line of it.
pub const BEYOND: &str = "Beyond";
/// The way to the first meter.
pub const REGISTER: &str = "Register a meter";
/// The way to the webhook.
pub const SETTINGS: &str = "Webhook and API keys";
/// Nothing there yet.
pub const EMPTY: &str = "No meters yet";
/// What to do next.
pub const EMPTY_HINT: &str = "Register a meter, or point your network server's webhook here with your \
                              API key. What it sends appears by itself.";
/// The documentation.
pub const DOCUMENTATION: &str = "Documentation of the interface";

/// What the chart shows, to whom cannot see it.
pub fn chart(total: &str) -> String {
    format!("Daily consumption of the last 30 days, {total} in all.")
}
