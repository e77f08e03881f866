//! Texts of the fleet's pages.

use weir_domain::Status;
use weir_store::{DeviceOrder, DeviceSort};

/// The title of the list.
pub const TITLE: &str = "Fleet";
/// Above the filter.
pub const FILTER: &str = "Filter";
/// The field to search in.
pub const SEARCH: &str = "Search";
/// What can be searched for.
pub const SEARCH_HINT: &str = "EUI or name";
/// The status of a device.
pub const STATUS: &str = "Status";
/// Heard lately.
pub const ONLINE: &str = "Online";
/// Not heard lately.
pub const OFFLINE: &str = "Offline";
/// Taken out of automatic management.
pub const IN_MAINTENANCE: &str = "Maintenance";
/// The customer of a device.
pub const CUSTOMER: &str = "Customer";
/// The end user of a device.
pub const END_USER: &str = "End user";
/// When the first message came.
pub const FIRST_SEEN: &str = "First seen";
/// Whether it is a principal meter.
pub const KIND: &str = "Kind";
/// No matter which.
pub const ANY: &str = "Any";
/// Devices of no customer.
pub const UNASSOCIATED: &str = "No customer";
/// Devices with an end user.
pub const ASSIGNED: &str = "Assigned";
/// Devices without one.
pub const UNASSIGNED: &str = "Unassigned";
/// First seen since midnight.
pub const TODAY: &str = "Today";
/// First seen within a week.
pub const WEEK: &str = "Last 7 days";
/// First seen within a month.
pub const MONTH: &str = "Last 30 days";
/// First seen on a day or later.
pub const SINCE: &str = "Since a date";
/// Principal meters.
pub const PRINCIPAL: &str = "Principal meter";
/// Others.
pub const SUB_METER: &str = "Other meter";
/// The button that filters.
pub const SHOW: &str = "Show";
/// After how many more customers there are.
pub const OTHER_CUSTOMERS: &str = "are found by name; each leads to its meters.";
/// The way back to the whole fleet.
pub const CLEAR: &str = "Clear filter";
/// The name of a device.
pub const NAME: &str = "Name";
/// Its EUI.
pub const DEV_EUI: &str = "EUI";
/// Its newest value.
pub const METER_VALUE: &str = "Meter value";
/// Its recent consumption.
pub const TREND: &str = "Trend";
/// Its battery.
pub const BATTERY: &str = "Battery";
/// When it was registered.
pub const REGISTERED: &str = "Registered";
/// Its last reading.
pub const LAST_READING: &str = "Last reading";
/// Where nothing was read.
pub const NEVER: &str = "Never";
/// Where the fleet is empty.
pub const EMPTY: &str = "There are no meters yet.";
/// What to do then.
pub const EMPTY_NEXT: &str = "Register the first one, import a table, or have your network server send uplinks: meters that nobody registered are remembered.";
/// Where no device fits.
pub const NONE_FITS: &str = "No meter fits this filter.";
/// The way to registering.
pub const REGISTER: &str = "Register a meter";
/// The way to importing.
pub const IMPORT: &str = "Import CSV";
/// The way to exporting.
pub const EXPORT: &str = "Export CSV";
/// What bulk actions are about.
pub const WITH_SELECTED: &str = "With the selected meters:";
/// The box that selects a page.
pub const SELECT_PAGE: &str = "Select all on this page";
/// The box that selects a device.
pub const SELECT: &str = "Select";
/// The button that assigns.
pub const ASSIGN: &str = "Assign to end user…";
/// The button that gives to a customer.
pub const GIVE: &str = "Give to customer…";
/// The button that hangs below a meter.
pub const HANG: &str = "Hang below a meter…";
/// The button that sets maintenance.
pub const MAINTENANCE: &str = "Maintenance…";
/// The button that ends maintenance.
pub const AUTO: &str = "Automatic status…";
/// The button that deletes.
pub const DELETE: &str = "Delete…";

/// How many devices there are.
pub fn found(total: u64) -> String {
    match total {
        1 => "1 meter.".into(),
        _ => format!("{total} meters."),
    }
}

/// The order of the list.
pub const fn order(order: DeviceOrder) -> &'static str {
    match (order.by, order.is_descending) {
        (DeviceSort::Created, true) => "Newest first.",
        (DeviceSort::Created, false) => "Oldest first.",
        (DeviceSort::Name, false) => "By name.",
        (DeviceSort::Name, true) => "By name, last ones first.",
        (DeviceSort::Eui, false) => "By EUI.",
        (DeviceSort::Eui, true) => "By EUI, highest first.",
        (DeviceSort::Customer, false) => "By customer.",
        (DeviceSort::Customer, true) => "By customer, last ones first.",
        (DeviceSort::Battery, false) => "Lowest battery first.",
        (DeviceSort::Battery, true) => "Highest battery first.",
        (DeviceSort::LastReading, true) => "Latest reading first.",
        (DeviceSort::LastReading, false) => "Earliest reading first.",
    }
}

/// A status as it is read.
pub const fn status(status: Status) -> &'static str {
    match status {
        Status::Online => ONLINE,
        Status::Offline => OFFLINE,
        Status::Maintenance => IN_MAINTENANCE,
    }
}

/// A field of the filter that means nothing.
pub fn misunderstood(field: &str, reason: &str) -> String {
    format!("The filter cannot be read: {field} {reason}.")
}
