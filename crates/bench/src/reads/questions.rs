//! What is asked: the requests whose answers are timed.
//!
//! To ask one more thing: a line in [`all`]. A question is a list of requests that are sent in turns,
//! so that it is not the same row which is fast.

use super::expected::{Expected, PAGE};
use super::loading::Loaded;
use crate::fleet::{Fleet, Meter, Owner};
use crate::store::Kind;

/// How many of the first pages are asked for in turns.
const FIRST_PAGES: u64 = 10;

/// How many devices are looked up in turns.
const LOOKUPS: u32 = 200;

/// Something that is asked over and over.
#[derive(Debug)]
pub struct Question {
    /// What it is called.
    pub name: String,
    /// What half of the answers are meant not to pass.
    pub aim: Option<Aim>,
    /// The requests.
    pub requests: Vec<Request>,
}

/// A request, and what its answer has to be.
#[derive(Debug)]
pub struct Request {
    /// Its path.
    pub path: String,
    /// What its answer has to be.
    pub expected: Expected,
}

/// A time in milliseconds that is meant to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// On SQLite.
    sqlite: f64,
    /// On PostgreSQL.
    postgres: f64,
}

impl Aim {
    /// That of a store.
    pub const fn on(self, kind: Kind) -> f64 {
        match kind {
            Kind::Sqlite => self.sqlite,
            Kind::Postgres => self.postgres,
        }
    }
}

/// Every question, to a service that knows this fleet.
pub fn all(loaded: &Loaded) -> Vec<Question> {
    let mut questions = pages(&loaded.fleet);
    questions.extend(pages_of_customers(loaded));
    questions.extend(counts(loaded));
    questions.extend(devices(loaded));
    questions
}

/// Pages of the list, with every filter that does not name a customer.
fn pages(fleet: &Fleet) -> Vec<Question> {
    let count = |is_meant: &dyn Fn(Meter) -> bool| {
        Some(fleet.meters().filter(|meter| is_meant(*meter)).count() as u64)
    };
    let is_assigned = |meter| matches!(fleet.owner(meter), Owner::EndUser(_));
    let is_silent = |meter: Meter| meter.is_silent() && !meter.is_in_maintenance();
    let is_heard = |meter: Meter| !meter.is_silent() && !meter.is_in_maintenance();
    let size = u64::from(fleet.size());
    let principal = count(&Meter::is_principal);
    // The last digits of an EUI in the middle; how many others have the same ones does not matter.
    let part = &Meter(fleet.size() / 2).eui().as_str()[10..].to_owned();
    vec![
        page("page of 50 with consumption", "", Some(size)).aiming(1.0, 3.0),
        page("  without consumption", "include_consumption=false", Some(size)),
        Question::one("  in the middle of the list", list("", size / 2, Some(size))),
        page("  is_principal=true", "is_principal=true", principal),
        page("  is_principal=false", "is_principal=false", principal.map(|count| size - count)),
        page("  user=assigned", "user=assigned", count(&is_assigned)),
        page("  user=unassigned", "user=unassigned", count(&|meter| !is_assigned(meter))),
        page("  first_seen=week", "first_seen=week", None),
        page("  first_seen=month", "first_seen=month", None),
        page("  status=online", "status=online", count(&is_heard)),
        page("  status=offline", "status=offline", count(&is_silent)),
        page("  status=maintenance", "status=maintenance", count(&Meter::is_in_maintenance)),
        page("  search, part of an EUI", &format!("search={part}"), None),
        page("  search, finds nothing", "search=nowhere", Some(0)),
        page(
            "  customer=unassociated",
            "customer=unassociated",
            count(&|meter| fleet.effective_customer(meter).is_none()),
        ),
    ]
}

/// The first pages of each customer's devices.
fn pages_of_customers(loaded: &Loaded) -> Vec<Question> {
    let of_each = |parameter: &str| {
        let requests = of_customers(loaded)
            .map(|(id, count)| list(&format!("{parameter}={id}"), 0, Some(count)));
        Question::new(&format!("  {parameter}=<uuid>"), requests.collect())
    };
    vec![of_each("customer"), of_each("customer_id")]
}

/// Statistics and billing.
fn counts(loaded: &Loaded) -> Vec<Question> {
    let fleet = &loaded.fleet;
    let request = |path: String, at, count: u64| {
        let expected = Expected::Count { at, within: count..=count };
        Request { path, expected }
    };
    let active = fleet.meters().filter(|meter| meter.is_active()).count() as u64;
    let stats = |query: String, count| {
        request(format!("/api/v1/devices/stats{query}"), "/data/total", count)
    };
    let of_each = of_customers(loaded).map(|(id, count)| stats(format!("?customer={id}"), count));
    let billing = request("/api/v1/reseller/billing".into(), "/data/active_devices", active);
    vec![
        Question::one("statistics", stats(String::new(), fleet.size().into())).aiming(2.0, 2.0),
        Question::new("statistics of a customer", of_each.collect()),
        Question::one("billing", billing),
    ]
}

/// What is asked of one device.
fn devices(loaded: &Loaded) -> Vec<Question> {
    let fleet = &loaded.fleet;
    // A year ago moves on until it is asked for: by a day at most, in days or in hours.
    let of_year = |name: &str, path: &str, at: &'static str, (most, aged): (u64, u64)| {
        let years = fleet.meters().filter(|meter| fleet.has_year(*meter));
        let requests = years.map(|meter| Request {
            path: format!("/api/v1/devices/{}/{path}", loaded.device(meter)),
            expected: Expected::Count { at, within: most - aged..=most },
        });
        Question::new(name, requests.collect())
    };
    let with_data = "/data/summary/days_with_data";
    let zone = "consumption-per-day?days=365&timezone=Pacific/Auckland";
    let step = (fleet.size() / LOOKUPS).max(1) as usize;
    let lookups = fleet.meters().step_by(step).map(|meter| Request {
        path: format!("/api/v1/devices/{}", meter.eui()),
        expected: Expected::Text { at: "/data/dev_eui", is: meter.eui().as_str().to_owned() },
    });
    vec![
        of_year("365 days per day", "consumption-per-day?days=365", with_data, (365, 1))
            .aiming(1.0, 1.0),
        of_year("  of another time zone", zone, with_data, (365, 1)),
        of_year("one year of history", "consumption?days=365", "/data", (365 * 24, 24)),
        Question::new("a device by its EUI", lookups.collect()),
    ]
}

/// Each customer's id and how many devices it has.
fn of_customers(loaded: &Loaded) -> impl Iterator<Item = (String, u64)> {
    let fleet = &loaded.fleet;
    let mut counts = vec![0; loaded.customers.len()];
    for customer in fleet.meters().filter_map(|meter| fleet.effective_customer(meter)) {
        counts[customer as usize] += 1;
    }
    loaded.customers.iter().map(ToString::to_string).zip(counts)
}

/// The first pages of the devices that a query means.
fn page(name: &str, query: &str, total: Option<u64>) -> Question {
    let offsets = (0..FIRST_PAGES).map(|number| number * PAGE);
    let is_there = |offset: &u64| *offset == 0 || total.is_none_or(|total| *offset < total);
    let requests = offsets.filter(is_there).map(|offset| list(query, offset, total));
    Question::new(name, requests.collect())
}

fn list(query: &str, offset: u64, total: Option<u64>) -> Request {
    let separator = if query.is_empty() { "" } else { "&" };
    let path = format!("/api/v1/devices?{query}{separator}limit={PAGE}&offset={offset}");
    Request { path, expected: Expected::Page { offset, total } }
}

impl Question {
    fn new(name: &str, requests: Vec<Request>) -> Self {
        Self { name: name.to_owned(), aim: None, requests }
    }

    fn one(name: &str, request: Request) -> Self {
        Self::new(name, vec![request])
    }

    fn aiming(self, sqlite: f64, postgres: f64) -> Self {
        Self { aim: Some(Aim { sqlite, postgres }), ..self }
    }
}
