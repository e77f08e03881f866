//! The consumption history of a device.

mod per_day;
mod streamed;

use std::time::Duration;

use serde_json::{Value, json};
use weir_domain::Timestamp;
use weir_testkit::app::{Actor, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use crate::support::*;

async fn history(actor: &Actor, device: &str, query: &str) -> Value {
    let answer = actor.get(&format!("{DEVICES}/{device}/consumption{query}")).await;
    assert_eq!(keys(&answer.json()), names(&["data", "status"]));
    answer.ok()
}

async fn volumes(actor: &Actor, query: &str) -> Vec<f64> {
    numbers(&history(actor, EUI, query).await, "consumption_m3")
}

on_both_stores!(
    a_reading_shows_what_came,
    readings_come_oldest_first_whatever_their_order_of_arrival,
    the_window_is_the_last_days_and_whatever_lies_ahead,
    a_long_history_comes_whole,
);

async fn a_reading_shows_what_came(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.register(EUI).await;
    assert_eq!(history(&acme, EUI, "").await, json!([]));
    let uplink = chirpstack("Acme", EUI, "2026-03-29T08:59:58.123456789+02:00", 123.457);
    let stored = acme.ingest(uplink).await.ok();
    let uplink = things_stack("Acme", EUI, "2026-03-29T08:00:00Z", 123.5);
    let uplink = without(uplink, "/uplink_message/decoded_payload/battery");
    let bare = acme.ingest(uplink).await.ok();
    let expected = json!([
        {
            "id": stored["id"],
            "device_id": device,
            "timestamp": "2026-03-29T06:59:58.123456+00:00",
            "consumption_m3": 123.457,
            "battery_level": 3.6,
        },
        {
            "id": bare["id"],
            "device_id": device,
            "timestamp": "2026-03-29T08:00:00+00:00",
            "consumption_m3": 123.5,
            "battery_level": null,
        },
    ]);
    for name in [&device, EUI, &EUI.to_uppercase(), &device.to_uppercase()] {
        assert_eq!(history(&acme, name, "").await, expected);
    }
}

async fn readings_come_oldest_first_whatever_their_order_of_arrival(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for (ago, volume) in [(2, 5.0), (5, 1.0), (1, 6.0), (2, 4.0), (3, 9.0)] {
        acme.ingest(chirpstack("Acme", EUI, &app.clock.ago(hours(ago)), volume)).await.ok();
    }
    assert_eq!(volumes(&acme, "").await, [1.0, 9.0, 4.0, 5.0, 6.0], "of one time, by volume");
}

async fn the_window_is_the_last_days_and_whatever_lies_ahead(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let instant = Duration::from_micros(1);
    for (ago, volume) in [
        (days(1), 10.0),
        (days(1) + instant, 9.0),
        (days(30), 5.0),
        (days(30) + instant, 4.0),
        (days(365), 2.0),
        (days(365) + instant, 1.0),
    ] {
        acme.ingest(chirpstack("Acme", EUI, &app.clock.ago(ago), volume)).await.ok();
    }
    acme.ingest(chirpstack("Acme", EUI, &app.clock.ahead(hours(24)), 11.0)).await.ok();
    assert_eq!(volumes(&acme, "?days=1").await, [10.0, 11.0]);
    assert_eq!(volumes(&acme, "").await, [5.0, 9.0, 10.0, 11.0], "30 where nothing is said");
    assert_eq!(volumes(&acme, "?days=30").await, [5.0, 9.0, 10.0, 11.0]);
    assert_eq!(volumes(&acme, "?days=365").await, [2.0, 4.0, 5.0, 9.0, 10.0, 11.0]);
    app.clock.advance(instant);
    assert_eq!(volumes(&acme, "?days=1").await, [11.0]);
    for bad in ["0", "366", "-1", "1.5", "x", "", "99999999999999999999"] {
        let answer = acme.get(&format!("{DEVICES}/{EUI}/consumption?days={bad}")).await;
        assert_eq!(answer.fields(), ["query.days"], "{bad}");
    }
}

async fn a_long_history_comes_whole(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let start = app.clock.now().minus(days(30));
    let minute = |number: u64| start.plus(seconds(60 * number));
    // The chunks that are read from the store end inside runs of readings of the same time.
    let reading = |number: u64| -> (Timestamp, u64) { (minute(number / 4), number) };
    let count = 12_001;
    let all: Vec<u64> = (0..count).collect();
    for part in all.chunks(2_500) {
        let entry = |&number: &u64| {
            json!({
                "time": reading(number).0.to_string(),
                "metering": { "water": { "total": reading(number).1 } },
            })
        };
        let message = json!({ "normalized_payload": part.iter().map(entry).collect::<Vec<_>>() });
        let uplink = with(
            things_stack("Acme", EUI, &app.clock.ago(hours(0)), 0.0),
            "/uplink_message",
            message,
        );
        assert_eq!(acme.ingest(uplink).await.ok()["readings"], part.len());
    }
    let history = history(&acme, EUI, "").await;
    let expected = || (0..count).map(reading);
    assert!(
        texts(&history, "timestamp").into_iter().eq(expected().map(|(time, _)| time.to_string()))
    );
    let volumes: Vec<f64> = expected().map(|(_, litres)| litres as f64 / 1000.0).collect();
    assert_eq!(numbers(&history, "consumption_m3"), volumes);
}
