//! Setting the status of a device, and what it is afterwards.

use std::time::Duration;

use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

async fn set(actor: &Actor, id: &str, body: Value) -> Answer {
    actor.put(&(at(id) + "/status"), body).await
}

on_both_stores!(
    maintenance_lasts_until_auto_ends_it,
    auto_looks_at_the_last_reading,
    only_status_and_billing_change,
    other_values_are_refused,
);

async fn maintenance_lasts_until_auto_ends_it(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let uplink = |time: &str| chirpstack("Acme", &eui(1), time, 5.0);
    let answer = set(&acme, &id, json!({ "status": "maintenance" })).await;
    assert_eq!(answer.ok()["status"], "maintenance");
    assert!(answer.json()["message"].as_str().unwrap().contains("maintenance: now maintenance"));
    acme.ingest(uplink("2026-03-29T11:00:00Z")).await.ok();
    assert_eq!(look(&acme, &id).await["status"], "maintenance");
    // By the EUI as well, in any spelling.
    let answer = set(&acme, &eui(1).to_uppercase(), json!({ "status": "auto" })).await;
    assert_eq!(answer.ok()["status"], "online");
    assert!(answer.json()["message"].as_str().unwrap().contains("auto: now online"));
}

async fn auto_looks_at_the_last_reading(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let answer = set(&acme, &id, json!({ "status": "auto" })).await;
    assert_eq!(answer.ok()["status"], "offline");
    assert!(answer.json()["message"].as_str().unwrap().contains("auto: now offline"));
    // A reading of long ago makes a device online; set to auto, it is not.
    acme.ingest(chirpstack("Acme", &eui(1), "2026-03-27T11:59:59Z", 5.0)).await.ok();
    assert_eq!(look(&acme, &id).await["status"], "online");
    assert_eq!(set(&acme, &id, json!({ "status": "auto" })).await.ok()["status"], "offline");
    acme.ingest(chirpstack("Acme", &eui(1), "2026-03-27T12:00:00.000001Z", 5.0)).await.ok();
    assert_eq!(set(&acme, &id, json!({ "status": "auto" })).await.ok()["status"], "online");
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(set(&acme, &id, json!({ "status": "auto" })).await.ok()["status"], "offline");
}

async fn only_status_and_billing_change(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let mut expected = look(&acme, &id).await;
    for (body, is_active) in [
        (json!({ "status": "maintenance", "is_active": false }), false),
        (json!({ "status": "maintenance" }), false),
        (json!({ "status": "maintenance", "is_active": true }), true),
    ] {
        let shown = set(&acme, &id, body).await.ok();
        expected["status"] = json!("maintenance");
        expected["is_active"] = json!(is_active);
        assert_eq!(shown, expected);
    }
}

async fn other_values_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    for word in ["online", "offline", "", "AUTO", " auto", "Maintenance", "broken"] {
        let body = set(&acme, &id, json!({ "status": word })).await.refused(400, "INVALID_STATUS");
        assert_eq!(body["details"]["errors"][0]["loc"], json!(["body", "status"]), "{word}");
    }
    for (body, fields) in [
        (json!({}), vec!["body.status"]),
        (json!({ "status": null }), vec!["body.status"]),
        (json!({ "status": 1 }), vec!["body.status"]),
        (json!({ "status": ["auto"] }), vec!["body.status"]),
        (json!({ "status": "auto", "is_active": null }), vec!["body.is_active"]),
        (json!({ "status": "auto", "is_active": "yes" }), vec!["body.is_active"]),
        (json!({ "status": "online", "is_active": 1 }), vec!["body.is_active"]),
        (json!("auto"), vec!["body"]),
    ] {
        assert_eq!(set(&acme, &id, body.clone()).await.fields(), fields, "{body}");
    }
    let unknown = uuid::Uuid::from_u128(7).to_string();
    set(&acme, &unknown, json!({ "status": "auto" })).await.refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(set(&acme, "x", json!({ "status": "online" })).await.fields(), ["path.device_id"]);
}
