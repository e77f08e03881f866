//! Customers, and the devices that are adopted for them.

use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::client::INGEST;
use crate::site::Site;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_that_was_heard_is_adopted_for_a_new_customer() {
    const EUI: &str = "70b3d57ed02a3654";
    let mut site = Site::open().await;
    let key = site.home.reseller("Acme", &[]).await;
    site.member("Acme", "ada@example.org", "admin").await;
    let uplink = json!({
        "deviceInfo": { "tenantName": "Acme", "deviceName": "<script>", "devEui": EUI },
        "time": "2026-03-29T10:00:00Z",
        "object": { "cumulativeFlowM3": 12.5 },
    });
    let mut client = site.server.client(&key);
    client.post(INGEST, &uplink).await.assert_error(404, "DEVICE_NOT_FOUND");
    Browser::with(Setup::Phone, async |browser| {
        site.sign_in(browser, "ada@example.org").await;
        browser.go(&site.url("/unregistered-devices")).await;
        browser.press("Create a customer").await;
        assert_accessible(browser).await;
        browser.fill("E-mail", "office").await;
        browser.run("document.querySelector('main form').noValidate = true").await;
        browser.press("Create the customer").await;
        // What is wrong stands beside its field, and what was typed is still there.
        browser.sees("must not be blank").await;
        browser.sees("must be an e-mail address").await;
        assert_accessible(browser).await;
        browser.fill("Name", "Quay").await;
        browser.fill("E-mail", "office@example.org").await;
        browser.press("Create the customer").await;
        browser.sees("Customer Quay is created.").await;

        browser.go(&site.url("/unregistered-devices")).await;
        browser.sees("<script>").await;
        browser.choose("Adopt for customer", "Quay").await;
        browser.press("Adopt").await;
        browser.sees("1 device is registered").await;
    })
    .await;
    let device = client.get(&format!("/api/v1/devices/{EUI}")).await.body["data"].clone();
    assert_eq!((&device["name"], &device["status"]), (&json!("<script>"), &json!("online")));
}
