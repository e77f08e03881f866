//! Orders of lists of devices, as terms of statements.

use weir_store::{DeviceOrder, DeviceSort};

use super::select;

/// An order, as statements have it.
pub(super) struct Terms {
    /// What devices are ordered by.
    pub order: String,
    /// What that needs to be joined with them.
    pub joins: &'static str,
}

/// The terms of an order.
pub(super) fn terms(order: DeviceOrder) -> Terms {
    let way = if order.is_descending { "DESC" } else { "ASC" };
    let newest = "device.created_at DESC, device.id DESC";
    let order_by = match order.by {
        DeviceSort::Created => format!("device.created_at {way}, device.id {way}"),
        DeviceSort::Name => format!("lowercase(device.name) {way}, {newest}"),
        // Numbers of 64 bits are kept as signed ones.
        DeviceSort::Eui => format!("device.eui < 0 {way}, device.eui {way}, {newest}"),
        DeviceSort::Customer => format!("lowercase(customer.name) {way} NULLS LAST, {newest}"),
        DeviceSort::Battery => format!("device.battery_uv {way} NULLS LAST, {newest}"),
        DeviceSort::LastReading => format!("device.last_reading_at {way} NULLS LAST, {newest}"),
    };
    let joins = if order.by == DeviceSort::Customer { select::JOINS } else { "" };
    Terms { order: order_by, joins }
}
