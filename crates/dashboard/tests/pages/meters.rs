//! Meters for tests of their pages.

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp, chirpstack};

/// A name that must never be taken for more than a text.
pub const HOSTILE: &str = "<script>alert('m')</script>";

/// How that name is written on a page.
pub const ESCAPED: &str = "&#60;script&#62;alert(&#39;m&#39;)&#60;/script&#62;";

/// The EUI with that number.
pub fn eui(number: usize) -> String {
    format!("70b3d57e{number:08x}")
}

/// A reseller, one of its members who may change things, and one who may not.
pub async fn acme(app: &TestApp) -> (Actor, Actor, Actor) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let vera = app.visitor(&acme, "vera@example.org", Role::Viewer).await;
    (acme, ada, vera)
}

/// Registers a meter of that number and returns its id.
pub async fn meter(of: &Actor, number: usize, name: &str) -> String {
    registered(of, json!({ "dev_eui": eui(number), "name": name })).await
}

/// Registers a principal meter, or one below another one.
pub async fn principal(of: &Actor, number: usize, name: &str) -> String {
    registered(of, json!({ "dev_eui": eui(number), "name": name, "is_principal": true })).await
}

/// Registers a meter below another one.
pub async fn below(of: &Actor, parent: &str, number: usize, name: &str) -> String {
    let body = json!({ "dev_eui": eui(number), "name": name, "parent_device_id": parent });
    registered(of, body).await
}

async fn registered(of: &Actor, mut body: Value) -> String {
    body["device_type"] = "water_meter".into();
    let device = of.post("/api/v1/devices/register", body).await.ok();
    device["id"].as_str().expect("an id").to_owned()
}

/// Sends a reading of the meter of that number, at that time of March 2026.
pub async fn reading(of: &Actor, number: usize, day: &str, cubic_metres: f64) {
    let time = format!("2026-03-{day}:00Z");
    of.ingest(chirpstack("Acme", &eui(number), &time, cubic_metres)).await.ok();
}

/// Creates an end user and returns their id.
pub async fn end_user(of: &Actor, name: &str) -> String {
    let created = of.post("/api/v1/end-users", json!({ "name": name })).await.ok();
    created["id"].as_str().expect("an id").to_owned()
}

/// Creates a customer and returns its id.
pub async fn customer(of: &Actor, name: &str) -> String {
    let created = of.post("/api/v1/customers", json!({ "name": name })).await.ok();
    created["id"].as_str().expect("an id").to_owned()
}

/// A device as the interface shows it.
pub async fn look(of: &Actor, id: &str) -> Value {
    of.get(&format!("/api/v1/devices/{id}")).await.ok()
}

/// Fails the test where a page lacks one of these.
#[track_caller]
pub fn shows(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(page.contains(part), "{part} is not on the page: {page}");
    }
}

/// Fails the test where a page has one of these.
#[track_caller]
pub fn hides(page: &str, parts: &[&str]) {
    for part in parts {
        assert!(!page.contains(part), "{part} is on the page: {page}");
    }
}
