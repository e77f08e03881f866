//! How the fleet is.

use std::time::Duration;

use weir_domain::member::Role;
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

on_both_stores!(
    an_empty_fleet_says_what_to_do_next,
    the_fleet_is_counted_and_what_it_consumed,
    meters_to_look_at_are_named,
    another_resellers_fleet_is_not_seen,
);

const ADA: &str = "ada@example.org";
const MAIN: &str = "70b3d57ed02a3654";
const SUB: &str = "70b3d57ed02a3655";

/// The figure before a label.
fn figure<'a>(page: &'a str, label: &str) -> &'a str {
    let end = page.find(&format!("</span> <span class=\"label\">{label}")).expect("a figure");
    page[..end].rsplit('>').next().unwrap_or_default()
}

async fn an_empty_fleet_says_what_to_do_next(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let page = app.visitor(&acme, ADA, Role::Viewer).await.page("/").await;
    for said in ["No meters yet", "No finished day yet", "Nothing to look at"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert_eq!(figure(&page, "Meters"), "0");
}

async fn the_fleet_is_counted_and_what_it_consumed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Admin).await;
    let main = acme.register(MAIN).await;
    let sub = acme.register(SUB).await;
    let parent = serde_json::json!({ "parent_device_id": main });
    acme.put(&format!("/api/v1/devices/{sub}/parent"), parent).await.ok();
    // Noon of three days: what was consumed between them is of the second and third.
    for (hours, volume) in [(48, 100.0), (24, 101.5), (0, 104.0)] {
        let time = app.clock.ago(Duration::from_secs(hours * 60 * 60));
        for (eui, share) in [(MAIN, 1.0), (SUB, 0.5)] {
            acme.ingest(chirpstack("Acme", eui, &time, volume * share)).await.ok();
        }
    }
    let page = ada.page("/").await;
    assert_eq!((figure(&page, "Meters"), figure(&page, "Online")), ("2", "2"));
    assert_eq!((figure(&page, "Offline"), figure(&page, "New in 7 days")), ("0", "2"));
    assert_eq!(figure(&page, "Without a customer"), "2");
    assert!(page.contains("28 Mar 2026: 1.500 m³"), "the sub-meter counts once: {page}");
    assert!(page.contains("<strong>1.500 m³</strong>"), "today is not over: {page}");
    assert!(page.contains("<strong>6</strong> of 100,000"), "{page}");
    assert!(page.contains("starter") && page.contains("EUR"), "{page}");
}

async fn meters_to_look_at_are_named(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Admin).await;
    let never = serde_json::json!({
        "dev_eui": MAIN, "name": "<script>alert(1)</script>", "device_type": "water_meter"
    });
    acme.post("/api/v1/devices/register", never).await.ok();
    let id = acme.register(SUB).await;
    for (hours, volume) in [(72, 100.0), (48, 3.0), (24, 4.0), (0, 5.0)] {
        let time = app.clock.ago(Duration::from_secs(hours * 60 * 60));
        let mut uplink = chirpstack("Acme", SUB, &time, volume);
        uplink["object"]["batteryVoltage"] = 3.1.into();
        acme.ingest(uplink).await.ok();
    }
    let page = ada.page("/").await;
    assert!(page.contains("&#60;script&#62;") && !page.contains("<script>"), "{page}");
    assert!(page.contains("Never heard"), "{page}");
    assert!(page.contains(&format!("/devices/{id}")) && page.contains("Counter fell"), "{page}");
    assert!(page.contains("Battery low (3.1)"), "{page}");
}

async fn another_resellers_fleet_is_not_seen(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    globex.register(MAIN).await;
    let page = app.visitor(&acme, ADA, Role::Admin).await.page("/").await;
    assert_eq!(figure(&page, "Meters"), "0");
    assert!(!page.contains(MAIN) && page.contains("Nothing to look at"));
}
