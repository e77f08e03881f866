//! Devices that send and are not registered.

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

on_both_stores!(
    what_is_heard_is_listed_and_adopted,
    all_of_a_page_are_adopted_at_once,
    what_cannot_be_adopted_is_told,
    anothers_customer_takes_none,
    a_viewer_looks_and_adopts_none,
);

const PATH: &str = "/unregistered-devices";
const EUIS: [&str; 2] = ["70b3d57ed02a3654", "70b3d57ed02a3655"];

async fn hear(acme: &Actor, tenant: &str) {
    for eui in EUIS {
        let uplink = chirpstack(tenant, eui, "2026-03-29T10:00:00Z", 12.5);
        acme.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
    }
}

async fn customer(acme: &Actor, name: &str) -> String {
    let created = acme.post("/api/v1/customers", json!({ "name": name })).await.ok();
    created["id"].as_str().unwrap().to_owned()
}

async fn devices(acme: &Actor) -> Vec<Value> {
    acme.get("/api/v1/devices").await.ok().as_array().unwrap().clone()
}

/// What the page that comes next tells.
async fn told(browser: &Actor, answer: &weir_testkit::app::Answer) -> String {
    let cookie = format!("weir_flash={}", answer.cookie("weir_flash"));
    browser.clone().with_header("cookie", cookie).page(answer.sent_on()).await
}

async fn what_is_heard_is_listed_and_adopted(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    assert!(ada.page(PATH).await.contains("No unregistered device has sent anything."));
    hear(&acme, "Acme").await;
    let page = ada.page(PATH).await;
    assert!(page.contains(EUIS[0]) && page.contains("from-chirpstack"), "{page}");
    assert!(page.contains("Create a customer") && !page.contains(r#"name="adopt""#));

    let quay = customer(&acme, "Quay").await;
    assert!(ada.page(PATH).await.contains(r#"name="adopt""#));
    let fields = [("customer", quay.as_str()), ("prefix", "B1 "), ("adopt", EUIS[0])];
    let adopted = ada.submit(PATH, &fields).await;
    assert_eq!(adopted.sent_on(), format!("{PATH}?customer={quay}"));
    let page = told(&ada, &adopted).await;
    assert!(page.contains("1 device is registered"), "{page}");
    assert!(page.contains(&format!(r#"<option value="{quay}" selected>"#)));
    assert!(page.contains(EUIS[1]) && !page.contains(EUIS[0]));
    let device = &devices(&acme).await[0];
    assert_eq!(
        (&device["name"], &device["customer_id"]),
        (&json!("B1 from-chirpstack"), &json!(quay))
    );
    assert_eq!(device["last_consumption_m3"], 12.5, "its reading is there");
}

async fn all_of_a_page_are_adopted_at_once(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    hear(&acme, "Acme").await;
    let quay = customer(&acme, "Quay").await;
    let fields = [("customer", quay.as_str()), ("shown", EUIS[0]), ("shown", EUIS[1])];
    let adopted = ada.submit(PATH, &fields).await;
    assert!(told(&ada, &adopted).await.contains("2 devices are registered"));
    assert_eq!(devices(&acme).await.len(), 2);
}

async fn what_cannot_be_adopted_is_told(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let quay = customer(&acme, "Quay").await;
    let nobody = ada.submit(PATH, &[("adopt", EUIS[0])]).await;
    assert!(told(&ada, &nobody).await.contains("Choose a customer and at least one device."));
    let unheard = ada.submit(PATH, &[("customer", &quay), ("adopt", EUIS[0])]).await;
    let page = told(&ada, &unheard).await;
    assert!(page.contains(&format!("{}: No such device.", EUIS[0])), "{page}");
}

async fn anothers_customer_takes_none(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    hear(&acme, "Acme").await;
    hear(&globex, "Globex").await;
    let theirs = customer(&globex, "Theirs").await;
    let refused = ada.submit(PATH, &[("customer", &theirs), ("adopt", EUIS[0])]).await;
    assert_eq!(refused.status, 404);
    assert!(devices(&acme).await.is_empty() && devices(&globex).await.is_empty());
}

async fn a_viewer_looks_and_adopts_none(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let vera = app.visitor(&acme, "vera@example.org", Role::Viewer).await;
    hear(&acme, "Acme").await;
    let quay = customer(&acme, "Quay").await;
    let page = vera.page(PATH).await;
    assert!(page.contains(EUIS[0]) && !page.contains(r#"name="adopt""#));
    let refused = vera.submit(PATH, &[("customer", &quay), ("adopt", EUIS[0])]).await;
    assert_eq!(refused.status, 403);
    assert!(devices(&acme).await.is_empty());
}
