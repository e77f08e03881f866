//! What tests do with devices, and with those whom devices belong to.

use http::Method;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer};

use super::{CUSTOMERS, DEVICES, END_USERS, REGISTER, eui, meter, with};

/// The path of a device.
pub fn at(device: &str) -> String {
    format!("{DEVICES}/{device}")
}

/// The id of a thing.
pub fn id(thing: &Value) -> String {
    thing["id"].as_str().expect("an id").to_owned()
}

/// A device as a lookup shows it, but for its position: that is shown in lookups and lists alone.
pub async fn look(actor: &Actor, device: &str) -> Value {
    let mut shown = actor.get(&at(device)).await.ok();
    let fields = shown.as_object_mut().unwrap();
    for coordinate in ["latitude", "longitude", "altitude"] {
        fields.remove(coordinate).unwrap();
    }
    shown
}

pub async fn delete(actor: &Actor, device: &str) -> Answer {
    actor.delete(&at(device)).await
}

pub async fn restore(actor: &Actor, device: &str) -> Answer {
    actor.ask(Method::PUT, &(at(device) + "/restore")).await
}

/// Registers the device with that number below another one, and returns its id.
pub async fn below(actor: &Actor, number: usize, parent: &str) -> String {
    let body = with(meter(&eui(number)), "/parent_device_id", json!(parent));
    id(&actor.post(REGISTER, body).await.ok())
}

/// Registers a chain of devices, each below the one before it.
pub async fn chain(actor: &Actor, from: usize, length: usize) -> Vec<String> {
    let mut chain = vec![actor.register(&eui(from)).await];
    for number in from + 1..from + length {
        chain.push(below(actor, number, &chain[chain.len() - 1]).await);
    }
    chain
}

pub async fn set_parent(actor: &Actor, device: &str, parent: impl Into<Value>) -> Answer {
    actor.put(&(at(device) + "/parent"), json!({ "parent_device_id": parent.into() })).await
}

/// Creates a customer and returns its id.
pub async fn customer(actor: &Actor, name: &str) -> String {
    id(&actor.post(CUSTOMERS, json!({ "name": name })).await.ok())
}

/// Creates an end user of a customer, or of none, and returns its id.
pub async fn end_user(actor: &Actor, name: &str, customer: Option<&str>) -> String {
    let email = format!("{}@example.org", name.to_lowercase());
    let body = json!({ "name": name, "email": email, "customer_id": customer });
    id(&actor.post(END_USERS, body).await.ok())
}

/// Assigns a device to an end user, or to nobody, and returns it.
pub async fn assign(actor: &Actor, device: &str, end_user: Option<&str>) -> Value {
    actor.put(&(at(device) + "/assign"), json!({ "end_user_id": end_user })).await.ok()
}

/// Gives a device to a customer and returns it.
pub async fn give(actor: &Actor, device: &str, customer: &str) -> Value {
    actor.put(&(at(device) + "/assign-customer"), json!({ "customer_id": customer })).await.ok()
}

/// The ownership history of a device.
pub async fn ownership(actor: &Actor, device: &str) -> Vec<Value> {
    let records = actor.get(&(at(device) + "/ownership-history")).await.ok();
    records.as_array().expect("records").clone()
}
