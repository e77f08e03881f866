//! Filters of devices, as conditions of a statement.

use tokio_postgres::types::Type;
use uuid::Uuid;
use weir_domain::device::ONLINE_WINDOW;
use weir_domain::{Status, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, DeviceOrder, DeviceSort, Page};

use super::order::{self, Terms};
use super::select::select_devices;
use crate::filter::{Conditions, folded};

/// From where on a page is deep.
const DEEP: i64 = 500;

/// A page of the devices that are meant. Where it is deep they are found first, so that nothing more
/// is looked up of those before it; so they are where no index has them in that order, and all have to
/// be looked at.
pub(super) fn page(conditions: &Conditions<'_>, order: DeviceOrder, page: Page) -> String {
    let (limit, offset) = (page.limit, crate::offset(page));
    let is_sorted = order.by != DeviceSort::Created;
    let Terms { all, joins, page } = order::terms(order);
    let meant = format!("{} ORDER BY {all} LIMIT {limit} OFFSET {offset}", conditions.sql());
    if offset < DEEP && !is_sorted {
        return format!("{}{meant}", select_devices!(""));
    }
    let found = format!("SELECT d.id FROM device d {joins} WHERE d.reseller_id = $1 AND {meant}");
    format!("{}d.id IN ({found}) ORDER BY {page}", select_devices!(""))
}

/// How many devices are meant.
pub(super) fn count(conditions: &Conditions<'_>) -> String {
    format!("SELECT count(*) FROM device d WHERE d.reseller_id = $1 AND {}", conditions.sql())
}

/// How many live devices meet these conditions and show with another status than online at a moment:
/// those in maintenance, and those that are offline, among them the online ones that have fallen
/// silent.
pub(super) fn count_by_status(conditions: &mut Conditions<'_>, moment: Timestamp) -> String {
    let since = conditions.bind(moment.minus(ONLINE_WINDOW).micros(), Type::INT8);
    let meant = format!("FROM device d WHERE d.reseller_id = $1 AND {}", conditions.sql());
    format!(
        "SELECT (SELECT count(*) {meant} AND d.status = 'maintenance'),
             (SELECT count(*) {meant} AND d.status = 'offline')
             + (SELECT count(*) {meant} AND d.status = 'online'
                AND d.seen_mark <= {since} AND (d.last_seen_at > {since}) IS NOT TRUE)"
    )
}

/// Live devices that a filter means.
pub(super) fn meant(reseller: Uuid, filter: &DeviceFilter) -> Conditions<'_> {
    let mut conditions = Conditions::of(reseller, "d.deleted_at IS NULL");
    filter.customers.iter().for_each(|customer| hold_customer(&mut conditions, *customer));
    match filter.is_principal {
        Some(true) => conditions.hold("d.is_principal"),
        Some(false) => conditions.hold("NOT d.is_principal"),
        None => {}
    }
    match filter.is_assigned {
        Some(true) => conditions.hold("d.end_user_id IS NOT NULL"),
        Some(false) => conditions.hold("d.end_user_id IS NULL"),
        None => {}
    }
    if let Some(since) = filter.first_seen_since {
        let since = conditions.bind(since.micros(), Type::INT8);
        conditions.hold(&format!("d.first_seen_at >= {since}"));
    }
    if let Some((status, moment)) = filter.status {
        hold_status(&mut conditions, status, moment);
    }
    if let Some(part) = &filter.search {
        // An EUI is plain ASCII, which is lowercased alike and faster everywhere.
        let texts = ["lower(d.dev_eui COLLATE \"C\")", folded!("d.device_name"), folded!("d.name")];
        conditions.search(part, &texts);
    }
    conditions
}

fn hold_customer(conditions: &mut Conditions<'_>, customer: CustomerFilter) {
    match customer {
        CustomerFilter::Of(id) => {
            let id = conditions.bind(id.uuid(), Type::UUID);
            conditions.hold(&format!("d.effective_customer_id = {id}"));
        }
        CustomerFilter::Unassociated => conditions.hold("d.effective_customer_id IS NULL"),
    }
}

/// The words stand in the statement, where the index of those that are not online is found by them.
fn hold_status(conditions: &mut Conditions<'_>, status: Status, moment: Timestamp) {
    let mut silent_since = || conditions.bind(moment.minus(ONLINE_WINDOW).micros(), Type::INT8);
    let condition = match status {
        Status::Online => format!("d.status = 'online' AND d.last_seen_at > {}", silent_since()),
        Status::Offline => format!(
            "d.status = 'offline'
             OR d.status = 'online' AND (d.last_seen_at > {}) IS NOT TRUE",
            silent_since()
        ),
        Status::Maintenance => "d.status = 'maintenance'".to_owned(),
    };
    conditions.hold(&condition);
}
