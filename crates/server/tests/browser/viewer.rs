//! Who may only look: nothing that they are offered fails.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::browser::{Browser, Setup};
use crate::client::{Client, INGEST};
use crate::site::{ADA, Site, VERA, ingest, register, uplink};

/// Follows every link and every form that asks for something, from the overview on.
const WALK: &str = include_str!("walk.js");

/// What was found on a walk.
#[derive(Debug, Deserialize)]
struct Walk {
    /// The pages, without what stands for a device or a day in them.
    pages: BTreeSet<String>,
    /// Where forms that change something lead to.
    changes: BTreeSet<String>,
    /// What did not answer as it should.
    refused: Vec<String>,
}

/// Something on every page: a tree, an owner who moved out, an unregistered device.
async fn fill(client: &mut Client) {
    let quay = client.post("/api/v1/customers", &json!({ "name": "Quay" })).await.data();
    let main = register(client, "70b3d57ed02a3654", "Main meter").await;
    let flat = register(client, "70b3d57ed02a3655", "Flat").await;
    let change = json!({ "is_principal": true });
    client.put(&format!("/api/v1/devices/{main}"), &change).await.data();
    let below = json!({ "parent_device_id": main });
    client.put(&format!("/api/v1/devices/{flat}/parent"), &below).await.data();
    for name in ["Ann", "Bob"] {
        let end_user = json!({ "name": name, "customer_id": quay["id"] });
        let end_user = client.post("/api/v1/end-users", &end_user).await.data();
        let assign = json!({ "end_user_id": end_user["id"] });
        client.put(&format!("/api/v1/devices/{flat}/assign"), &assign).await.data();
    }
    for eui in ["70b3d57ed02a3654", "70b3d57ed02a3655"] {
        ingest(client, eui, &[(2, 1.0), (1, 2.0), (0, 3.0)]).await;
    }
    let unknown = client.post(INGEST, &uplink("70b3d57ed02a3657", 0, 1.0)).await;
    unknown.assert_error(404, "DEVICE_NOT_FOUND");
}

async fn walk(site: &mut Site, email: &str) -> Walk {
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, email).await;
        serde_json::from_value(browser.run(WALK).await).unwrap()
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_offered_nothing_that_fails() {
    let (mut site, mut client) = Site::of_acme().await;
    fill(&mut client).await;
    let [hers, others] = [walk(&mut site, VERA).await, walk(&mut site, ADA).await];
    for walk in [&hers, &others] {
        assert_eq!(walk.refused, [""; 0], "{:?}", walk.pages);
    }
    // They see the same pages, but for those that change something, and the same things on them.
    for page in ["/", "/devices", "/devices/*", "/devices/*/readings?day", "/customers/*"] {
        assert!(hers.pages.contains(page), "{page}: {:?}", hers.pages);
    }
    for page in ["/end-users/*", "/hierarchy", "/unregistered-devices", "/settings"] {
        assert!(hers.pages.contains(page), "{page}: {:?}", hers.pages);
    }
    let only_others: Vec<_> = others.pages.difference(&hers.pages).map(String::as_str).collect();
    assert_eq!(
        only_others,
        [
            "/customers/new",
            "/devices/*/edit",
            "/devices/import",
            "/devices/register",
            "/end-users/new",
            "/hierarchy/move?device",
            "/hierarchy/move?device&search",
        ]
    );
    // Signing out is all that she changes.
    assert_eq!(hers.changes, BTreeSet::from(["/sign-out".to_owned()]));
    for change in ["/devices/bulk", "/settings/keys/create", "/unregistered-devices"] {
        assert!(others.changes.contains(change), "{change}: {:?}", others.changes);
    }
}
