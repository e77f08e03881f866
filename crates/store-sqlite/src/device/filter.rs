//! Filters of devices, as statements.

use rusqlite::types::Value;
use weir_domain::device::ONLINE_WINDOW;
use weir_domain::name::fold;
use weir_domain::{CustomerId, Status, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, DeviceOrder, DeviceSort, Page};

use super::order::{self, Terms};
use super::select;
use crate::fleet_count::{self, NOBODY};

/// A statement, and the values it is run with.
type Query = (String, Vec<Value>);

/// A page of the devices that are meant. Where an index knows all that is asked for, or where there is
/// no index in that order, devices are found first, so that those before the page are not looked at, or
/// that no more of them is sorted than has to be.
pub(crate) fn page(filter: &DeviceFilter, order: DeviceOrder, page: Page) -> Query {
    let mut live = Conditions::of_devices(filter);
    let is_sorted = order.by != DeviceSort::Created;
    if is_sorted && may_mean_many(filter) {
        live.and(BY_AGE);
    }
    let (limit, offset) = (live.value(page.limit), live.value(crate::offset(page)));
    let Conditions { text, values } = live;
    let (columns, joins) = (select::COLUMNS, select::JOINS);
    let Terms { order, joins: beside } = order::terms(order);
    let meant = format!("WHERE {text} ORDER BY {order} LIMIT {limit} OFFSET {offset}");
    let DeviceFilter { is_principal, is_assigned, search, status, .. } = filter;
    let is_indexed =
        is_principal.or(*is_assigned).is_none() && search.is_none() && status.is_none();
    if !is_indexed && !is_sorted {
        return (format!("{columns} FROM gate.device AS device {joins} {meant}"), values);
    }
    let found = format!("SELECT device.key FROM gate.device AS device {beside} {meant}");
    let device = "gate.device AS device ON device.key = found.key";
    let from = format!("({found}) AS found CROSS JOIN {device} {joins}");
    (format!("{columns} FROM {from} ORDER BY {order}"), values)
}

/// Always true, and it brings SQLite to look at the devices in the order of their age, in which they
/// lie in the file more or less. Left to itself it took several times as long.
const BY_AGE: &str = "device.created_at >= -9223372036854775808";

/// Whether devices are asked for of which there may be many, and not those that an index holds by
/// customer or by when they were first seen.
fn may_mean_many(filter: &DeviceFilter) -> bool {
    filter.customers.is_empty() && filter.first_seen_since.is_none()
}

/// How many devices are meant.
pub(crate) fn count(filter: &DeviceFilter) -> Query {
    let DeviceFilter { first_seen_since, search, status, .. } = filter;
    if first_seen_since.is_none() && search.is_none() {
        return match status {
            Some((status, moment)) => count_of_status(filter, *status, *moment),
            None => {
                let Conditions { text, values } = Conditions::of_counts(filter);
                (format!("{COUNTED} WHERE {text}"), values)
            }
        };
    }
    let mut live = Conditions::of_devices(filter);
    if first_seen_since.is_none() {
        live.and(BY_AGE);
    }
    let Conditions { text, values } = live;
    (format!("SELECT count(*) FROM gate.device AS device WHERE {text}"), values)
}

const COUNTED: &str = "SELECT coalesce(sum(devices), 0) FROM gate.fleet_count";

/// How many devices of a status are meant, by kinds alone. Those that are not online are counted, for
/// there are fewer of them; the rest is online.
fn count_of_status(filter: &DeviceFilter, status: Status, moment: Timestamp) -> Query {
    let of_any = DeviceFilter { status: None, ..filter.clone() };
    let mut live = Conditions::of_devices(&of_any);
    let count = format!("SELECT count(*) FROM gate.device AS device WHERE {}", live.text);
    let not_online =
        |word: &str| format!("({count} AND {NOT_ONLINE} AND device.status = '{word}')");
    let maintenance = not_online("maintenance");
    if status == Status::Maintenance {
        return (format!("SELECT {maintenance}"), live.values);
    }
    let since = live.value(moment.minus(ONLINE_WINDOW).micros());
    let silent = format!(
        "({count} AND device.status = 'online' AND device.seen_mark <= {since}
              AND (device.last_seen_at > {since}) IS NOT TRUE)"
    );
    let offline = format!("{} + {silent}", not_online("offline"));
    if status == Status::Offline {
        return (format!("SELECT {offline}"), live.values);
    }
    // Both name the same customers in the same order.
    let Conditions { text: counted, .. } = Conditions::of_counts(&of_any);
    let sql = format!("SELECT ({COUNTED} WHERE {counted}) - {maintenance} - ({offline})");
    (sql, live.values)
}

/// What the index of those that are not online is found by.
const NOT_ONLINE: &str = "device.status <> 'online'";

/// The counts of the devices of some customers.
pub(crate) fn stats(customers: &[CustomerFilter], new_since: Timestamp) -> Query {
    let filter = DeviceFilter { customers: customers.to_vec(), ..DeviceFilter::default() };
    let mut new = Conditions::of_devices(&filter);
    let since = new.value(new_since.micros());
    // The values of both are the same customers in the same order.
    let Conditions { text: counted, .. } = Conditions::of_counts(&filter);
    let Conditions { text: new, values } = new;
    let sql = format!(
        "SELECT coalesce(sum(devices), 0),
                (SELECT count(*) FROM gate.device AS device
                 WHERE {new} AND device.first_seen_at >= {since}),
                coalesce(sum(devices) FILTER (WHERE customer_id = {NOBODY}), 0),
                coalesce(sum(devices) FILTER (WHERE is_assigned = 0), 0)
         FROM gate.fleet_count WHERE {counted}"
    );
    (sql, values)
}

/// What has to hold, and the values that it names.
struct Conditions {
    text: String,
    values: Vec<Value>,
}

impl Conditions {
    /// What has to hold of a device. Indexes hold devices of one kind: they are found by conditions
    /// that are written out.
    fn of_devices(filter: &DeviceFilter) -> Self {
        let mut live = Self { text: "device.deleted_at IS NULL".to_owned(), values: Vec::new() };
        for customer in &filter.customers {
            match customer {
                CustomerFilter::Unassociated => live.and("device.effective_customer_id IS NULL"),
                CustomerFilter::Of(id) => {
                    let id = live.value(id.uuid().into_bytes().to_vec());
                    live.and(&format!("device.effective_customer_id = {id}"));
                }
            }
        }
        match filter.is_principal {
            Some(true) => live.and("device.is_principal = 1"),
            Some(false) => live.and("device.is_principal = 0"),
            None => {}
        }
        // Of two kinds, the principal ones are the fewer: a `+` keeps SQLite from the other's index.
        let plus = if filter.is_principal == Some(true) { "+" } else { "" };
        match filter.is_assigned {
            Some(true) => live.and(&format!("{plus}device.end_user_id IS NOT NULL")),
            Some(false) => live.and(&format!("{plus}device.end_user_id IS NULL")),
            None => {}
        }
        if let Some(since) = filter.first_seen_since {
            let value = live.value(since.micros());
            live.and(&format!("device.first_seen_at >= {value}"));
        }
        if let Some((Status::Maintenance, _)) = filter.status {
            live.and(&format!("{NOT_ONLINE} AND device.status = 'maintenance'"));
        } else if let Some((status, moment)) = filter.status {
            let word = live.value(status.as_str().to_owned());
            let silent_since = live.value(moment.minus(ONLINE_WINDOW).micros());
            live.and(&format!(
                "CASE WHEN device.status = 'online'
                           AND (device.last_seen_at > {silent_since}) IS NOT TRUE
                      THEN 'offline' ELSE device.status END = {word}"
            ));
        }
        if let Some(part) = &filter.search {
            let part = live.value(fold(part));
            live.and(&format!(
                "(contains_folded(device.dev_eui, {part})
                  OR contains_folded(device.device_name, {part})
                  OR contains_folded(device.name, {part}))"
            ));
        }
        live
    }

    /// What has to hold of a count, as far as devices are counted by it.
    fn of_counts(filter: &DeviceFilter) -> Self {
        let mut counted = Self { text: "TRUE".to_owned(), values: Vec::new() };
        for customer in &filter.customers {
            let value = |id: CustomerId| counted.value(id.uuid().into_bytes().to_vec());
            let condition = fleet_count::condition(customer, value);
            counted.and(&condition);
        }
        if let Some(is_principal) = filter.is_principal {
            counted.and(&format!("is_principal = {}", u8::from(is_principal)));
        }
        if let Some(is_assigned) = filter.is_assigned {
            counted.and(&format!("is_assigned = {}", u8::from(is_assigned)));
        }
        counted
    }

    fn and(&mut self, condition: &str) {
        self.text.push_str(" AND ");
        self.text.push_str(condition);
    }

    /// Takes a value, and says how the statement names it.
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }
}
