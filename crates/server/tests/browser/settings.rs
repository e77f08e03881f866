//! What an administrator does in the settings, and what a viewer cannot.

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::site::Site;

/// The key that the page shows.
const REVEALED: &str = "return document.getElementById('revealed-key')?.textContent ?? null";

/// The key that the page shows, which has to be there.
async fn revealed(browser: &Browser) -> String {
    browser.press("Reveal").await;
    browser.sees("weir_").await;
    browser.run(REVEALED).await.as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_revealed_and_rotated() {
    let mut site = Site::open().await;
    let first = site.home.reseller("Acme", &[]).await;
    site.member("Acme", "ada@example.org", "admin").await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, "ada@example.org").await;
        browser.go(&site.url("/settings")).await;
        assert!(browser.run(REVEALED).await.is_null());
        assert_eq!(revealed(browser).await, first);
        assert_accessible(browser).await;
        browser.unfold("Rotate").await;
        browser.press("Rotate the key").await;
        browser.sees("The key default is rotated.").await;
        let second = revealed(browser).await;
        assert_ne!(second, first);
        for (key, status) in [(&first, 401), (&second, 200)] {
            let answer = site.server.client(key).get("/api/v1/devices").await;
            assert_eq!(answer.status, status);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_viewer_looks() {
    let mut site = Site::open().await;
    site.home.reseller("Acme", &[]).await;
    site.member("Acme", "vera@example.org", "viewer").await;
    Browser::with(Setup::Light, async |browser| {
        site.sign_in(browser, "vera@example.org").await;
        browser.sees("View only").await;
        for (path, buttons) in [
            ("/settings", &["Reveal", "Create the key", "Add the member", "Add the name"][..]),
            ("/customers", &["New customer"]),
            ("/end-users", &["New end user"]),
        ] {
            browser.go(&site.url(path)).await;
            assert_eq!(browser.path().await, path);
            for button in buttons {
                assert!(!browser.offers(button).await, "{path} offers {button}");
            }
        }
        browser.go(&site.url("/customers/new")).await;
        assert_eq!(browser.heading().await, "That is not allowed");
    })
    .await;
}
