//! What is answered to an uplink that was taken.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, things_stack};
use weir_testkit::on_both_stores;

use super::{FORMATS, history};
use crate::support::*;

/// The fields of every result.
const RESULT: &[&str] =
    &["id", "dev_eui", "timestamp", "consumption_liters", "battery_voltage", "format", "readings"];

on_both_stores!(
    a_result_describes_the_reading,
    a_battery_that_is_not_there_is_null,
    the_things_stack_names_its_battery_in_two_ways,
    a_simulated_uplink_is_a_reading_and_says_so,
);

async fn a_result_describes_the_reading(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.post(REGISTER, meter("70B3D57ED02A3654")).await.ok()["id"].clone();
    for form in &FORMATS {
        let uplink = (form.uplink)("Acme", EUI, "2026-03-29T00:59:58.123456789Z", 123.457);
        let uplink = with(
            uplink,
            form.flow,
            json!(if form.name == "chirpstack" { 123.457 } else { 123.458 }),
        );
        let answer = acme.ingest(with(uplink, form.battery, json!(3.58))).await;
        let result = answer.ok();
        assert_eq!(keys(&result), names(RESULT));
        assert!(answer.json()["message"].is_string());
        assert!(uuid::Uuid::try_parse(result["id"].as_str().unwrap()).is_ok());
        assert_ne!(result["id"], device);
        assert_eq!(result["dev_eui"], "70B3D57ED02A3654", "as it was registered");
        assert_eq!(result["timestamp"], "2026-03-29T00:59:58.123456+00:00");
        let litres = if form.name == "chirpstack" { 123_457.0 } else { 123_458.0 };
        assert_eq!(result["consumption_liters"], litres);
        assert_eq!(result["battery_voltage"], 3.58);
        assert_eq!(result["format"], form.name);
        assert_eq!(result["readings"], 1);
    }
}

async fn a_battery_that_is_not_there_is_null(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        let uplink = || (form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
        for bare in [without(uplink(), form.battery), with(uplink(), form.battery, Value::Null)] {
            let result = acme.ingest(bare).await.ok();
            assert_eq!(keys(&result).get("battery_voltage"), Some(&"battery_voltage"));
            assert_eq!(result["battery_voltage"], Value::Null);
        }
    }
}

async fn the_things_stack_names_its_battery_in_two_ways(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let post = async |battery: Option<f64>, voltage: Option<f64>| {
        let uplink = things_stack("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
        let uplink =
            with(uplink, "/uplink_message/decoded_payload/battery", battery.map(Value::from));
        let uplink = with(
            uplink,
            "/uplink_message/decoded_payload/batteryVoltage",
            voltage.map(Value::from),
        );
        acme.ingest(uplink).await.ok()["battery_voltage"].clone()
    };
    assert_eq!(post(Some(3.6), Some(3.1)).await, 3.6);
    assert_eq!(post(None, Some(3.1)).await, 3.1);
    assert_eq!(post(Some(92.0), None).await, 92.0, "taken as it comes");
    assert_eq!(post(None, None).await, Value::Null);
}

async fn a_simulated_uplink_is_a_reading_and_says_so(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let uplink = things_stack("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
    let result = acme.ingest(with(uplink.clone(), "/simulated", json!(true))).await.ok();
    assert_eq!(keys(&result), names(RESULT.iter().chain(&["simulated"])));
    assert_eq!(result["simulated"], true);
    assert_eq!(history(&acme).await, [1.0]);
    for real in [json!(false), Value::Null] {
        let result = acme.ingest(with(uplink.clone(), "/simulated", real)).await.ok();
        assert_eq!(keys(&result), names(RESULT.iter().chain(&["duplicate"])));
    }
    assert_eq!(
        acme.ingest(with(uplink, "/simulated", json!("yes"))).await.fields(),
        ["body.simulated"]
    );
}
