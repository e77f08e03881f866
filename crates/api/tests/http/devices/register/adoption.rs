//! Registering an EUI that was heard before.

use serde_json::{Value, json};
use weir_testkit::app::{Actor, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use super::CORE;
use crate::support::*;

/// Three uplinks of an EUI that is not registered, over two hours, the last of them a late one.
async fn hear(app: &TestApp, acme: &Actor) {
    let located = with(
        chirpstack("Acme", EUI, &app.clock.ago(hours(5)), 1.0),
        "/object/latitude",
        json!(52.5),
    );
    acme.ingest(located).await.refused(404, "DEVICE_NOT_FOUND");
    app.clock.advance(hours(1));
    let newest = things_stack("acme", &EUI.to_uppercase(), &app.clock.ago(hours(1)), 3.0);
    acme.ingest(newest).await.refused(404, "DEVICE_NOT_FOUND");
    app.clock.advance(hours(1));
    let late = chirpstack("Acme", EUI, &app.clock.ago(hours(4)), 2.0);
    acme.ingest(late).await.refused(404, "DEVICE_NOT_FOUND");
}

fn adopting(adopt: bool) -> Value {
    with(meter(EUI), "/adopt_readings", json!(adopt))
}

/// The device and its history as they show after registering.
async fn registered(acme: &Actor, adopt: bool) -> (Value, Vec<f64>) {
    let device = acme.post(REGISTER, adopting(adopt)).await.ok();
    assert_eq!(keys(&device), names(CORE));
    assert_eq!(device["status"], "offline", "as registering always shows it");
    for empty in ["battery_level", "last_reading_at", "device_name"] {
        assert_eq!(device[empty], Value::Null, "{empty}");
    }
    let listed = acme.get(DEVICES).await.ok()[0].clone();
    let history = acme.get(&format!("{DEVICES}/{EUI}/consumption")).await.ok();
    (listed, numbers(&history, "consumption_m3"))
}

on_both_stores!(
    what_was_remembered_is_adopted_where_that_is_asked_for,
    what_was_remembered_is_forgotten_where_it_is_not,
    nothing_is_adopted_from_another_reseller_or_by_a_refused_request,
    adopting_nothing_is_no_error,
);

async fn what_was_remembered_is_adopted_where_that_is_asked_for(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let first_heard = app.clock.now().to_string();
    hear(&app, &acme).await;
    let (device, history) = registered(&acme, true).await;
    assert_eq!(history, [1.0, 2.0, 3.0]);
    assert_eq!(device["status"], "online");
    assert_eq!(device["device_name"], "from-chirpstack");
    assert_eq!(device["battery_level"], 3.5, "of the newest reading");
    assert_eq!(device["last_reading_at"], app.clock.ago(hours(2)));
    assert_eq!(device["first_seen_at"], first_heard);
    assert_eq!(device["last_seen_at"], app.clock.now().to_string());
    assert_eq!(device["message_count"], 3);
    assert_eq!(device["latitude"], 52.5);
    assert_eq!(device["last_consumption_m3"], 3.0);
    assert_eq!(device["consumption_trend"], json!([1.0, 2.0, 3.0]));
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
    let repeat = things_stack("acme", EUI, &app.clock.ago(hours(2)), 3.0);
    assert_eq!(acme.ingest(repeat).await.ok()["duplicate"], true, "adopted readings are known");
}

async fn what_was_remembered_is_forgotten_where_it_is_not(app: TestApp) {
    let acme = app.reseller("Acme").await;
    hear(&app, &acme).await;
    let (device, history) = registered(&acme, false).await;
    assert!(history.is_empty(), "{history:?}");
    assert_eq!(device["status"], "offline");
    assert_eq!(device["message_count"], 0);
    for empty in [
        "battery_level",
        "last_reading_at",
        "device_name",
        "first_seen_at",
        "last_seen_at",
        "latitude",
    ] {
        assert_eq!(device[empty], Value::Null, "{empty}");
    }
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
    let again = things_stack("acme", EUI, &app.clock.ago(hours(2)), 3.0);
    assert_eq!(acme.ingest(again).await.ok()["duplicate"], Value::Null, "it is no repeat");
}

async fn nothing_is_adopted_from_another_reseller_or_by_a_refused_request(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    hear(&app, &acme).await;
    let misplaced = with(adopting(true), "/parent_device_id", json!(uuid::Uuid::nil().to_string()));
    acme.post(REGISTER, misplaced).await.refused(404, "PARENT_DEVICE_NOT_FOUND");
    assert_eq!(acme.get(UNREGISTERED).await.ok()[0]["message_count"], 3);
    let (device, history) = registered(&globex, true).await;
    assert!(history.is_empty());
    assert_eq!(device["message_count"], 0);
    assert_eq!(acme.get(UNREGISTERED).await.ok()[0]["message_count"], 3, "still acme's to know");
    acme.post(REGISTER, adopting(true)).await.refused(400, "DEVICE_ALREADY_EXISTS");
}

async fn adopting_nothing_is_no_error(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let (device, history) = registered(&acme, true).await;
    assert!(history.is_empty());
    assert_eq!((&device["status"], &device["message_count"]), (&json!("offline"), &json!(0)));
}
