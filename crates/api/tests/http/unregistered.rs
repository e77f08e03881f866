//! Uplinks of devices that are not registered.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use crate::support::*;

on_both_stores!(
    what_is_not_registered_is_remembered_and_listed,
    the_last_seen_come_first_page_by_page,
    only_uplinks_that_fit_are_remembered,
    each_reseller_remembers_for_itself,
);

async fn what_is_not_registered_is_remembered_and_listed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
    let answer = acme.ingest(chirpstack("Acme", EUI, "2026-03-01T00:00:00Z", 1.0)).await;
    assert_eq!(answer.refused(404, "DEVICE_NOT_FOUND")["details"], json!({}));
    let first_heard = app.clock.now().to_string();
    app.clock.advance(hours(2));
    let other = things_stack("Acme", &EUI.to_uppercase(), "2026-03-01T00:00:00Z", 1.0);
    acme.ingest(other).await.refused(404, "DEVICE_NOT_FOUND");
    let listed = acme.get(UNREGISTERED).await.ok();
    assert_eq!(
        listed,
        json!([{
            "dev_eui": EUI.to_uppercase(),
            "device_name": "from-the-things-stack",
            "first_seen_at": first_heard,
            "last_seen_at": app.clock.now().to_string(),
            "message_count": 2,
        }])
    );
    acme.get(&format!("{DEVICES}/{EUI}")).await.refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(acme.get(DEVICES).await.ok(), json!([]));
}

async fn the_last_seen_come_first_page_by_page(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for number in 0..60 {
        let uplink = without(
            chirpstack("Acme", &eui(number), "2026-03-01T00:00:00Z", 1.0),
            "/deviceInfo/deviceName",
        );
        acme.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
        app.clock.advance(seconds(1));
    }
    let again =
        without(chirpstack("Acme", &eui(7), "2026-03-01T00:00:00Z", 1.0), "/deviceInfo/deviceName");
    acme.ingest(again).await.refused(404, "DEVICE_NOT_FOUND");
    let answer = acme.get(UNREGISTERED).await;
    let listed = answer.ok();
    let mut order = vec![eui(7)];
    order.extend((0..60).rev().filter(|number| *number != 7).map(eui));
    assert_eq!(texts(&listed, "dev_eui"), order[..50]);
    assert_eq!(answer.header("x-total-count"), "60");
    assert_eq!(
        answer.header("link"),
        r#"</api/v1/unregistered-devices?limit=50&offset=50>; rel="next""#
    );
    let rest = acme.get(&format!("{UNREGISTERED}?limit=50&offset=50")).await.ok();
    assert_eq!(texts(&rest, "dev_eui"), order[50..]);
    assert_eq!(rest[9]["device_name"], Value::Null, "none was ever given");
}

async fn only_uplinks_that_fit_are_remembered(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let good = chirpstack("Acme", EUI, "2026-03-01T00:00:00Z", 1.0);
    acme.ingest(with(good.clone(), "/object/cumulativeFlowM3", json!(-1))).await.fields();
    acme.ingest(with(good.clone(), "/deviceInfo/tenantName", json!("Globex")))
        .await
        .refused(403, "TENANT_MISMATCH");
    acme.ingest(with(good.clone(), "/deviceInfo/devEui", json!("x")))
        .await
        .refused(400, "INVALID_DEVICE_ID");
    acme.post(&format!("{INGEST}?event=join"), good).await.ok();
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
}

async fn each_reseller_remembers_for_itself(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    acme.ingest(chirpstack("Acme", EUI, "2026-03-01T00:00:00Z", 1.0))
        .await
        .refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(globex.get(UNREGISTERED).await.ok(), json!([]));
    globex
        .ingest(chirpstack("Globex", EUI, "2026-03-01T00:00:00Z", 2.0))
        .await
        .refused(404, "DEVICE_NOT_FOUND");
    // Whoever registers first has the EUI; the other may still adopt nothing but its own.
    globex.post(REGISTER, with(meter(EUI), "/adopt_readings", json!(true))).await.ok();
    let history = globex.get(&format!("{DEVICES}/{EUI}/consumption")).await.ok();
    assert_eq!(numbers(&history, "consumption_m3"), [2.0]);
    assert_eq!(acme.get(UNREGISTERED).await.ok()[0]["message_count"], 1);
}
