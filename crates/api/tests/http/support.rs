//! What the tests share: paths, bodies, and ways to spoil them.

mod belongings;
mod document;
mod fleet;

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};
use weir_app::resellers::NewReseller;
use weir_domain::Name;

pub use belongings::{Belongings, look_at_all};
pub use document::{Operation, operations, schemas, unnamed};
pub use fleet::*;

/// Where devices are registered.
pub const REGISTER: &str = "/api/v1/devices/register";
/// Where devices are listed.
pub const DEVICES: &str = "/api/v1/devices";
/// Where uplinks are posted.
pub const INGEST: &str = "/api/v1/ingest/water-consumption";
/// Where EUIs are listed that are not registered.
pub const UNREGISTERED: &str = "/api/v1/unregistered-devices";

/// Where customers are listed and created.
pub const CUSTOMERS: &str = "/api/v1/customers";
/// Where end users are listed and created.
pub const END_USERS: &str = "/api/v1/end-users";

/// Where members are listed and added.
pub const MEMBERS: &str = "/api/v1/members";

/// Someone who issues tokens.
pub const ISSUER: &str = "https://id.example.org";

/// A UUID that nothing has.
pub const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// An EUI for tests that need one.
pub const EUI: &str = "70b3d57ed02a3654";

/// The EUI with that number.
pub fn eui(number: usize) -> String {
    format!("70b3d57e{number:08x}")
}

pub const fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

pub const fn hours(count: u64) -> Duration {
    Duration::from_secs(count * 60 * 60)
}

pub const fn days(count: u64) -> Duration {
    hours(count * 24)
}

/// A name that is one.
pub fn name(text: &str) -> Name {
    Name::parse(text).expect("a name")
}

/// A reseller of whom nothing is said but its name.
pub fn reseller(called: &str) -> NewReseller {
    NewReseller {
        name: name(called),
        aliases: Vec::new(),
        tier: None,
        monthly_quota: None,
        timezone: None,
    }
}

/// The body that registers a device.
pub fn meter(dev_eui: &str) -> Value {
    json!({ "dev_eui": dev_eui, "name": "Main meter", "device_type": "water_meter" })
}

/// The body with the value at this pointer (`/a/b`) put in, or taken away.
pub fn with(mut body: Value, pointer: &str, value: impl Into<Option<Value>>) -> Value {
    let (around, key) = pointer.rsplit_once('/').expect("a pointer");
    let around = body.pointer_mut(around).and_then(Value::as_object_mut).expect("an object");
    match value.into() {
        Some(value) => around.insert(key.to_owned(), value),
        None => around.remove(key),
    };
    body
}

/// The body without the value at this pointer.
pub fn without(body: Value, pointer: &str) -> Value {
    with(body, pointer, None)
}

/// One field of every thing in a list.
pub fn each(list: &Value, field: &str) -> Vec<Value> {
    things(list).map(|thing| thing[field].clone()).collect()
}

/// The same, where it is text.
pub fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    things(list).map(|thing| thing[field].as_str().expect("text")).collect()
}

/// The same, where it is a number.
pub fn numbers(list: &Value, field: &str) -> Vec<f64> {
    things(list).map(|thing| thing[field].as_f64().expect("a number")).collect()
}

fn things(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().expect("a list").iter()
}

/// The names of an object's fields.
pub fn keys(object: &Value) -> BTreeSet<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A set of names, to compare with [`keys`].
pub fn names<'a>(names: impl IntoIterator<Item = &'a &'a str>) -> BTreeSet<&'a str> {
    names.into_iter().copied().collect()
}
