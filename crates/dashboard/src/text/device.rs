//! Texts of a device's pages.

/// Above what a device is.
pub const IDENTITY: &str = "Identity";
/// Above how it is.
pub const STATE: &str = "State";
/// Its EUI.
pub const DEV_EUI: &str = "EUI";
/// Its id.
pub const ID: &str = "Id";
/// The name that payloads give it.
pub const DEVICE_NAME: &str = "Name at the network server";
/// Its display name.
pub const NAME: &str = "Name";
/// Its status.
pub const STATUS: &str = "Status";
/// Whether it is billed.
pub const BILLED: &str = "Counts toward billing";
/// Its battery.
pub const BATTERY: &str = "Battery";
/// Its position.
pub const POSITION: &str = "Position";
/// Its newest value.
pub const METER_VALUE: &str = "Meter value";
/// Its last reading.
pub const LAST_READING: &str = "Last reading";
/// Its last message.
pub const LAST_SEEN: &str = "Last message";
/// Its first message.
pub const FIRST_SEEN: &str = "First message";
/// How many messages.
pub const MESSAGES: &str = "Messages";
/// When it was registered.
pub const REGISTERED: &str = "Registered";
/// Its customer.
pub const CUSTOMER: &str = "Customer";
/// Its end user.
pub const END_USER: &str = "End user";
/// Where nothing is known.
pub const NONE: &str = "–";
/// Yes.
pub const YES: &str = "Yes";
/// No.
pub const NO: &str = "No";
/// A principal meter.
pub const PRINCIPAL: &str = "Principal meter";
/// The daily consumption.
pub const CONSUMPTION: &str = "Daily consumption";
/// What spans can be chosen.
pub const SPAN: &str = "Days shown";
/// All days together.
pub const TOTAL: &str = "Total";
/// The mean of days with data.
pub const AVERAGE: &str = "Average per day";
/// The most on a day.
pub const MAXIMUM: &str = "Most on a day";
/// Days without readings.
pub const OFFLINE_DAYS: &str = "Days without readings";
/// The days as a table.
pub const HISTORY: &str = "Days as a table";
/// A day.
pub const DAY: &str = "Day";
/// What was consumed.
pub const CONSUMED: &str = "Consumption";
/// The value at the end of the day.
pub const AT_END: &str = "Meter value";
/// Remarks.
pub const REMARKS: &str = "Remarks";
/// A day without readings.
pub const OFFLINE: &str = "No readings";
/// A day on which the meter was replaced.
pub const RESET: &str = "Meter replaced";
/// Where nothing was ever read.
pub const NO_READINGS: &str =
    "Nothing was read in these days. Consumption shows here once the meter sends uplinks.";
/// Above the place in the tree.
pub const HIERARCHY: &str = "Hierarchy";
/// The meters right below.
pub const SUB_METERS: &str = "Sub-meters";
/// Where there are none.
pub const NO_SUB_METERS: &str = "No sub-meters.";
/// The way to the tree.
pub const SHOW_TREE: &str = "Show in the hierarchy";
/// Above whose it was.
pub const OWNERS: &str = "Owner history";
/// Where it was never assigned.
pub const NO_OWNERS: &str = "Never assigned to anybody.";
/// When it changed hands.
pub const WHEN: &str = "When";
/// Who had it.
pub const FROM: &str = "From";
/// Who has it since.
pub const TO: &str = "To";
/// Who changed it.
pub const BY: &str = "Changed by";
/// The final report.
pub const REPORT: &str = "Final report";
/// Nobody.
pub const NOBODY: &str = "Nobody";
/// Somebody who was deleted since.
pub const FORGOTTEN: &str = "A deleted end user";
/// A report for people.
pub const PDF: &str = "PDF";
/// A report for machines.
pub const CSV: &str = "CSV";
/// Above the changes.
pub const CHANGES: &str = "Change this meter";
/// The way to the form.
pub const EDIT: &str = "Edit";
/// The way to the readings.
pub const READINGS: &str = "Readings";
/// The field that chooses a day.
pub const READINGS_OF: &str = "Readings of";
/// The button that shows them.
pub const SHOW: &str = "Show";
/// The time of a reading.
pub const TIME: &str = "Time";
/// The way to the day before.
pub const DAY_BEFORE: &str = "Day before";
/// The way to the day after.
pub const DAY_AFTER: &str = "Day after";
/// A day without readings.
pub const NOTHING_READ: &str = "Nothing was read on this day.";
/// The button that moves.
pub const MOVE: &str = "Move in the hierarchy";
/// The button that restores.
pub const RESTORE: &str = "Restore";
/// The button that saves.
pub const SAVE: &str = "Save";
/// The way back.
pub const CANCEL: &str = "Cancel";
/// What stands below the name at the network server.
pub const DEVICE_NAME_HINT: &str = "The next uplink that brings a name has the next word.";

/// A span of days.
pub fn last_days(count: u16) -> String {
    format!("{count} days")
}

/// What the chart shows, to whom cannot see it.
pub fn chart(count: u16, total: &str) -> String {
    format!("Daily consumption of the last {count} days, {total} in all.")
}

/// Above a device that was deleted.
pub fn deleted(when: &str) -> String {
    format!("This meter was deleted on {when}. Its history is kept, and it can be restored.")
}

/// What edited the device.
pub fn saved(name: &str) -> String {
    format!("{name} is saved.")
}

/// What restored the device.
pub fn restored(name: &str) -> String {
    format!("{name} is restored.")
}

/// Whose days are shown.
pub fn days_of(zone: &str) -> String {
    format!("Days of {zone}.")
}

/// How many sub-meters are not named.
pub fn more(count: usize) -> String {
    format!("… and {count} more.")
}
