//! A meter from its registration to its chart, and what is not seen of others' meters.

use fantoccini::key::Key;
use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::site::{ADA, Site, ingest, register};

const EUI: &str = "70b3d57ed02a3654";
/// Where a chart tells a day.
const TOLD: &str = "//figure//output";
/// What the address that one is at answers.
const STATUS: &str = "return fetch(location.href).then((answer) => answer.status)";

/// The bar of a day with readings, counted from the first.
fn bar(number: usize) -> String {
    format!(
        "(//*[name()='g'][@data-day][not(contains(@class, 'offline'))])[{number}]/*[name()='rect']"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_registered_and_shows_what_it_sends() {
    let (mut site, mut client) = Site::of_acme().await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.go(&site.url("/devices")).await;
        browser.press("Register a meter").await;
        browser.fill("EUI (16 hexadecimal characters)", "70b3").await;
        browser.fill("Name", "Main meter").await;
        browser.press("Register").await;
        browser.sees("must be exactly 16").await;
        assert_accessible(browser).await;
        browser.fill("EUI (16 hexadecimal characters)", EUI).await;
        browser.press("Register").await;
        browser.sees("Main meter is registered.").await;
        browser.sees("Nothing was read in these days.").await;

        // The day before yesterday 500 litres flowed, yesterday 1,500.
        ingest(&mut client, EUI, &[(3, 100.0), (2, 100.5), (1, 102.0)]).await;
        browser.go(&site.url(&format!("/devices/{EUI}"))).await;
        browser.sees("102.000 m³").await;
        browser.hover(&bar(3)).await;
        browser.reads(TOLD, ": 1.500 m³").await;
        browser.hover(&bar(2)).await;
        browser.reads(TOLD, ": 0.500 m³").await;

        browser.go(&site.url(&format!("/devices/{EUI}"))).await;
        browser.tab_to("Daily consumption of the last 30 days, 2.000 m³ in all.").await;
        browser.reads(TOLD, ": no readings").await;
        browser.keys(&[Key::Left]).await;
        browser.reads(TOLD, ": 1.500 m³").await;
        browser.keys(&[Key::Left]).await;
        browser.reads(TOLD, ": 0.500 m³").await;
        browser.keys(&[Key::Home]).await;
        browser.reads(TOLD, ": no readings").await;
        browser.keys(&[Key::End, Key::Left]).await;
        browser.reads(TOLD, ": 1.500 m³").await;
        assert_accessible(browser).await;
    })
    .await;
}

/// The chart of the overview is read as a device's is. Its last day is yesterday.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_seen_in_the_overview() {
    let (mut site, mut client) = Site::of_acme().await;
    register(&mut client, EUI, "Main meter").await;
    ingest(&mut client, EUI, &[(3, 100.0), (2, 100.5), (1, 102.0), (0, 102.1)]).await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        browser.hover(&bar(2)).await;
        browser.reads(TOLD, ": 0.500 m³").await;
        browser.go(&site.url("/")).await;
        browser.tab_to("Daily consumption of the last 30 days, 2.000 m³ in all.").await;
        browser.reads(TOLD, ": 1.500 m³").await;
        browser.keys(&[Key::Left]).await;
        browser.reads(TOLD, ": 0.500 m³").await;
        // A count leads to the meters that it counts.
        browser.press("1 Without an end user").await;
        browser.sees("Main meter").await;
        assert_eq!(browser.path().await, "/devices");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_another_reseller_is_not_found() {
    let (mut site, mut client) = Site::of_acme().await;
    let own = register(&mut client, EUI, "Main meter").await;
    let globex = site.home.reseller("Globex", &[]).await;
    let foreign = register(&mut site.server.client(&globex), "70b3d57ed02a3655", "Not yours").await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        for device in [&foreign, "70b3d57ed02a3655"] {
            browser.go(&site.url(&format!("/devices/{device}"))).await;
            assert_eq!(browser.heading().await, "There is nothing here");
            assert_eq!(browser.run(STATUS).await, 404);
            assert!(!browser.text().await.contains("Not yours"));
        }
        browser.go(&site.url(&format!("/devices/{own}"))).await;
        assert_eq!(browser.heading().await, "Main meter");
        assert_eq!(browser.run(STATUS).await, 200);
    })
    .await;
}

/// Wherever a name is shown, also where scripts put it, it stays a name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_name_of_a_script_runs_nothing() {
    const NAME: &str = "<script>hacked=1</script><svg onload=hacked=1>";
    let (mut site, mut client) = Site::of_acme().await;
    let top = register(&mut client, EUI, NAME).await;
    let below = register(&mut client, "70b3d57ed02a3655", NAME).await;
    register(&mut client, "70b3d57ed02a3656", "Plain").await;
    for (device, change) in
        [(&top, json!({ "is_principal": true })), (&below, json!({ "parent_device_id": top }))]
    {
        client.put(&format!("/api/v1/devices/{device}"), &change).await.data();
    }
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, ADA).await;
        let pages = ["/", "/devices", "/hierarchy", "/hierarchy?search=hacked"].map(str::to_owned);
        let moving = format!("/hierarchy/move?device={below}");
        for page in pages.into_iter().chain([format!("/devices/{below}"), moving]) {
            browser.go(&site.url(&page)).await;
            browser.sees(NAME).await;
            assert_eq!(browser.run("return typeof hacked").await, "undefined", "{page}");
        }
        browser.go(&site.url("/hierarchy")).await;
        browser.press(&format!("Move {NAME}")).await;
        browser.sees("Below which meter?").await;
        assert_eq!(browser.run("return typeof hacked").await, "undefined");
        browser.go(&site.url("/devices")).await;
        browser.sees("3 meters.").await;
        browser.fill("Search", "onload").await;
        browser.sees("2 meters.").await;
        assert_eq!(browser.run("return typeof hacked").await, "undefined");
    })
    .await;
}
