//! While the store is away.
//!
//! On SQLite alone: a PostgreSQL tells its nodes of their own changes a moment later once more, and
//! what that moment makes them ask for again would be a matter of luck.

use weir_testkit::app::{Store, TestApp, chirpstack, things_stack};

use crate::support::*;

/// Takes the store away for good.
async fn lose_store(app: &TestApp) {
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.close()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_told_to_come_again() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    lose_store(&app).await;
    let by_eui = format!("{DEVICES}/{EUI}");
    for answer in [
        acme.get(DEVICES).await,
        acme.get(&by_eui).await,
        acme.get(&format!("{by_eui}/consumption")).await,
        acme.get(UNREGISTERED).await,
        acme.post(REGISTER, meter(&eui(1))).await,
        acme.ingest(chirpstack("Acme", EUI, &app.clock.ago(hours(1)), 1.0)).await,
    ] {
        let told = answer.refused(503, "SERVICE_UNAVAILABLE");
        assert!(answer.header("retry-after").parse::<u32>().unwrap() > 0);
        assert_eq!(told["details"], serde_json::json!({}), "no inner message");
    }
    // What needs no store is told as ever.
    acme.get(&format!("{DEVICES}/x")).await.refused(400, "INVALID_DEVICE_ID");
    assert_eq!(acme.post_raw(REGISTER, "{").await.fields(), ["body"]);
    acme.get("/api/v1/nothing").await.refused(404, "NOT_FOUND");
    app.stranger().get(DEVICES).await.refused(401, "INVALID_API_KEY");
    app.stranger().get("/ping").await.ok();
    app.stranger().get("/health").await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn uplinks_of_devices_that_were_heard_before_are_taken() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    acme.ingest(chirpstack("Acme", EUI, &app.clock.ago(hours(2)), 1.0)).await.ok();
    acme.get(DEVICES).await.ok();
    lose_store(&app).await;
    let newer = acme.ingest(things_stack("acme", EUI, &app.clock.ago(hours(1)), 2.0)).await;
    assert_eq!(newer.ok()["consumption_liters"], 2000.0);
    assert_eq!(newer.header("x-ratelimit-remaining"), "99998");
    let unheard = chirpstack("Acme", &eui(1), &app.clock.ago(hours(1)), 1.0);
    acme.ingest(unheard).await.refused(503, "SERVICE_UNAVAILABLE");
    acme.get(DEVICES).await.refused(503, "SERVICE_UNAVAILABLE");
}
