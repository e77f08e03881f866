//! Signing in at a provider of independent make, and by a link that a mail server of independent make
//! received.

mod hostile;
mod mail;
mod support;

use http::header::SET_COOKIE;
use serde_json::json;
use weir_domain::member::Role;
use weir_testkit::app::Store;
use weir_testkit::oidc::Browser;

use crate::support::seconds;
use support::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_signs_in_at_a_provider() {
    for store in [Store::Sqlite, Store::Postgres] {
        let world = World::on(store).await;
        let acme = world.app.reseller("Acme").await;
        world.app.member(&acme, "ada@example.org", Role::Admin).await;

        let started = world.start().await;
        let cookie = started.cookie.as_str();
        assert!(
            cookie.ends_with("; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure"),
            "{cookie}"
        );
        let back = Browser::new().sign_in(&started.location, "ada").await;
        let answer = world.finish(&started, &back).await;
        let data = answer.ok();
        assert_eq!(data["token_type"], "Bearer");
        assert_eq!(answer.headers["cache-control"], "no-store");
        let forgotten = answer.headers[SET_COOKIE].to_str().unwrap();
        assert!(forgotten.starts_with("weir_flow=; Path=/auth; Max-Age=0;"), "{forgotten}");

        // What it gives is as good as what a link gives.
        let refresh = json!({ "refresh_token": data["refresh_token"] });
        world.app.stranger().post("/auth/refresh", refresh).await.ok();
    }
}

#[tokio::test]
async fn a_browser_keeps_its_session_in_a_cookie_and_goes_on_to_its_page() {
    let world = World::on(Store::Sqlite).await;
    let acme = world.app.reseller("Acme").await;
    world.app.member(&acme, "ada@example.org", Role::Admin).await;
    let browser = world.app.browser();
    let page = browser.page("/sign-in?page=%2Fdevices").await;
    assert!(page.contains(r#"href="/auth/test/start?page=%2Fdevices""#), "{page}");
    for (wanted, page) in [("?page=%2Fdevices", "/devices"), ("?page=%2F%2Fevil", "/"), ("", "/")] {
        let begun = browser.get(&format!("/auth/test/start{wanted}")).await;
        let cookie = begun.header("set-cookie").to_owned();
        let started = Started { location: begun.sent_on().to_owned(), cookie };
        let back = Browser::new().sign_in(&started.location, "ada").await;
        let here = browser.clone().with_header("cookie", started.sent());
        let answer = here.get(&format!("/auth/test/callback?{}", back.query().unwrap())).await;
        assert_eq!(answer.sent_on(), page, "{wanted}");
        assert!(answer.body.is_empty() && answer.cookie("weir_flow").is_empty());
        let session = format!("weir_session={}", answer.cookie("weir_session"));
        let first = browser.clone().with_header("cookie", session).page("/").await;
        assert!(first.contains("ada@example.org"), "{first}");
    }
}

#[tokio::test]
async fn a_member_may_be_known_by_what_the_provider_calls_them() {
    let world = World::on(Store::Sqlite).await;
    let acme = world.app.reseller("Acme").await;
    world.member_by_subject(&acme, "nameless").await;
    world.sign_in("nameless").await.ok();
    world.sign_in("ada").await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn whoever_is_no_member_is_not_let_in_nor_by_an_address_that_was_not_verified() {
    let world = World::on(Store::Sqlite).await;
    let acme = world.app.reseller("Acme").await;
    world.app.member(&acme, "ada@example.org", Role::Admin).await;
    for name in ["grace", "mallory"] {
        let refused = world.sign_in(name).await;
        refused.refused(401, "INVALID_TOKEN");
        assert_eq!(refused.headers["www-authenticate"], "Bearer");
        assert_eq!(refused.headers["cache-control"], "no-store");
    }
    world.sign_in("ada").await.ok();
}

#[tokio::test]
async fn any_node_finishes_what_another_began() {
    let world = World::on(Store::Postgres).await;
    let acme = world.app.reseller("Acme").await;
    world.app.member(&acme, "ada@example.org", Role::Viewer).await;
    let other = World { app: world.app.another_node().await };
    let started = world.start().await;
    let back = Browser::new().sign_in(&started.location, "ada").await;
    other.finish(&started, &back).await.ok();
}

#[tokio::test]
async fn a_sign_in_has_ten_minutes() {
    let world = World::on(Store::Sqlite).await;
    let acme = world.app.reseller("Acme").await;
    world.app.member(&acme, "ada@example.org", Role::Admin).await;
    for (later, is_in_time) in [(599, true), (600, false)] {
        let started = world.start().await;
        let back = Browser::new().sign_in(&started.location, "ada").await;
        world.app.clock.advance(seconds(later));
        let answer = world.finish(&started, &back).await;
        if is_in_time {
            answer.ok();
        } else {
            answer.refused(401, "INVALID_TOKEN");
        }
        world.right_clock();
    }
}
