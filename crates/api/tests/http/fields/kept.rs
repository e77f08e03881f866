//! Values at their limits come back as they went in, from both stores.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use super::values::{emails_that_fit, names_that_fit};
use crate::support::*;

on_both_stores!(
    of_customers,
    of_end_users,
    of_devices,
    of_devices_that_are_registered_with_a_prefix,
    searches_take_every_character_as_itself,
);

/// Fails the test where a thing does not show what was said of it.
#[track_caller]
fn assert_kept(shown: &Value, said: &Value) {
    for (field, said) in said.as_object().unwrap() {
        let kept = match (field.as_str(), said.as_str()) {
            ("name" | "device_name", Some(name)) => json!(name.trim()),
            _ => said.clone(),
        };
        assert_eq!(shown[field], kept, "{field}");
    }
}

async fn of_customers(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let customer = format!("{CUSTOMERS}/{}", customer(&acme, "North").await);
    for name in names_that_fit() {
        let whole = json!({
            "name": name,
            "email": emails_that_fit()[2],
            "phone": "💧".repeat(64),
            "address": "\u{1f4a7}\n".repeat(250),
            "timezone": "America/Argentina/Buenos_Aires",
        });
        let created = acme.post(CUSTOMERS, whole.clone()).await.ok();
        let created = acme.get(&format!("{CUSTOMERS}/{}", id(&created))).await.ok();
        assert_kept(&created, &whole);
        acme.put(&customer, whole.clone()).await.ok();
        assert_kept(&acme.get(&customer).await.ok(), &whole);
    }
}

async fn of_end_users(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let ada = format!("{END_USERS}/{}", end_user(&acme, "Ada", None).await);
    for (name, email) in names_that_fit().into_iter().zip(emails_that_fit()) {
        let whole = json!({ "name": name, "email": email, "customer_id": north });
        let created = acme.post(END_USERS, whole.clone()).await.ok();
        let created = acme.get(&format!("{END_USERS}/{}", id(&created))).await.ok();
        assert_kept(&created, &whole);
        acme.put(&ada, whole.clone()).await.ok();
        assert_kept(&acme.get(&ada).await.ok(), &whole);
    }
}

async fn of_devices(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.register(EUI).await;
    for name in names_that_fit() {
        let whole = json!({ "name": name, "device_name": name, "is_principal": true });
        acme.put(&at(&device), whole.clone()).await.ok();
        assert_kept(&look(&acme, &device).await, &whole);
    }
}

async fn of_devices_that_are_registered_with_a_prefix(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let path = format!("{CUSTOMERS}/{north}/register-unregistered-devices");
    for (number, (prefix, name)) in [
        ("".to_owned(), "from-chirpstack".to_owned()),
        ("  ".into(), "from-chirpstack".into()),
        ("💧".repeat(240), "💧".repeat(240) + "from-chirpstack"),
        ("💧".repeat(241), "💧".repeat(241) + "from-chirpstac"),
        ("💧".repeat(255), "💧".repeat(255)),
    ]
    .into_iter()
    .enumerate()
    {
        let uplink = chirpstack("Acme", &eui(number), &app.clock.ago(hours(1)), 1.0);
        acme.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
        let body = json!({ "dev_euis": [eui(number)], "name_prefix": prefix });
        let registered = acme.post(&path, body).await.ok();
        assert_eq!(registered["devices"][0]["name"], name);
        assert_eq!(look(&acme, &eui(number)).await["name"], name);
    }
}

async fn searches_take_every_character_as_itself(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let names =
        ["100%", "a_b", "back\\slash", "it's", "\"quoted\"", "[x]", "50 * 2?", "ÄÖÜ", "axb"];
    for (number, name) in names.iter().enumerate() {
        acme.post(REGISTER, with(meter(&eui(number)), "/name", json!(name))).await.ok();
        customer(&acme, name).await;
        acme.post(END_USERS, json!({ "name": name })).await.ok();
    }
    for (query, found) in [
        ("%25", vec!["100%"]),
        ("_", vec!["a_b"]),
        ("a_b", vec!["a_b"]),
        ("%5C", vec!["back\\slash"]),
        ("'", vec!["it's"]),
        ("%22", vec!["\"quoted\""]),
        ("[", vec!["[x]"]),
        ("*", vec!["50 * 2?"]),
        ("%3F", vec!["50 * 2?"]),
        ("%C3%A4%C3%B6", vec!["ÄÖÜ"]),
        ("AXB", vec!["axb"]),
        ("%25%25", vec![]),
    ] {
        for path in [DEVICES, CUSTOMERS, END_USERS] {
            let listed = acme.get(&format!("{path}?search={query}")).await.ok();
            assert_eq!(texts(&listed, "name"), found, "{path} {query}");
        }
    }
}
