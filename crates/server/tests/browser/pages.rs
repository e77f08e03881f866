//! The main pages of the demonstration: each can be used by everybody, whatever their device, and has its
//! picture taken for the documentation.

use std::path::{Path, PathBuf};

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, PHONE, Setup};
use crate::patience::until;
use crate::site::Site;

/// The pages, and what their pictures are called.
const PAGES: [(&str, &str); 7] = [
    ("/", "overview"),
    ("/devices", "fleet"),
    ("/hierarchy", "hierarchy"),
    ("/customers", "customers"),
    ("/end-users", "end-users"),
    ("/unregistered-devices", "unregistered-devices"),
    ("/settings", "settings"),
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

/// Looks at every page, and takes its picture.
async fn look(site: &Site, browser: &Browser, setup: Setup) {
    for (path, name) in PAGES {
        browser.go(&site.url(path)).await;
        assert_eq!(browser.path().await, path, "somewhere else");
        assert_accessible(browser).await;
        assert_fits(browser, path).await;
        let picture = browser.picture().await;
        assert!(picture.len() > 5_000, "nothing is seen of {path}");
        // Of other devices one picture is enough.
        let suffix = match setup {
            Setup::Light => "",
            Setup::Dark if path == "/" => "-dark",
            Setup::Phone if path == "/" => "-phone",
            Setup::Dark | Setup::Phone => continue,
        };
        if let Some(album) = album() {
            keep(&album, &format!("{name}{suffix}.png"), &picture);
        }
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_the_demonstration_are_for_everybody() {
    let mut site = Site::demonstration().await;
    let link = invitation(&site).await;
    Browser::with(Setup::Light, async |browser| {
        browser.go(&link).await;
        browser.sees("Sign out").await;
        look(&site, browser, Setup::Light).await;
    })
    .await;
    site.member("Demo Water", "ada@example.org", "admin").await;
    for setup in [Setup::Dark, Setup::Phone] {
        Browser::with(setup, async |browser| {
            site.sign_in(browser, "ada@example.org").await;
            let width = browser.run("return innerWidth").await;
            assert_eq!(width == PHONE, setup == Setup::Phone, "{width}");
            look(&site, browser, setup).await;
        })
        .await;
    }
}
