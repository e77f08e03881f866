//! Orders of lists of devices, as terms of statements.

use weir_store::{DeviceOrder, DeviceSort};

use crate::filter::folded;

/// An order, as statements have it.
pub(super) struct Terms {
    /// Of all devices, of which a page is to be found.
    pub all: String,
    /// What that needs to be joined with devices.
    pub joins: &'static str,
    /// Of the devices of a page, with their customers.
    pub page: String,
}

/// The places of customers among each other: their names are folded once, and not with each device.
const PLACES: &str = concat!(
    "LEFT JOIN (SELECT id, dense_rank() OVER (ORDER BY ",
    folded!("name"),
    ") AS number FROM customer WHERE reseller_id = $1) place ON place.id = d.effective_customer_id"
);

/// The terms of an order.
pub(super) fn terms(order: DeviceOrder) -> Terms {
    let way = if order.is_descending { "DESC" } else { "ASC" };
    let newest = "d.created_at DESC, d.id DESC";
    let of = |first: String| Terms {
        all: format!("{first}, {newest}"),
        joins: "",
        page: format!("{first}, {newest}"),
    };
    match order.by {
        DeviceSort::Created => {
            let order = format!("d.created_at {way}, d.id {way}");
            Terms { all: order.clone(), joins: "", page: order }
        }
        DeviceSort::Name => of(format!("{} {way}", folded!("d.name"))),
        // Numbers of 64 bits are kept as signed ones.
        DeviceSort::Eui => of(format!("d.eui < 0 {way}, d.eui {way}")),
        DeviceSort::Customer => Terms {
            all: format!("place.number {way} NULLS LAST, {newest}"),
            joins: PLACES,
            ..of(format!("{} {way} NULLS LAST", folded!("c.name")))
        },
        DeviceSort::Battery => of(format!("d.battery_uv {way} NULLS LAST")),
        DeviceSort::LastReading => of(format!("d.last_reading_at {way} NULLS LAST")),
    }
}
