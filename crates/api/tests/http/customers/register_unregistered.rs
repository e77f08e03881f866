//! Registering devices that were sending already.

use serde_json::{Value, json};
use weir_domain::{Eui, Telemetry, Timestamp};
use weir_store::{Purpose, Sighting};
use weir_testkit::app::{Actor, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use crate::support::*;

const LATER: &str = "70b3d57ed02a3655";

fn path(customer: &str) -> String {
    format!("/api/v1/customers/{customer}/register-unregistered-devices")
}

async fn sight(actor: &Actor, tenant: &str, dev_eui: &str, time: &str, cubic_metres: f64) {
    let uplink = chirpstack(tenant, dev_eui, time, cubic_metres);
    actor.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
}

async fn unregistered(actor: &Actor) -> Vec<Value> {
    each(&actor.get(UNREGISTERED).await.ok(), "dev_eui")
}

on_both_stores!(
    all_that_are_remembered_become_devices,
    those_that_are_named_become_devices,
    an_eui_that_is_live_elsewhere_fails_alone,
    the_memory_is_one_resellers,
    bodies_that_do_not_fit_are_refused,
    more_than_one_transaction_takes_are_registered,
);

async fn all_that_are_remembered_become_devices(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    sight(&acme, "Acme", EUI, "2026-03-29T10:00:00Z", 1.0).await;
    sight(&acme, "Acme", EUI, "2026-03-29T11:00:00Z", 1.5).await;
    let nameless = json!({ "deviceInfo": { "tenantName": "Acme", "devEui": LATER.to_uppercase() },
        "time": "2026-03-29T11:30:00Z", "object": { "cumulativeFlowM3": 7 } });
    app.clock.advance(seconds(1));
    acme.ingest(nameless).await.refused(404, "DEVICE_NOT_FOUND");

    let answer = acme.post_raw(&path(&north), "").await;
    assert!(answer.json()["message"].as_str().unwrap().contains("2 device"));
    let data = answer.ok();
    assert_eq!(keys(&data), names(&["devices", "failed", "registered_count"]));
    assert_eq!((&data["registered_count"], &data["failed"]), (&json!(2), &json!([])));
    assert_eq!(texts(&data["devices"], "dev_eui"), [LATER.to_uppercase(), EUI.to_owned()]);
    assert_eq!(texts(&data["devices"], "name"), [LATER.to_uppercase(), "from-chirpstack".into()]);
    let heard = &data["devices"][1];
    for (field, value) in [
        ("device_name", json!("from-chirpstack")),
        ("status", json!("online")),
        ("battery_level", json!(3.6)),
        ("last_reading_at", json!("2026-03-29T11:00:00+00:00")),
        ("is_active", json!(true)),
        ("customer_id", json!(north)),
        ("end_user_id", json!(null)),
        ("hierarchy_level", json!(0)),
    ] {
        assert_eq!(heard[field], value, "{field}");
    }
    assert_eq!(look(&acme, EUI).await, *heard);
    let history = acme.get(&format!("/api/v1/devices/{EUI}/consumption")).await.ok();
    assert_eq!(numbers(&history, "consumption_m3"), [1.0, 1.5]);
    let listed = acme.get(&format!("/api/v1/devices?customer={north}&search={EUI}")).await.ok();
    assert_eq!(listed[0]["message_count"], 2);
    assert_eq!(listed[0]["first_seen_at"], "2026-03-29T12:00:00+00:00");
    assert_eq!(unregistered(&acme).await, [""; 0]);
    acme.ingest(chirpstack("Acme", EUI, "2026-03-29T12:00:00Z", 2.0)).await.ok();

    let nothing = json!({ "registered_count": 0, "devices": [], "failed": [] });
    assert_eq!(acme.post(&path(&north), json!({})).await.ok(), nothing);
}

async fn those_that_are_named_become_devices(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    sight(&acme, "Acme", EUI, "2026-03-29T10:00:00Z", 1.0).await;
    let uplink = things_stack("Acme", LATER, "2026-03-29T10:00:00Z", 2.0);
    acme.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
    let own = acme.register("70b3d57ed02a3600").await;

    let upper = LATER.to_uppercase();
    let named = ["70b3d57ed02a36ff", &upper, "70b3d57ed02a3600", LATER];
    let body = json!({ "dev_euis": named, "name_prefix": "Block A / " });
    let data = acme.post(&path(&north), body).await.ok();
    assert_eq!(data["registered_count"], 1);
    assert_eq!(texts(&data["devices"], "dev_eui"), [&*upper], "as it was named");
    assert_eq!(texts(&data["devices"], "name"), ["Block A / from-the-things-stack"]);
    assert_eq!(texts(&data["failed"], "dev_eui"), ["70b3d57ed02a36ff", "70b3d57ed02a3600"]);
    assert_eq!(texts(&data["failed"], "error"), ["DEVICE_NOT_FOUND"; 2]);
    assert!(texts(&data["failed"], "message").iter().all(|message| message.ends_with('.')));
    assert_eq!(unregistered(&acme).await, [EUI], "what was not named stays");
    assert_eq!(look(&acme, &own).await["customer_id"], json!(null));
}

async fn an_eui_that_is_live_elsewhere_fails_alone(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let north = customer(&acme, "North").await;
    globex.register(EUI).await;
    sight(&acme, "Acme", EUI, "2026-03-29T10:00:00Z", 1.0).await;
    sight(&acme, "Acme", LATER, "2026-03-29T10:00:00Z", 1.0).await;
    let data = acme.post(&path(&north), json!({ "name_prefix": "" })).await.ok();
    assert_eq!(texts(&data["devices"], "dev_eui"), [LATER]);
    assert_eq!(texts(&data["failed"], "dev_eui"), [EUI]);
    assert_eq!(texts(&data["failed"], "error"), ["DEVICE_ALREADY_EXISTS"]);
    assert_eq!(unregistered(&acme).await, [EUI], "it stays remembered");
}

async fn the_memory_is_one_resellers(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let (north, east) = (customer(&acme, "North").await, customer(&globex, "East").await);
    sight(&acme, "Acme", EUI, "2026-03-29T10:00:00Z", 1.0).await;
    globex.post(&path(&north), json!({})).await.refused(404, "CUSTOMER_NOT_FOUND");
    let body = json!({ "dev_euis": [EUI] });
    globex.post(&path(&north), body.clone()).await.refused(404, "CUSTOMER_NOT_FOUND");
    let data = globex.post(&path(&east), body).await.ok();
    assert_eq!(texts(&data["failed"], "error"), ["DEVICE_NOT_FOUND"]);
    assert_eq!(globex.post(&path(&east), json!({})).await.ok()["registered_count"], 0);
    app.stranger().post(&path(&north), json!({})).await.refused(401, "INVALID_API_KEY");
    assert_eq!(unregistered(&acme).await, [EUI]);
}

async fn bodies_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = path(&customer(&acme, "North").await);
    sight(&acme, "Acme", EUI, "2026-03-29T10:00:00Z", 1.0).await;
    for (body, fields) in [
        (json!([]), vec!["body"]),
        (json!({ "dev_euis": [] }), vec!["body.dev_euis"]),
        (json!({ "dev_euis": null }), vec!["body.dev_euis"]),
        (json!({ "dev_euis": vec![EUI; 1001] }), vec!["body.dev_euis"]),
        (json!({ "dev_euis": EUI }), vec!["body.dev_euis"]),
        (json!({ "dev_euis": [EUI, "x", 7] }), vec!["body.dev_euis.1", "body.dev_euis.2"]),
        (json!({ "name_prefix": 7 }), vec!["body.name_prefix"]),
        (json!({ "name_prefix": "a\n" }), vec!["body.name_prefix"]),
        (json!({ "name_prefix": "a".repeat(256) }), vec!["body.name_prefix"]),
    ] {
        assert_eq!(acme.post(&north, body.clone()).await.fields(), fields, "{body}");
    }
    assert_eq!(acme.post(&path("x"), json!({})).await.fields(), ["path.id"]);
    acme.post(&path(NOBODY), json!({})).await.refused(404, "CUSTOMER_NOT_FOUND");
    acme.put(&north, json!({})).await.refused(405, "METHOD_NOT_ALLOWED");
    assert_eq!(unregistered(&acme).await, [EUI], "nothing was registered");
}

async fn more_than_one_transaction_takes_are_registered(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let reseller = acme.reseller().id;
    let at = |second: i64| Timestamp::from_micros(1_774_000_000_000_000 + second * 1_000_000);
    let sightings: Vec<Sighting> = (0..2_005)
        .map(|n| Sighting {
            dev_eui: Eui::from_bits(n),
            telemetry: Telemetry { last_seen_at: Some(at(n as i64)), ..Default::default() },
        })
        .collect();
    let remembered =
        app.db.system(Purpose::Settle, move |tx| tx.scoped(reseller)?.sightings_store(&sightings));
    remembered.await.unwrap();
    let data = acme.post(&path(&north), json!({})).await.ok();
    assert_eq!((&data["registered_count"], &data["failed"]), (&json!(2_005), &json!([])));
    let expected: Vec<String> = (0..2_005).rev().map(|n| Eui::from_bits(n).to_string()).collect();
    assert_eq!(texts(&data["devices"], "dev_eui"), expected, "last seen first");
    assert_eq!(acme.get(&format!("/api/v1/customers/{north}")).await.ok()["device_count"], 2_005);
    assert_eq!(unregistered(&acme).await, [""; 0]);
}
