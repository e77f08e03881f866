//! What an uplink does to its device.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, device, history};
use crate::support::*;

on_both_stores!(
    the_first_uplink_brings_a_device_to_life,
    the_device_name_follows_the_latest_uplink,
    a_late_reading_is_stored_and_changes_neither_time_nor_battery,
    a_reading_without_battery_leaves_the_level_and_stores_null,
    each_coordinate_is_kept_until_a_newer_one_comes,
);

async fn the_first_uplink_brings_a_device_to_life(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let created_at = acme.post(REGISTER, meter(EUI)).await.ok()["created_at"].clone();
    app.clock.advance(hours(1));
    let time = app.clock.ago(seconds(90));
    acme.ingest((FORMATS[0].uplink)("Acme", EUI, &time, 1.5)).await.ok();
    let heard = device(&acme).await;
    assert_eq!(heard["status"], "online");
    assert_eq!(heard["device_name"], "from-chirpstack");
    assert_eq!(heard["name"], "Main meter");
    assert_eq!(heard["battery_level"], 3.6);
    assert_eq!(heard["last_reading_at"], time);
    assert_eq!(heard["first_seen_at"], app.clock.now().to_string());
    assert_eq!(heard["last_seen_at"], app.clock.now().to_string());
    assert_eq!(heard["message_count"], 1);
    assert_eq!(heard["last_consumption_m3"], 1.5);
    assert_eq!(heard["created_at"], created_at);
    app.clock.advance(hours(1));
    let seen = app.clock.now().to_string();
    acme.ingest((FORMATS[1].uplink)("Acme", EUI, &seen, 1.6)).await.ok();
    let again = device(&acme).await;
    assert_eq!(again["first_seen_at"], heard["first_seen_at"]);
    assert_eq!(again["last_seen_at"], seen);
    assert_eq!((&again["last_reading_at"], &again["message_count"]), (&json!(seen), &json!(2)));
    assert_eq!(again["consumption_trend"], json!([1.5, 1.6]));
}

async fn the_device_name_follows_the_latest_uplink(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let long = "x".repeat(300);
    for form in &FORMATS {
        for (given, kept) in
            [("Cellar", "Cellar"), (" Attic\u{7}\n ", "Attic"), (long.as_str(), &long[..255])]
        {
            let uplink = (form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
            acme.ingest(with(uplink, form.device_name, json!(given))).await.ok();
            assert_eq!(device(&acme).await["device_name"], kept);
        }
        for nothing in [None, Some(Value::Null), Some(json!("")), Some(json!(" \u{0} "))] {
            let uplink = (form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
            acme.ingest(with(uplink, form.device_name, nothing)).await.ok();
            assert_eq!(
                device(&acme).await["device_name"],
                long[..255],
                "what is not said changes nothing"
            );
        }
    }
}

async fn a_late_reading_is_stored_and_changes_neither_time_nor_battery(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        let newest = app.clock.now().to_string();
        let uplink = |time: &str, volume: f64, battery: f64| {
            let uplink =
                with((form.uplink)("Acme", EUI, time, volume), form.battery, json!(battery));
            with(uplink, &format!("{}/latitude", form.decoded), json!(battery))
        };
        acme.ingest(uplink(&newest, 9.0, 3.6)).await.ok();
        app.clock.advance(hours(1));
        acme.ingest(uplink(&app.clock.ago(hours(30)), 2.0, 3.1)).await.ok();
        let late = device(&acme).await;
        assert_eq!(late["last_reading_at"], newest);
        assert_eq!((&late["battery_level"], &late["latitude"]), (&json!(3.6), &json!(3.6)));
        assert_eq!(late["last_seen_at"], app.clock.now().to_string());
        assert_eq!(late["last_consumption_m3"], 9.0);
        assert_eq!(late["status"], "online");
    }
    let stored = acme.get(&format!("{DEVICES}/{EUI}/consumption")).await.ok();
    assert_eq!(stored[0]["battery_level"], 3.1, "in the history it is as it came");
    assert_eq!(history(&acme).await, [2.0, 2.0, 9.0, 9.0]);
}

async fn a_reading_without_battery_leaves_the_level_and_stores_null(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    acme.ingest((FORMATS[0].uplink)("Acme", EUI, &app.clock.ago(hours(2)), 1.0)).await.ok();
    for (volume, form) in (2..).zip(&FORMATS) {
        let uplink = (form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), f64::from(volume));
        acme.ingest(without(uplink.clone(), form.battery)).await.ok();
        assert_eq!(device(&acme).await["battery_level"], 3.6);
    }
    let stored = acme.get(&format!("{DEVICES}/{EUI}/consumption")).await.ok();
    assert_eq!(each(&stored, "battery_level"), [json!(3.6), Value::Null, Value::Null]);
}

async fn each_coordinate_is_kept_until_a_newer_one_comes(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let mut ago = 50;
    for form in &FORMATS {
        for (position, shown) in [
            (
                json!({ "latitude": 1.5, "longitude": 2.5, "altitude": 3.5 }),
                [Some(1.5), Some(2.5), Some(3.5)],
            ),
            (json!({ "longitude": -180.0 }), [Some(1.5), Some(-180.0), Some(3.5)]),
            (json!({ "latitude": null, "altitude": 0 }), [Some(1.5), Some(-180.0), Some(0.0)]),
            (json!({ "latitude": 90.5, "longitude": 1e9 }), [Some(1.5), Some(-180.0), Some(0.0)]),
            (json!({ "latitude": -90, "longitude": 180 }), [Some(-90.0), Some(180.0), Some(0.0)]),
            (json!({}), [Some(-90.0), Some(180.0), Some(0.0)]),
        ] {
            ago -= 1;
            let mut uplink = (form.uplink)("Acme", EUI, &app.clock.ago(hours(ago)), 1.0);
            for (name, value) in position.as_object().unwrap() {
                uplink = with(uplink, &format!("{}/{name}", form.decoded), value.clone());
            }
            acme.ingest(uplink).await.ok();
            let device = device(&acme).await;
            let kept = ["latitude", "longitude", "altitude"].map(|name| device[name].as_f64());
            assert_eq!(kept, shown, "{position}");
        }
    }
}
