//! Looking a device up.

use std::time::Duration;

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use super::register::CORE;
use crate::support::*;

/// What a lookup shows beside the core fields.
const OWNED: &[&str] = &["end_user_id", "latitude", "longitude", "altitude"];

on_both_stores!(
    a_device_is_found_by_its_eui_in_any_spelling_and_by_its_id,
    what_is_not_there_is_not_found,
    a_device_that_is_silent_for_48_hours_is_offline,
    positions_and_batteries_show_as_they_came,
);

async fn a_device_is_found_by_its_eui_in_any_spelling_and_by_its_id(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let registered = acme.post(REGISTER, meter("70B3D57ED02a3654")).await.ok();
    let id = registered["id"].as_str().unwrap();
    let mut found = Vec::new();
    for name in [EUI, &EUI.to_uppercase(), "70B3D57ED02a3654", id, &id.to_uppercase()] {
        found.push(acme.get(&format!("{DEVICES}/{name}")).await.ok());
    }
    assert!(found.iter().all(|device| *device == found[0]));
    assert_eq!(keys(&found[0]), names(CORE.iter().chain(OWNED)));
    for field in CORE {
        assert_eq!(found[0][field], registered[field], "{field}");
    }
    assert!(OWNED.iter().all(|field| found[0][field].is_null()));
    let answer = acme.get(&format!("{DEVICES}/{EUI}?unknown=1")).await;
    assert_eq!(
        keys(&answer.json()),
        names(&["data", "status"]),
        "nothing was changed, so no message"
    );
}

async fn what_is_not_there_is_not_found(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for name in [&eui(1), "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10", &uuid::Uuid::nil().to_string()] {
        let answer = acme.get(&format!("{DEVICES}/{name}")).await;
        assert_eq!(answer.refused(404, "DEVICE_NOT_FOUND")["details"], json!({}));
    }
    let simple = uuid::Uuid::nil().simple().to_string();
    for name in ["x", "70b3d57ed02a365", "70b3d57ed02a36544", "70b3d57ed02a365g", "stats!", &simple]
    {
        acme.get(&format!("{DEVICES}/{name}")).await.refused(400, "INVALID_DEVICE_ID");
    }
}

async fn a_device_that_is_silent_for_48_hours_is_offline(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let status = async || {
        let found = acme.get(&format!("{DEVICES}/{EUI}")).await.ok()["status"].clone();
        let listed = acme.get(DEVICES).await.ok()[0]["status"].clone();
        assert_eq!(found, listed);
        found
    };
    assert_eq!(status().await, "offline");
    // The reading is a year old; what counts is when it was heard.
    acme.ingest(chirpstack("Acme", EUI, &app.clock.ago(days(365)), 1.0)).await.ok();
    assert_eq!(status().await, "online");
    app.clock.advance(hours(48) - Duration::from_micros(1));
    assert_eq!(status().await, "online");
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(status().await, "offline");
    app.clock.advance(hours(100));
    assert_eq!(status().await, "offline");
    let repeat = chirpstack("Acme", EUI, &app.clock.ago(days(365) + hours(148)), 1.0);
    assert_eq!(acme.ingest(repeat).await.ok()["duplicate"], true);
    assert_eq!(status().await, "online", "a repeat was heard as well");
}

async fn positions_and_batteries_show_as_they_came(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let uplink = chirpstack("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
    let uplink = with(uplink, "/object/latitude", json!(-33.856_784_123_456));
    let uplink = with(uplink, "/object/longitude", json!(151.215_297));
    let uplink = with(uplink, "/object/altitude", json!(-12.5));
    acme.ingest(with(uplink, "/object/batteryVoltage", json!(3.581_234))).await.ok();
    for device in
        [acme.get(&format!("{DEVICES}/{EUI}")).await.ok(), acme.get(DEVICES).await.ok()[0].clone()]
    {
        assert_eq!(device["latitude"], -33.856_784_123_456);
        assert_eq!(device["longitude"], 151.215_297);
        assert_eq!(device["altitude"], -12.5);
        assert_eq!(device["battery_level"], 3.581_234);
        assert_eq!(device["end_user_id"], Value::Null);
    }
}
