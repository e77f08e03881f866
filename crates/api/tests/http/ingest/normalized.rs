//! Readings that The Things Stack normalized itself.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, things_stack};
use weir_testkit::on_both_stores;

use super::{device, history, loc};
use crate::support::*;

/// An uplink with these measurements and no output of a decoder.
fn normalized(time: &str, measurements: &Value) -> Value {
    let uplink = things_stack("Acme", EUI, time, 0.0);
    with(uplink, "/uplink_message", json!({ "normalized_payload": measurements }))
}

fn total(litres: impl Into<Value>, time: &str) -> Value {
    json!({ "time": time, "metering": { "water": { "total": litres.into() } }, "battery": 3.4 })
}

on_both_stores!(
    each_measurement_is_a_reading_and_the_newest_describes_them,
    the_decoders_own_output_comes_first,
    a_measurement_without_a_time_has_that_of_its_message,
    measurements_without_a_total_are_none,
);

async fn each_measurement_is_a_reading_and_the_newest_describes_them(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let [oldest, middle, newest] = [3, 2, 1].map(|ago| app.clock.ago(hours(ago)));
    let measurements = json!([
        total(2500.5, &middle),
        total(3000, &newest),
        { "air": { "temperature": 21.5 }, "time": newest },
        total(1000, &oldest),
    ]);
    let answer = acme.ingest(normalized(&app.clock.ago(seconds(1)), &measurements)).await;
    let result = answer.ok();
    assert_eq!(result["readings"], 3);
    assert_eq!(result["timestamp"], newest);
    assert_eq!(result["consumption_liters"], 3000.0);
    assert_eq!(result["battery_voltage"], 3.4);
    assert_eq!(result["duplicate"], Value::Null);
    assert_eq!(answer.header("x-ratelimit-remaining"), "99999", "one request");
    assert_eq!(history(&acme).await, [1.0, 2.5005, 3.0]);
    let shown = device(&acme).await;
    assert_eq!(shown["message_count"], 1);
    assert_eq!(shown["last_reading_at"], newest);
    assert_eq!(shown["battery_level"], 3.4);

    let repeat = acme.ingest(normalized(&app.clock.ago(seconds(1)), &measurements)).await.ok();
    assert_eq!((&repeat["duplicate"], &repeat["id"]), (&json!(true), &result["id"]));
    let mut partly = measurements;
    partly[3] = total(1001, &oldest);
    let partly = acme.ingest(normalized(&app.clock.ago(seconds(1)), &partly)).await.ok();
    assert_eq!(
        (&partly["duplicate"], &partly["id"]),
        (&Value::Null, &result["id"]),
        "one of them is new"
    );
    assert_eq!(history(&acme).await, [1.0, 1.001, 2.5005, 3.0]);
    assert_eq!(device(&acme).await["message_count"], 3);
}

async fn the_decoders_own_output_comes_first(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let time = app.clock.ago(hours(1));
    let both = with(
        things_stack("Acme", EUI, &time, 7.0),
        "/uplink_message/normalized_payload",
        json!([total(1000, &time)]),
    );
    let result = acme.ingest(both.clone()).await.ok();
    assert_eq!((&result["consumption_liters"], &result["readings"]), (&json!(7000.0), &json!(1)));
    // A flow that is there and bad is an error, not a reason to look elsewhere.
    let flow = "/uplink_message/decoded_payload/cumulativeFlowM3";
    for bad in [Value::Null, json!("7"), json!(-7)] {
        let answer = acme.ingest(with(both.clone(), flow, bad)).await;
        assert_eq!(answer.fields(), [loc(flow)]);
    }
    let result = acme.ingest(without(both, flow)).await.ok();
    assert_eq!(result["consumption_liters"], 1000.0);
    assert_eq!(history(&acme).await, [1.0, 7.0]);
}

async fn a_measurement_without_a_time_has_that_of_its_message(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let time = app.clock.ago(hours(1));
    let bare = json!([{ "metering": { "water": { "total": 1234 } } }]);
    let result = acme.ingest(normalized(&time, &bare)).await.ok();
    assert_eq!((&result["timestamp"], &result["battery_voltage"]), (&json!(time), &Value::Null));
    let clock_lost = acme
        .ingest(normalized(&time, &json!([total(1, "1980-01-06T00:00:00Z"), total(2, &time)])))
        .await
        .ok();
    assert_eq!(clock_lost["time_replaced"], true);
    assert_eq!(clock_lost["timestamp"], app.clock.now().to_string());
}

async fn measurements_without_a_total_are_none(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let flow = "body.uplink_message.decoded_payload.cumulativeFlowM3";
    for nothing in [
        json!([]),
        Value::Null,
        json!([{}]),
        json!([{ "battery": 3.6 }]),
        json!([{ "metering": {} }]),
        json!([{ "metering": { "water": { "total": null } } }]),
    ] {
        assert_eq!(
            acme.ingest(normalized(&app.clock.ago(hours(1)), &nothing)).await.fields(),
            [flow],
            "{nothing}"
        );
    }
    let base = "body.uplink_message.normalized_payload";
    let time = app.clock.ago(hours(1));
    for (bad, named) in [
        (json!({}), base.to_owned()),
        (json!("x"), base.to_owned()),
        (json!([7]), format!("{base}.0")),
        (json!([total(1, &time), { "metering": 7 }]), format!("{base}.1.metering")),
        (json!([total(1, &time), total("1", &time)]), format!("{base}.1.metering.water.total")),
        (json!([total(-1, &time)]), format!("{base}.0.metering.water.total")),
        (json!([total(1e13, &time)]), format!("{base}.0.metering.water.total")),
        (json!([total(1, "soon")]), format!("{base}.0.time")),
        (json!([with(total(1, &time), "/battery", json!("3"))]), format!("{base}.0.battery")),
    ] {
        let named_by = acme.ingest(normalized(&time, &bad)).await.fields();
        assert_eq!(named_by, [named], "{bad}");
    }
    assert_eq!(history(&acme).await, [0.0; 0]);
}
