//! The billing summary.

use serde_json::json;
use weir_app::resellers::NewReseller;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const BILLING: &str = "/api/v1/reseller/billing";

on_both_stores!(live_active_devices_are_billed, the_tier_is_the_resellers,);

async fn live_active_devices_are_billed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    assert_eq!(
        acme.get(BILLING).await.ok(),
        json!({
            "subscription_tier": "starter",
            "active_devices": 0,
            "included_devices": 50,
            "overage_devices": 0,
            "base_cost": 49.0,
            "overage_cost": 0.0,
            "total_cost": 49.0,
            "currency": "EUR",
        })
    );
    let mut ids = Vec::new();
    for n in 0..54 {
        ids.push(acme.register(&eui(n)).await);
    }
    acme.put(&at(&ids[0]), json!({ "is_active": false })).await.ok();
    delete(&acme, &ids[1]).await.ok();
    let bill = acme.get(BILLING).await;
    let data = bill.ok();
    assert_eq!((&data["active_devices"], &data["overage_devices"]), (&json!(52), &json!(2)));
    assert_eq!((&data["overage_cost"], &data["total_cost"]), (&json!(1.8), &json!(50.8)));
    restore(&acme, &ids[1]).await.ok();
    acme.put(&(at(&ids[0]) + "/status"), json!({ "status": "auto", "is_active": true })).await.ok();
    // 4 × 0.90 is 3.6, not 3.5999999999999996.
    let text = String::from_utf8(acme.get(BILLING).await.body).unwrap();
    assert!(
        text.contains("\"overage_cost\":3.6,") && text.contains("\"total_cost\":52.6,"),
        "{text}"
    );
}

async fn the_tier_is_the_resellers(app: TestApp) {
    let big = app.reseller_as(NewReseller { tier: Some("enterprise".into()), ..reseller("Big") });
    let data = big.await.get(BILLING).await.ok();
    assert_eq!(
        (&data["subscription_tier"], &data["included_devices"], &data["base_cost"]),
        (&json!("enterprise"), &json!(5000), &json!(1990.0))
    );
}
