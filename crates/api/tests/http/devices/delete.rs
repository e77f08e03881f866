//! Deleting and restoring devices.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

on_both_stores!(
    a_deleted_device_is_gone_but_for_its_history,
    a_freed_eui_is_anybodys,
    ingestion_follows_at_once,
    restoring_gives_back_what_was_there,
    an_eui_means_the_device_that_was_deleted_last,
);

async fn a_deleted_device_is_gone_but_for_its_history(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let child = below(&acme, 2, &id).await;
    acme.ingest(chirpstack("Acme", &eui(1), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    let answer = delete(&acme, &eui(1)).await;
    assert_eq!(answer.ok(), json!({ "device_id": id, "deleted_at": "2026-03-29T12:00:00+00:00" }));
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("historical data is preserved"), "{message}");

    let gone = |answer: weir_testkit::app::Answer| answer.refused(404, "DEVICE_NOT_FOUND");
    gone(delete(&acme, &id).await);
    gone(delete(&acme, &eui(1)).await);
    gone(acme.get(&at(&id)).await);
    gone(acme.get(&at(&eui(1))).await);
    gone(acme.put(&at(&id), json!({ "name": "x" })).await);
    gone(acme.put(&(at(&id) + "/status"), json!({ "status": "auto" })).await);
    gone(set_parent(&acme, &id, Value::Null).await);
    assert_eq!(each(&acme.get(DEVICES).await.ok(), "id"), [json!(child)]);
    assert_eq!(look(&acme, &child).await["parent_device_id"], json!(id));
    let history = acme.get(&(at(&id) + "/consumption")).await.ok();
    assert_eq!(each(&history, "consumption_m3"), [json!(5.0)]);
    // What it still sends is kept, and it stays deleted.
    let late = acme.ingest(chirpstack("Acme", &eui(1), "2026-03-29T11:30:00Z", 6.0)).await.ok();
    assert_eq!(late["device_deleted"], true);
    assert_eq!(acme.get(&(at(&id) + "/consumption")).await.ok().as_array().unwrap().len(), 2);
}

async fn a_freed_eui_is_anybodys(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let first = acme.register(&eui(1)).await;
    delete(&acme, &first).await.ok();
    let second = globex.register(&eui(1)).await;
    assert_eq!(
        restore(&acme, &first).await.refused(400, "DEVICE_ALREADY_EXISTS")["details"],
        json!({})
    );
    acme.get(&at(&first)).await.refused(404, "DEVICE_NOT_FOUND");
    restore(&globex, &first).await.refused(404, "DEVICE_NOT_FOUND");
    delete(&globex, &second).await.ok();
    restore(&acme, &first).await.ok();
    let taken = restore(&globex, &second).await.refused(400, "DEVICE_ALREADY_EXISTS");
    assert_eq!(taken["details"], json!({}));
}

async fn ingestion_follows_at_once(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let uplink =
        |tenant, minute| chirpstack(tenant, &eui(1), &format!("2026-03-29T11:{minute}:00Z"), 5.0);
    let id = acme.register(&eui(1)).await;
    assert!(acme.ingest(uplink("Acme", 10)).await.ok().get("device_deleted").is_none());
    delete(&acme, &id).await.ok();
    assert_eq!(acme.ingest(uplink("Acme", 11)).await.ok()["device_deleted"], true);
    restore(&acme, &id).await.ok();
    assert!(acme.ingest(uplink("Acme", 12)).await.ok().get("device_deleted").is_none());
    let bulk = json!({ "device_ids": [id] });
    acme.post("/api/v1/devices/bulk-delete", bulk).await.ok();
    assert_eq!(acme.ingest(uplink("Acme", 13)).await.ok()["device_deleted"], true);
    globex.register(&eui(1)).await;
    globex.ingest(uplink("Globex", 14)).await.ok();
}

async fn restoring_gives_back_what_was_there(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let top = acme.register(&eui(1)).await;
    let id = below(&acme, 2, &top).await;
    acme.ingest(chirpstack("Acme", &eui(2), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    acme.put(&(at(&id) + "/status"), json!({ "status": "maintenance", "is_active": false }))
        .await
        .ok();
    let mut expected = look(&acme, &id).await;
    restore(&acme, &id).await.refused(404, "DEVICE_NOT_FOUND");
    delete(&acme, &id).await.ok();
    app.clock.advance(seconds(1));
    let answer = restore(&acme, &id).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("restored"));
    expected["is_active"] = json!(true);
    expected["updated_at"] = json!("2026-03-29T12:00:01+00:00");
    assert_eq!(answer.ok(), expected);
    assert_eq!(expected["status"], "maintenance");
    assert_eq!(look(&acme, &eui(2)).await, expected);
    restore(&acme, &id).await.refused(404, "DEVICE_NOT_FOUND");
    restore(&acme, &eui(2)).await.refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(restore(&acme, "nonsense").await.fields(), ["path.device_id"]);
}

async fn an_eui_means_the_device_that_was_deleted_last(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(acme.register(&eui(1)).await);
        delete(&acme, ids.last().unwrap()).await.ok();
        app.clock.advance(seconds(1));
    }
    // The second becomes the one that was deleted last.
    restore(&acme, &ids[1]).await.ok();
    let taken = restore(&acme, &ids[0]).await.refused(400, "DEVICE_ALREADY_EXISTS");
    assert_eq!(taken["details"], json!({ "device_id": ids[1], "dev_eui": eui(1), "name": eui(1) }));
    restore(&acme, &eui(1)).await.refused(404, "DEVICE_NOT_FOUND");
    delete(&acme, &ids[1]).await.ok();
    assert_eq!(restore(&acme, &eui(1)).await.ok()["id"], json!(ids[1]));
}
