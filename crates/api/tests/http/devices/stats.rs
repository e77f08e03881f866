//! Counting the fleet.

use std::time::Duration;

use serde_json::json;
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

const STATS: &str = "/api/v1/devices/stats";

on_both_stores!(live_devices_are_counted,);

async fn live_devices_are_counted(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let counts = |total: u64, new: u64, unassociated: u64, unassigned: u64| {
        json!({
            "total": total,
            "new_7_days": new,
            "unassociated": unassociated,
            "unassigned_users": unassigned,
        })
    };
    assert_eq!(acme.get(STATS).await.ok(), counts(0, 0, 0, 0));
    let north = customer(&acme, "North").await;
    let (ada, cyd) =
        (end_user(&acme, "Ada", Some(&north)).await, end_user(&acme, "Cyd", None).await);
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(acme.register(&eui(n)).await);
    }
    assign(&acme, &ids[0], Some(&ada)).await;
    give(&acme, &ids[1], &north).await;
    assign(&acme, &ids[2], Some(&cyd)).await;
    for n in [0, 3] {
        acme.ingest(chirpstack("Acme", &eui(n), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    }
    delete(&acme, &ids[4]).await.ok();
    let of = |query: String| format!("{STATS}?{query}");
    assert_eq!(acme.get(STATS).await.ok(), counts(4, 2, 2, 2));
    assert_eq!(acme.get(&of(format!("customer_id={north}"))).await.ok(), counts(2, 1, 0, 1));
    assert_eq!(acme.get(&of(format!("customer={north}"))).await.ok(), counts(2, 1, 0, 1));
    assert_eq!(acme.get(&of("customer=unassociated".into())).await.ok(), counts(2, 1, 2, 1));
    assert_eq!(acme.get(&of(format!("customer={NOBODY}"))).await.ok(), counts(0, 0, 0, 0));
    let none = of(format!("customer=unassociated&customer_id={north}"));
    assert_eq!(acme.get(&none).await.ok(), counts(0, 0, 0, 0));

    let week = days(7);
    app.clock.advance(week);
    assert_eq!(acme.get(STATS).await.ok()["new_7_days"], 2);
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(acme.get(STATS).await.ok()["new_7_days"], 0);
    let globex = app.reseller("Globex").await;
    assert_eq!(globex.get(STATS).await.ok(), counts(0, 0, 0, 0));
}
