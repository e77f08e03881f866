//! The fleet: searching as one types, changing many meters at once, importing a table.

use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::patience::until;
use crate::site::{ADA, Site, register};

const MILL: &str = "70b3d57ed02a3654";
const QUAY: &str = "70b3d57ed02a3655";
const LOST: &str = "70b3d57ed02a3656";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_searched_as_one_types() {
    let (mut site, mut client) = Site::of_acme().await;
    register(&mut client, MILL, "Mill House").await;
    register(&mut client, QUAY, "Quay House").await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/devices")).await;
        browser.sees("2 meters.").await;
        browser.run("window.isSamePage = true").await;
        browser.fill("Search", "quay").await;
        browser.sees("1 meter.").await;
        let text = browser.text().await;
        assert!(text.contains("Quay House") && !text.contains("Mill House"), "{text}");
        // What is seen can be sent to others, and nothing was loaded anew.
        assert_eq!(browser.run("return location.search").await, "?search=quay");
        assert_eq!(browser.run("return window.isSamePage").await, true);
        browser.fill("Search", "nowhere").await;
        browser.sees("No meter fits this filter.").await;
        browser.press("Clear filter").await;
        browser.sees("2 meters.").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_changed_after_a_question_and_each_result_is_told() {
    let (mut site, mut client) = Site::of_acme().await;
    for (eui, name) in [(MILL, "Mill House"), (QUAY, "Quay House"), (LOST, "Lost House")] {
        register(&mut client, eui, name).await;
    }
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/devices")).await;
        browser.press("Maintenance…").await;
        browser.sees("Select at least one meter first.").await;
        browser.tick("Select Quay House").await;
        browser.tick("Select Lost House").await;
        browser.press("Maintenance…").await;
        browser.sees("2 meters are selected:").await;
        assert_accessible(browser).await;
        // Nothing is done before it is confirmed.
        let status = |meter: &serde_json::Value| meter["data"]["status"].clone();
        assert_eq!(status(&client.get(&format!("/api/v1/devices/{QUAY}")).await.body), "offline");
        // Meanwhile somebody else deletes one of them.
        client.delete(&format!("/api/v1/devices/{LOST}")).await.data();
        browser.press("Confirm").await;
        browser.sees("1 meter taken into maintenance, 1 failed.").await;
        let result = |name: &str| format!("//tr[th[normalize-space()='{name}']]/td");
        browser.reads(&result("Quay House"), "Done").await;
        browser.reads("//tr[td][1]/td", "No such device.").await;
        assert_accessible(browser).await;
        let now = async |eui: &str, client: &mut crate::client::Client| {
            status(&client.get(&format!("/api/v1/devices/{eui}")).await.body)
        };
        assert_eq!(now(QUAY, &mut client).await, "maintenance");
        assert_eq!(now(MILL, &mut client).await, "offline", "it was not selected");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_assigned_to_an_end_user() {
    let (mut site, mut client) = Site::of_acme().await;
    register(&mut client, MILL, "Mill House").await;
    client.post("/api/v1/end-users", &json!({ "name": "Bob" })).await.data();
    Browser::with(Setup::Phone, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url(&format!("/devices/{MILL}"))).await;
        browser.sees("Never assigned to anybody.").await;
        browser.press("Assign to end user…").await;
        browser.press("Confirm").await;
        browser.sees("Choose one of these.").await;
        assert_accessible(browser).await;
        browser.tick("Bob").await;
        browser.press("Confirm").await;
        browser.sees("1 meter assigned.").await;
        browser.reads("//section[@aria-labelledby='owners']//tbody/tr[1]/td[2]", "Bob").await;
        browser.reads("//section[@aria-labelledby='owners']//tbody/tr[1]/td[3]", ADA).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_imported_but_for_the_rows_that_are_bad() {
    let (mut site, mut client) = Site::of_acme().await;
    register(&mut client, LOST, "Old").await;
    let table = format!(
        "dev_eui,name,parent_dev_eui,is_principal\n{MILL},Mill House,,true\n{QUAY},Flat,{MILL},\n\
         {LOST},Again,,\nxyz,,,maybe\n"
    );
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/devices")).await;
        browser.press("Import CSV").await;
        browser.fill("… or paste the table", &table).await;
        browser.press("Preview").await;
        browser.sees("2 of 4 rows can be imported; 2 will be passed over.").await;
        let bad = |line: u8| format!("//table[1]//tr[th[normalize-space()='{line}']]/td[2]");
        browser.reads(&bad(4), "is registered already, as Old").await;
        for reason in ["dev_eui must be", "name must not be blank", "is_principal must be"] {
            browser.reads(&bad(5), reason).await;
        }
        assert_accessible(browser).await;
        let count = async |client: &mut crate::client::Client| {
            client.get("/api/v1/devices").await.list().len()
        };
        assert_eq!(count(&mut client).await, 1, "it is a preview");
        browser.press("Import these meters").await;
        browser.sees("2 meters registered, 2 rows passed over.").await;
        assert_eq!(count(&mut client).await, 3);
        let main = client.get(&format!("/api/v1/devices/{MILL}")).await.data();
        let (flat, _) = until(
            async || client.get(&format!("/api/v1/devices/{QUAY}")).await.data(),
            |flat| flat["name"] == "Flat",
        )
        .await;
        assert_eq!(flat["parent_device_id"], main["id"]);
    })
    .await;
}
