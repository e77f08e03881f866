//! What the tests of operations share.

use axum::body::Body;
use http::Method;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer};

/// A UUID that nothing has.
pub const NOBODY: &str = "00000000-0000-7000-8000-000000000000";

/// The EUI of a device that stands for itself.
pub const EUI: &str = "70b3d57ed02a3654";

/// Puts JSON.
pub async fn put(actor: &Actor, path: &str, body: Value) -> Answer {
    let body = Body::from(body.to_string());
    actor.send(Method::PUT, path, Some("application/json"), body).await
}

/// Deletes.
pub async fn delete(actor: &Actor, path: &str) -> Answer {
    actor.ask(Method::DELETE, path).await
}

/// Creates a customer and returns its id.
pub async fn customer(actor: &Actor, name: &str) -> String {
    id(&actor.post("/api/v1/customers", json!({ "name": name })).await.ok())
}

/// Creates an end user of a customer, or of none, and returns its id.
pub async fn end_user(actor: &Actor, name: &str, customer: Option<&str>) -> String {
    let email = format!("{}@example.org", name.to_lowercase());
    let body = json!({ "name": name, "email": email, "customer_id": customer });
    id(&actor.post("/api/v1/end-users", body).await.ok())
}

/// Assigns a device to an end user, or to nobody, and returns it.
pub async fn assign(actor: &Actor, device: &str, end_user: Option<&str>) -> Value {
    let path = format!("/api/v1/devices/{device}/assign");
    put(actor, &path, json!({ "end_user_id": end_user })).await.ok()
}

/// The ownership history of a device.
pub async fn history(actor: &Actor, device: &str) -> Vec<Value> {
    let path = format!("/api/v1/devices/{device}/ownership-history");
    actor.get(&path).await.ok().as_array().unwrap().clone()
}

/// A device as a lookup shows it.
pub async fn device(actor: &Actor, device: &str) -> Value {
    actor.get(&format!("/api/v1/devices/{device}")).await.ok()
}

/// The id of a thing.
pub fn id(thing: &Value) -> String {
    thing["id"].as_str().expect("an id").to_owned()
}

/// The names of a thing's fields, sorted.
pub fn keys(thing: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = thing.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// One field of every thing of a list.
pub fn each(list: &Value, field: &str) -> Vec<String> {
    let text = |thing: &Value| thing[field].as_str().unwrap_or("null").to_owned();
    list.as_array().unwrap().iter().map(text).collect()
}
