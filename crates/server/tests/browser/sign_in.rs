//! Signing in by the link that comes by mail, and out again.

use crate::accessibility::assert_accessible;
use crate::browser::{Browser, Setup};
use crate::site::{Site, link_in};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_the_link_in_the_mail() {
    let mut site = Site::open().await;
    site.home.reseller("Acme", &[]).await;
    site.member("Acme", "ada@example.org", "admin").await;
    Browser::with(Setup::Light, async |browser| {
        // Whoever is not signed in is asked to, and then comes to where they wanted to go.
        browser.go(&site.url("/customers")).await;
        assert_eq!(browser.path().await, "/sign-in");
        assert_accessible(browser).await;
        browser.fill("E-mail address", "ada@example.org").await;
        browser.press("Send me a link").await;
        browser.sees("mail").await;
        assert_accessible(browser).await;
        let letter = site.letter().await;
        assert_eq!(letter.to, ["ada@example.org"]);
        let link = link_in(&letter);
        browser.go(&link).await;
        browser.sees("Acme").await;
        assert_eq!(browser.path().await, "/customers");

        browser.press("Sign out").await;
        browser.go(&site.url("/customers")).await;
        assert_eq!(browser.path().await, "/sign-in");
        // A link works once.
        browser.go(&link).await;
        browser.go(&site.url("/customers")).await;
        assert_eq!(browser.path().await, "/sign-in");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn not_in_another_browser() {
    let mut site = Site::open().await;
    site.home.reseller("Acme", &[]).await;
    site.member("Acme", "ada@example.org", "admin").await;
    Browser::with(Setup::Light, async |hers| {
        hers.go(&site.url("/sign-in")).await;
        hers.fill("E-mail address", "ada@example.org").await;
        hers.press("Send me a link").await;
        let link = link_in(&site.letter().await);
        Browser::with(Setup::Light, async |anothers| {
            anothers.go(&link).await;
            anothers.go(&site.url("/")).await;
            assert_eq!(anothers.path().await, "/sign-in");
        })
        .await;
        // Nor is it used up by that.
        hers.go(&link).await;
        hers.sees("Acme").await;
    })
    .await;
}
