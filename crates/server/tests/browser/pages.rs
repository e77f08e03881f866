//! The main pages of the demonstration: each can be used by everybody, whatever their device, and has its
//! picture taken for the documentation.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, PHONE, Setup};
use crate::client::INGEST;
use crate::patience::until;
use crate::site::{ADA, Site, uplink};

/// A page, and what its picture is called where one is taken.
type Page = (&'static str, Option<&'static str>);

/// The pages of those who are not signed in.
const OPEN: [Page; 3] =
    [("/sign-in", Some("sign-in")), ("/sign-in/sent", None), ("/sign-up", None)];

/// The pages of a member of the demonstration: one of its meters is silent, another one was replaced.
const PAGES: [Page; 17] = [
    ("/", Some("overview")),
    ("/devices", Some("fleet")),
    ("/devices/register", None),
    ("/devices/import", None),
    ("/devices/70b3d57ed0de0004", Some("device")),
    ("/devices/70b3d57ed0de0303?days=365", None),
    ("/devices/70b3d57ed0de0303/readings", None),
    ("/devices/70b3d57ed0de0303/edit", None),
    ("/hierarchy", Some("hierarchy")),
    ("/hierarchy/move?device=70b3d57ed0de0303", None),
    ("/customers", Some("customers")),
    ("/customers/new", None),
    ("/end-users", Some("end-users")),
    ("/end-users/new", None),
    ("/unregistered-devices", Some("unregistered-devices")),
    ("/settings", Some("settings")),
    ("/choose", None),
];

/// The largest that a page may be, in bytes, as it is read.
const LARGEST: u64 = 150_000;

/// Where the pictures go, where somebody wants them: `make screenshots`.
fn album() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "where pictures go is no setting of the service")]
    std::env::var_os("WEIR_SCREENSHOTS").map(PathBuf::from)
}

/// The link that the demonstration prints, which signs straight in.
async fn invitation(site: &Site) -> String {
    let link = |said: &str| {
        let mut words = said.split_whitespace();
        words.find(|word| word.starts_with("http") && word.contains("token=")).map(str::to_owned)
    };
    until(async || link(&site.server.said()), Option::is_some).await.0.unwrap()
}

/// Goes to pages and looks at each.
async fn look_at(pages: &[Page], site: &Site, browser: &Browser, setup: Setup) {
    for (address, name) in pages {
        browser.go(&site.url(address)).await;
        let path = address.split('?').next().unwrap();
        assert_eq!(browser.path().await, path, "somewhere else");
        inspect(browser, setup, address, *name).await;
    }
}

/// Looks at the pages that come between a choice and its confirmation.
async fn look_at_questions(site: &Site, browser: &Browser, setup: Setup) {
    const TABLE: &str = "dev_eui,name,parent_dev_eui,is_principal\n\
        70b3d57ed0de0500,\"Pump House, principal\",,true\n\
        70b3d57ed0de0501,\"Pump House, flat 1\",70b3d57ed0de0500,\n\
        70b3d57ed0de0502,\"Pump House, flat 2\",70b3d57ed0de0500,\n\
        70b3d57ed0de0101,Again,,\n70b3d57ed0de05,,,maybe\n";
    browser.go(&site.url("/devices/import")).await;
    browser.fill("… or paste the table", TABLE).await;
    browser.press("Preview").await;
    browser.sees("2 will be passed over.").await;
    inspect(browser, setup, "a preview", Some("import")).await;
    for action in ["Assign to end user…", "Delete…"] {
        browser.go(&site.url("/devices/70b3d57ed0de0303")).await;
        browser.press(action).await;
        browser.sees("Confirm").await;
        inspect(browser, setup, action, None).await;
    }
}

/// Looks at a page, and takes its picture where somebody wants it.
async fn inspect(browser: &Browser, setup: Setup, page: &str, name: Option<&str>) {
    assert_accessible(browser).await;
    assert_fits(browser, page).await;
    // Of other devices two pictures are enough.
    let suffix = match (setup, name) {
        (Setup::Light, Some(_)) => "",
        (Setup::Dark, Some("overview" | "device")) => "-dark",
        (Setup::Phone, Some("overview" | "device")) => "-phone",
        _ => return,
    };
    let picture = browser.picture().await;
    assert!(picture.len() > 5_000, "nothing is seen of {page}");
    if let (Some(album), Some(name)) = (album(), name) {
        keep(&album, &format!("{name}{suffix}.png"), &picture);
    }
}

/// A page is as wide as its window, and no larger than people with a poor line can bear.
async fn assert_fits(browser: &Browser, path: &str) {
    const WIDTHS: &str = "const root = document.documentElement;
        return root.scrollWidth - root.clientWidth";
    const SIZE: &str = "const entries = [...performance.getEntriesByType('navigation'),
            ...performance.getEntriesByType('resource')];
        return entries.reduce((sum, entry) => sum + entry.decodedBodySize, 0)";
    assert_eq!(browser.run(WIDTHS).await, 0, "{path} has to be scrolled sideways");
    let size = browser.run(SIZE).await.as_u64();
    assert!(size.is_some_and(|size| size > 0 && size < LARGEST), "{path} has {size:?} bytes");
}

fn keep(album: &Path, name: &str, picture: &[u8]) {
    std::fs::create_dir_all(album).unwrap();
    std::fs::write(album.join(name), picture).unwrap();
}

/// Somebody's network server, whose new meter nobody has registered.
async fn send_from_a_stranger(site: &Site) {
    let words = ["api-key", "create", "--reseller", "Demo Water", "--name", "network server"];
    let key = site.home.run(&words).await.json();
    let mut unknown = uplink("70b3d57ed0de0500", 0, 1.0);
    unknown["deviceInfo"]["tenantName"] = json!("Demo Water");
    let answer = site.server.client(key["api_key"].as_str().unwrap()).post(INGEST, &unknown).await;
    answer.assert_error(404, "DEVICE_NOT_FOUND");
}

/// Goes over all pages of the demonstration.
async fn go_over_them(setup: Setup) {
    let mut site = Site::demonstration().await;
    let link = invitation(&site).await;
    send_from_a_stranger(&site).await;
    site.member("Demo Water", ADA, "admin").await;
    Browser::with(setup, async |browser| {
        look_at(&OPEN, &site, browser, setup).await;
        match setup {
            Setup::Light => browser.go(&link).await,
            Setup::Dark | Setup::Phone => site.sign_in(browser, ADA).await,
        }
        browser.sees("Sign out").await;
        let width = browser.run("return innerWidth").await;
        assert_eq!(width == PHONE, setup == Setup::Phone, "{width}");
        look_at(&PAGES, &site, browser, setup).await;
        look_at_questions(&site, browser, setup).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn are_for_everybody() {
    go_over_them(Setup::Light).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn are_for_everybody_in_the_dark() {
    go_over_them(Setup::Dark).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn are_for_everybody_on_a_phone() {
    go_over_them(Setup::Phone).await;
}
