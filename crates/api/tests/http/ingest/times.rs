//! Reading times that are ahead of the clock, or impossible.

use std::time::Duration;

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, device};
use crate::support::*;

const INSTANT: Duration = Duration::from_micros(1);

on_both_stores!(
    impossible_times_are_replaced_by_the_time_of_receipt,
    a_reading_ahead_of_the_clock_is_as_new_as_now,
);

async fn impossible_times_are_replaced_by_the_time_of_receipt(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let now = app.clock.now().to_string();
    for form in &FORMATS {
        for wrong in [
            "1980-01-06T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "2009-12-31T23:59:59.999999Z",
            "0001-01-01T00:00:00Z",
            "9999-12-30T00:00:00Z",
            "1969-12-31T23:59:59-01:00",
            &app.clock.ahead(hours(24) + INSTANT),
        ] {
            let result = acme.ingest((form.uplink)("Acme", EUI, wrong, 1.0)).await.ok();
            assert_eq!(result["time_replaced"], true, "{wrong}");
            assert_eq!(result["timestamp"], now, "{wrong}");
        }
        for right in ["2010-01-01T00:00:00Z", &now, &app.clock.ahead(hours(24))] {
            let result = acme.ingest((form.uplink)("Acme", EUI, right, 1.0)).await.ok();
            assert_eq!(result["time_replaced"], Value::Null, "{right}");
            assert_ne!(result["timestamp"], Value::Null);
        }
    }
    let history = acme.get(&format!("{DEVICES}/{EUI}/consumption?days=1")).await.ok();
    assert_eq!(texts(&history, "timestamp"), [now, app.clock.ahead(hours(24))]);
}

async fn a_reading_ahead_of_the_clock_is_as_new_as_now(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let form = &FORMATS[1];
    let received = app.clock.now().to_string();
    let ahead = app.clock.ahead(hours(3));
    let result = acme.ingest((form.uplink)("Acme", EUI, &ahead, 5.0)).await.ok();
    assert_eq!(result["timestamp"], ahead, "the reading keeps its time");
    let shown = device(&acme).await;
    assert_eq!(shown["last_reading_at"], received);
    assert_eq!(shown["last_consumption_m3"], 5.0);
    let repeat = acme.ingest((form.uplink)("Acme", EUI, &ahead, 5.0)).await.ok();
    assert_eq!(repeat["duplicate"], true);

    // Its clock is set right: what comes next is older than that reading, and still news.
    app.clock.advance(hours(1));
    let next = app.clock.now().to_string();
    let uplink = with((form.uplink)("Acme", EUI, &next, 5.5), form.battery, json!(3.2));
    acme.ingest(uplink).await.ok();
    let shown = device(&acme).await;
    assert_eq!(shown["last_reading_at"], next);
    assert_eq!(shown["battery_level"], 3.2);
}
