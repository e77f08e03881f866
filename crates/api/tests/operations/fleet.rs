//! Devices, as tests speak of them.

use axum::body::Body;
use http::Method;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer};

pub use crate::support::{device as look, put};

pub async fn patch(actor: &Actor, path: &str, body: Value) -> Answer {
    let body = Body::from(body.to_string());
    actor.send(Method::PATCH, path, Some("application/json"), body).await
}

pub async fn delete(actor: &Actor, id: &str) -> Answer {
    actor.ask(Method::DELETE, &at(id)).await
}

pub async fn restore(actor: &Actor, id: &str) -> Answer {
    actor.ask(Method::PUT, &(at(id) + "/restore")).await
}

/// The path of a device.
pub fn at(id: &str) -> String {
    format!("/api/v1/devices/{id}")
}

pub fn eui(n: usize) -> String {
    format!("{n:016x}")
}

/// Registers a device below another one.
pub async fn below(actor: &Actor, n: usize, parent: &str) -> String {
    let meter = json!({
        "dev_eui": eui(n),
        "name": format!("Meter {n}"),
        "device_type": "water_meter",
        "parent_device_id": parent,
    });
    let data = actor.post("/api/v1/devices/register", meter).await.ok();
    data["id"].as_str().expect("an id").to_owned()
}

/// Registers a chain of devices, each below the one before it.
pub async fn chain(actor: &Actor, from: usize, length: usize) -> Vec<String> {
    let mut chain = vec![actor.register(&eui(from)).await];
    for n in from + 1..from + length {
        chain.push(below(actor, n, &chain[chain.len() - 1]).await);
    }
    chain
}

pub async fn set_parent(actor: &Actor, id: &str, parent: impl Into<Value>) -> Answer {
    put(actor, &(at(id) + "/parent"), json!({ "parent_device_id": parent.into() })).await
}

/// The values of one field.
pub fn each(list: &Value, field: &str) -> Vec<Value> {
    let list = list.as_array().expect("a list");
    list.iter().map(|item| item[field].clone()).collect()
}
