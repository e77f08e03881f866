//! Readings that come more than once.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, device, history};
use crate::support::*;

on_both_stores!(
    a_repeat_has_the_id_of_the_first_and_is_stored_once,
    many_at_once_are_one_reading,
    another_volume_or_time_is_another_reading,
    a_late_repeat_is_found_in_the_store_by_another_node_too,
);

async fn a_repeat_has_the_id_of_the_first_and_is_stored_once(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let time = app.clock.ago(hours(1));
    let mut ids = Vec::new();
    // The format does not matter: same device, time and volume are one reading.
    for (count, form) in (1..).zip(FORMATS.iter().chain(&FORMATS).chain(&FORMATS)) {
        let answer = acme.ingest((form.uplink)("Acme", EUI, &time, 1.5)).await;
        let result = answer.ok();
        let is_first = count == 1;
        assert_eq!(result["duplicate"], if is_first { Value::Null } else { json!(true) });
        assert_eq!(
            answer.header("x-ratelimit-remaining"),
            (100_000 - count).to_string(),
            "repeats count"
        );
        ids.push(result["id"].clone());
        let device = device(&acme).await;
        assert_eq!(device["message_count"], count);
        assert_eq!(device["last_seen_at"], app.clock.now().to_string());
        assert_eq!(device["last_reading_at"], time.as_str());
        app.clock.advance(seconds(60));
    }
    assert!(ids.iter().all(|id| *id == ids[0]));
    let history = acme.get(&format!("{DEVICES}/{EUI}/consumption")).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 1);
    assert_eq!(history[0]["id"], ids[0]);
    assert_eq!(history[0]["battery_level"], 3.6, "the first one's");
}

async fn many_at_once_are_one_reading(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let uplink = (FORMATS[0].uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.5);
    let posts: Vec<_> = (0..20)
        .map(|_| {
            let (acme, uplink) = (acme.clone(), uplink.clone());
            tokio::spawn(async move { acme.ingest(uplink).await.ok() })
        })
        .collect();
    let mut results = Vec::new();
    for post in posts {
        results.push(post.await.unwrap());
    }
    assert!(results.iter().all(|result| result["id"] == results[0]["id"]));
    assert_eq!(results.iter().filter(|result| result["duplicate"] == true).count(), 19);
    assert_eq!(history(&acme).await, [1.5]);
    assert_eq!(device(&acme).await["message_count"], 20);
}

async fn another_volume_or_time_is_another_reading(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    acme.register(&eui(1)).await;
    let (form, time) = (&FORMATS[1], app.clock.ago(hours(1)));
    let mut ids = Vec::new();
    for (dev_eui, time, volume) in [
        (EUI, &time, 1.5),
        (EUI, &time, 1.500_001),
        (EUI, &app.clock.ago(hours(1) - std::time::Duration::from_micros(1)), 1.5),
        (&eui(1), &time, 1.5),
    ] {
        let result = acme.ingest((form.uplink)("Acme", dev_eui, time, volume)).await.ok();
        assert_eq!(result["duplicate"], Value::Null);
        ids.push(result["id"].to_string());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    assert_eq!(history(&acme).await, [1.5, 1.500_001, 1.5]);
    // What is finer than a microsecond or a millilitre is not kept, so it does not tell readings apart.
    let finer = with(
        (form.uplink)("Acme", EUI, &time, 1.500_000_4),
        form.time,
        json!(time.replace("+00:00", ".0000009Z")),
    );
    assert_eq!(acme.ingest(finer).await.ok()["duplicate"], true);
}

async fn a_late_repeat_is_found_in_the_store_by_another_node_too(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for ago in 1..=3 {
        acme.ingest((FORMATS[0].uplink)("Acme", EUI, &app.clock.ago(hours(ago)), 1.0)).await.ok();
    }
    assert_eq!(history(&acme).await.len(), 3, "settled");
    let other = app.another_node().await;
    let there = other.actor(&acme);
    let repeat =
        there.ingest((FORMATS[1].uplink)("Acme", EUI, &app.clock.ago(hours(2)), 1.0)).await.ok();
    assert_eq!(repeat["duplicate"], true);
    let new =
        there.ingest((FORMATS[1].uplink)("Acme", EUI, &app.clock.ago(hours(2)), 1.1)).await.ok();
    assert_eq!(new["duplicate"], Value::Null);
    assert_eq!(history(&there).await.len(), 4);
}
