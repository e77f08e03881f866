//! Filters of devices, as statements.

use rusqlite::types::Value;
use weir_domain::Timestamp;
use weir_domain::device::ONLINE_WINDOW;
use weir_store::{CustomerFilter, DeviceFilter, Page};

use super::select;

/// A statement, and the values it is run with.
type Query = (String, Vec<Value>);

/// A page of the devices that are meant.
pub(crate) fn page(filter: &DeviceFilter, page: Page) -> Query {
    let mut live = Live::of(filter);
    let (limit, offset) = (live.value(page.limit), live.value(crate::offset(page)));
    let Live { source, conditions, values } = live;
    let (columns, joins) = (select::COLUMNS, select::JOINS);
    let order = "ORDER BY device.created_at DESC, device.id DESC";
    let rest = format!("{order} LIMIT {limit} OFFSET {offset}");
    (format!("{columns} FROM {source} {joins} WHERE {conditions} {rest}"), values)
}

/// How many devices are meant.
pub(crate) fn count(filter: &DeviceFilter) -> Query {
    if *filter == DeviceFilter::default() {
        return (select::COUNT.to_owned(), Vec::new());
    }
    let Live { source, conditions, values } = Live::of(filter);
    // A join that nothing asks for would still be carried out for every device.
    let join = if filter.customers.is_empty() { "" } else { END_USER };
    (format!("SELECT count(*) FROM {source} {join} WHERE {conditions}"), values)
}

/// The counts of the devices of some customers.
pub(crate) fn stats(customers: &[CustomerFilter], new_since: Timestamp) -> Query {
    let mut live = Live::of_customers(customers);
    let since = live.value(new_since.micros());
    let Live { source, conditions, values } = live;
    let counts = format!(
        "count(*), count(*) FILTER (WHERE device.first_seen_at >= {since}),
         count(*) FILTER (WHERE {CUSTOMER} IS NULL),
         count(*) FILTER (WHERE device.end_user_id IS NULL)"
    );
    (format!("SELECT {counts} FROM {source} {END_USER} WHERE {conditions}"), values)
}

const END_USER: &str = "LEFT JOIN gate.end_user AS end_user ON end_user.id = device.end_user_id";

/// The effective customer of a device that is joined with its end user.
const CUSTOMER: &str = "coalesce(end_user.customer_id, device.customer_id)";

/// Live devices: where they come from, and the conditions that they have to meet.
struct Live {
    source: String,
    conditions: String,
    values: Vec<Value>,
}

impl Live {
    fn of(filter: &DeviceFilter) -> Self {
        let mut live = Self::of_customers(&filter.customers);
        if let Some(is_principal) = filter.is_principal {
            let value = live.value(is_principal);
            live.and(&format!("device.is_principal = {value}"));
        }
        if let Some(is_assigned) = filter.is_assigned {
            let value = live.value(is_assigned);
            live.and(&format!("(device.end_user_id IS NOT NULL) = {value}"));
        }
        if let Some(since) = filter.first_seen_since {
            let value = live.value(since.micros());
            live.and(&format!("device.first_seen_at >= {value}"));
        }
        if let Some((status, moment)) = filter.status {
            let word = live.value(status.as_str().to_owned());
            let silent_since = live.value(moment.minus(ONLINE_WINDOW).micros());
            live.and(&format!(
                "CASE WHEN device.status = 'online'
                           AND (device.last_seen_at > {silent_since}) IS NOT TRUE
                      THEN 'offline' ELSE device.status END = {word}"
            ));
        }
        if let Some(part) = &filter.search {
            let part = live.value(part.to_lowercase());
            live.and(&format!(
                "(instr(lowercase(device.dev_eui), {part}) > 0
                  OR instr(lowercase(device.device_name), {part}) > 0
                  OR instr(lowercase(device.name), {part}) > 0)"
            ));
        }
        live
    }

    /// Where a customer is named, its devices are found through those whose own it is and through its
    /// end users, which indexes have. Whether it is their effective one is a condition as any other.
    fn of_customers(customers: &[CustomerFilter]) -> Self {
        let mut live = Self {
            source: "gate.device AS device".to_owned(),
            conditions: "device.deleted_at IS NULL".to_owned(),
            values: Vec::new(),
        };
        for customer in customers {
            let CustomerFilter::Of(id) = customer else {
                live.and(&format!("{CUSTOMER} IS NULL"));
                continue;
            };
            let id = live.value(id.uuid().into_bytes().to_vec());
            live.and(&format!("{CUSTOMER} = {id}"));
            live.source = format!(
                "(SELECT own.key FROM gate.device AS own WHERE own.customer_id = {id}
                  UNION
                  SELECT assigned.key FROM gate.end_user AS owner
                  CROSS JOIN gate.device AS assigned ON assigned.end_user_id = owner.id
                  WHERE owner.customer_id = {id}) AS found
                 CROSS JOIN gate.device AS device ON device.key = found.key"
            );
        }
        live
    }

    fn and(&mut self, condition: &str) {
        self.conditions.push_str(" AND ");
        self.conditions.push_str(condition);
    }

    /// Takes a value, and says how the statement names it.
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }
}
