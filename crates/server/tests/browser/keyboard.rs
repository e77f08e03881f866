//! Whoever has no mouse: a meter is registered and assigned by keys alone.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{Browser, Setup};
use crate::site::{ADA, Site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_enough_to_register_and_to_assign() {
    let (mut site, mut client) = Site::of_acme().await;
    for name in ["Ann", "Bob"] {
        client.post("/api/v1/end-users", &json!({ "name": name })).await.data();
    }
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        // The first stop leads past the list of pages.
        browser.go(&site.url("/devices")).await;
        browser.keys(&[Key::Tab]).await;
        assert_eq!(browser.focus().await, "Skip to the content");
        browser.keys(&[Key::Enter]).await;
        browser.tab_to("Register a meter").await;
        browser.keys(&[Key::Enter]).await;
        browser.sees("Cancel").await;
        browser.tab_to("EUI (16").await;
        browser.types("70b3d57ed02a3654").await;
        browser.tab_to("Name").await;
        browser.types("Main meter").await;
        browser.tab_to("Principal meter").await;
        browser.types(" ").await;
        browser.tab_to("Register").await;
        browser.keys(&[Key::Enter]).await;
        browser.sees("Main meter is registered.").await;

        browser.tab_to("Assign to end user…").await;
        browser.keys(&[Key::Enter]).await;
        browser.sees("For whom?").await;
        // One stop for all of them, within which the arrows lead on: nobody, Ann, Bob.
        browser.tab_to("Nobody").await;
        browser.keys(&[Key::Down, Key::Down]).await;
        assert!(browser.focus().await.starts_with("Bob"));
        browser.tab_to("Confirm").await;
        browser.keys(&[Key::Enter]).await;
        browser.sees("1 meter assigned.").await;
    })
    .await;
    let meter = client.get("/api/v1/devices/70b3d57ed02a3654").await.data();
    let bob = client.get("/api/v1/end-users?search=Bob").await.list();
    assert_eq!((&meter["end_user_id"], &meter["is_principal"]), (&bob[0]["id"], &json!(true)));
}
