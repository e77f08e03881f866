//! Filters of devices, as conditions of a statement.

use tokio_postgres::types::Type;
use uuid::Uuid;
use weir_domain::device::ONLINE_WINDOW;
use weir_domain::{Status, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, Page};

use super::select::select_devices;
use crate::filter::{Conditions, folded};

/// A page of the devices that are meant.
pub(super) fn page(conditions: &Conditions<'_>, page: Page) -> String {
    let (select, meant) = (select_devices!(""), conditions.sql());
    let (limit, offset) = (page.limit, crate::offset(page));
    format!("{select}{meant} ORDER BY d.created_at DESC, d.id DESC LIMIT {limit} OFFSET {offset}")
}

/// How many devices are meant.
pub(super) fn count(conditions: &Conditions<'_>) -> String {
    format!("SELECT count(*) {OWNED} WHERE d.reseller_id = $1 AND {}", conditions.sql())
}

/// The counts of the devices that are meant.
pub(super) fn stats(conditions: &mut Conditions<'_>, new_since: Timestamp) -> String {
    let since = conditions.bind(new_since.micros(), Type::INT8);
    format!(
        "SELECT count(*), count(*) FILTER (WHERE d.first_seen_at >= {since}),
             count(*) FILTER (WHERE {CUSTOMER} IS NULL),
             count(*) FILTER (WHERE d.end_user_id IS NULL)
         {OWNED} WHERE d.reseller_id = $1 AND {}",
        conditions.sql()
    )
}

/// Devices with their end users. The server leaves out a join that nothing asks for.
const OWNED: &str =
    "FROM device d LEFT JOIN end_user u ON u.reseller_id = d.reseller_id AND u.id = d.end_user_id";

/// The effective customer of a device that is joined with its end user.
const CUSTOMER: &str = "coalesce(u.customer_id, d.customer_id)";

/// Live devices of these customers.
pub(super) fn of_customers<'f>(reseller: Uuid, customers: &[CustomerFilter]) -> Conditions<'f> {
    let mut conditions = Conditions::of(reseller, "d.deleted_at IS NULL");
    customers.iter().for_each(|customer| hold_customer(&mut conditions, *customer));
    conditions
}

/// Live devices that a filter means.
pub(super) fn meant(reseller: Uuid, filter: &DeviceFilter) -> Conditions<'_> {
    let mut conditions = of_customers(reseller, &filter.customers);
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
        let texts = ["lower(d.dev_eui)", folded!("d.device_name"), folded!("d.name")];
        conditions.search(part, &texts);
    }
    conditions
}

/// The devices of a customer are found through its own and through its end users', which indexes
/// have; then their effective customer is looked at.
fn hold_customer(conditions: &mut Conditions<'_>, customer: CustomerFilter) {
    let CustomerFilter::Of(id) = customer else {
        return conditions.hold("d.customer_id IS NULL AND u.customer_id IS NULL");
    };
    let id = conditions.bind(id.uuid(), Type::UUID);
    conditions.hold(&format!(
        "d.key IN (
             SELECT own.key FROM device own
             WHERE own.reseller_id = $1 AND own.customer_id = {id}
             UNION ALL
             SELECT assigned.key FROM end_user owner
             JOIN device assigned ON assigned.reseller_id = $1 AND assigned.end_user_id = owner.id
             WHERE owner.reseller_id = $1 AND owner.customer_id = {id})
         AND {CUSTOMER} = {id}"
    ));
}

/// The words stand in the statement, where the index of the few in maintenance is found by them.
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
