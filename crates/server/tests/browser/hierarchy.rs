//! The tree of meters, in which one is moved by a dialog, by dragging, and without scripts.

use serde_json::{Value, json};

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::client::Client;
use crate::site::{ADA, Site, register};

const FLAT: &str = "70b3d57ed02a3656";

/// The row of a meter.
fn row(name: &str) -> String {
    format!("//tr[@data-name='{name}']")
}

/// Two principal meters, and one that stands by itself below the first.
async fn buildings(client: &mut Client) -> [String; 3] {
    let mill = register(client, "70b3d57ed02a3654", "Mill House").await;
    let quay = register(client, "70b3d57ed02a3655", "Quay House").await;
    let flat = register(client, FLAT, "Flat").await;
    for principal in [&mill, &quay] {
        let change = json!({ "is_principal": true });
        client.put(&format!("/api/v1/devices/{principal}"), &change).await.data();
    }
    let below = json!({ "parent_device_id": mill });
    client.put(&format!("/api/v1/devices/{flat}/parent"), &below).await.data();
    [mill, quay, flat]
}

async fn parent(client: &mut Client) -> Value {
    client.get(&format!("/api/v1/devices/{FLAT}")).await.data()["parent_device_id"].take()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_changed_by_dragging() {
    let (mut site, mut client) = Site::of_acme().await;
    let [mill, quay, _] = buildings(&mut client).await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/hierarchy")).await;
        browser.drag(&row("Flat"), &row("Quay House")).await;
        browser.sees("Move this meter?").await;
        browser.reads("//dialog[@open]", "Flat below Quay House").await;
        assert_eq!(parent(&mut client).await, mill.as_str(), "it is asked first");
        assert_accessible(browser).await;
        browser.press_in_dialog("Cancel").await;
        browser.drag(&row("Flat"), &row("Quay House")).await;
        browser.press_in_dialog("Move").await;
        browser.sees("Flat is at level 1 now.").await;
        assert_eq!(browser.path().await, "/hierarchy");
        assert_eq!(parent(&mut client).await, quay.as_str());

        browser.drag(&row("Flat"), "//*[@data-no-parent]").await;
        browser.press_in_dialog("Move").await;
        browser.sees("Flat is at level 0 now.").await;
        assert_eq!(parent(&mut client).await, Value::Null);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_changed_in_a_dialog() {
    let (mut site, mut client) = Site::of_acme().await;
    let [_, quay, _] = buildings(&mut client).await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/hierarchy")).await;
        browser.press("Move Flat").await;
        browser.reads("//dialog[@open]", "Below which meter?").await;
        assert_eq!(browser.path().await, "/hierarchy");
        assert_accessible(browser).await;
        browser.tick("Quay House").await;
        browser.press_in_dialog("Move").await;
        browser.sees("Flat is at level 1 now.").await;
        assert_eq!(parent(&mut client).await, quay.as_str());
    })
    .await;
}

/// What a rule refuses is told, and the choice can be made anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn never_becomes_a_circle() {
    let (mut site, mut client) = Site::of_acme().await;
    buildings(&mut client).await;
    Browser::with(Setup::Phone, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/hierarchy/move?device=70b3d57ed02a3654")).await;
        browser.tick("Flat").await;
        browser.press("Move").await;
        browser.reads("//*[@id='parent-complaint']", "its own parent or ancestor").await;
        assert_eq!(browser.heading().await, "Move Mill House");
        assert_accessible(browser).await;
    })
    .await;
}
