//! Setting the status of many devices, and deleting many.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

const STATUS: &str = "/api/v1/devices/bulk-status";
const DELETE: &str = "/api/v1/devices/bulk-delete";

on_both_stores!(
    each_device_stands_for_itself,
    bodies_are_refused_at_their_limits,
    a_thousand_at_once,
);

async fn each_device_stands_for_itself(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let (a, b) = (acme.register(&eui(1)).await, acme.register(&eui(2)).await);
    let (gone, foreign) = (acme.register(&eui(3)).await, globex.register(&eui(4)).await);
    delete(&acme, &gone).await.ok();
    acme.ingest(chirpstack("Acme", &eui(1), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    let ids = json!([foreign, b, NOBODY, a, b, gone, foreign]);

    for (status, of_a, of_b) in
        [("maintenance", "maintenance", "maintenance"), ("auto", "online", "offline")]
    {
        let answer = acme.post(STATUS, json!({ "device_ids": ids, "status": status })).await;
        let data = answer.ok();
        assert!(answer.json()["message"].as_str().unwrap().contains(status));
        assert_eq!(each(&data["succeeded"], "id"), [json!(b), json!(a)]);
        assert_eq!(each(&data["succeeded"], "status"), [json!(of_b), json!(of_a)]);
        assert!(data["succeeded"][0].get("end_user_id").is_some());
        let failed = |id: &str| json!({ "device_id": id, "error": "DEVICE_NOT_FOUND", "message": "No such device." });
        assert_eq!(data["failed"], json!([failed(&foreign), failed(NOBODY), failed(&gone)]));
        assert_eq!(look(&acme, &a).await["status"], of_a);
    }

    let answer = acme.post(DELETE, json!({ "device_ids": ids })).await;
    let data = answer.ok();
    let deleted = |id: &str| json!({ "device_id": id, "deleted_at": "2026-03-29T12:00:00+00:00" });
    assert_eq!(data["succeeded"], json!([deleted(&b), deleted(&a)]));
    assert_eq!(each(&data["failed"], "device_id"), [json!(foreign), json!(NOBODY), json!(gone)]);
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("historical data is preserved"), "{message}");
    assert_eq!(acme.get(DEVICES).await.ok(), json!([]));
    assert_eq!(look(&globex, &foreign).await["is_active"], true);
    // Their EUIs are free.
    let again = acme.register(&eui(1)).await;
    restore(&acme, &a).await.refused(400, "DEVICE_ALREADY_EXISTS");
    delete(&acme, &again).await.ok();
    assert_eq!(restore(&acme, &a).await.ok()["is_active"], true);
}

async fn bodies_are_refused_at_their_limits(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let over = vec![NOBODY; 1001];
    let lists = [
        (json!([]), "body.device_ids"),
        (json!(over), "body.device_ids"),
        (json!(NOBODY), "body.device_ids"),
        (json!(null), "body.device_ids"),
        (json!([NOBODY, "x"]), "body.device_ids.1"),
        (json!([eui(1)]), "body.device_ids.0"),
        (json!([null]), "body.device_ids.0"),
        (json!([7]), "body.device_ids.0"),
    ];
    for (ids, field) in lists {
        let body = json!({ "device_ids": ids, "status": "auto" });
        assert_eq!(acme.post(STATUS, body.clone()).await.fields(), [field], "{ids}");
        assert_eq!(acme.post(DELETE, body).await.fields(), [field], "{ids}");
    }
    assert_eq!(acme.post(DELETE, json!({})).await.fields(), ["body.device_ids"]);
    assert_eq!(acme.post(STATUS, json!({})).await.fields(), ["body.device_ids", "body.status"]);
    let with = |status: Value| json!({ "device_ids": [NOBODY], "status": status });
    for word in ["online", "offline", "", "Auto"] {
        acme.post(STATUS, with(json!(word))).await.refused(400, "INVALID_STATUS");
    }
    for status in [json!(null), json!(1), json!(["auto"])] {
        assert_eq!(acme.post(STATUS, with(status)).await.fields(), ["body.status"]);
    }
    // The schema comes before the word.
    let both = json!({ "device_ids": [], "status": "online" });
    assert_eq!(acme.post(STATUS, both).await.fields(), ["body.device_ids"]);
    let full = vec![NOBODY; 1000];
    let data = acme.post(DELETE, json!({ "device_ids": full })).await.ok();
    assert_eq!(data["failed"].as_array().unwrap().len(), 1);
}

async fn a_thousand_at_once(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let mut ids = Vec::new();
    for n in 0..200 {
        ids.push(acme.register(&eui(n)).await);
    }
    ids.reverse();
    let absent = (0..800).map(|n| uuid::Uuid::from_u128(n).to_string());
    let all: Vec<String> = ids.iter().cloned().chain(absent).collect();
    let body = json!({ "device_ids": all, "status": "maintenance" });
    let data = acme.post(STATUS, body).await.ok();
    assert_eq!(each(&data["succeeded"], "id"), ids.iter().map(|id| json!(id)).collect::<Vec<_>>());
    assert_eq!(data["failed"].as_array().unwrap().len(), 800);
    let data = acme.post(DELETE, json!({ "device_ids": all })).await.ok();
    assert_eq!(data["succeeded"].as_array().unwrap().len(), 200);
    assert_eq!(acme.get(DEVICES).await.header("x-total-count"), "0");
}
