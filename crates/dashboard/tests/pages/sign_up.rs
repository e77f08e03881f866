//! Signing up, where the operator allows it.

use weir_testkit::app::{Answer, Store, Surroundings, TestApp};
use weir_testkit::on_both_stores;

use crate::sign_in::{next_link, with_cookies};

on_both_stores!(it_is_closed_by_default);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    on(Store::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres() {
    on(Store::Postgres).await;
}

async fn on(store: Store) {
    let open = Surroundings { sign_up: true, ..Surroundings::default() };
    let app = TestApp::start_among(store, open).await;
    a_proven_address_gets_a_reseller(&app).await;
    a_name_that_is_taken_can_be_changed(&app).await;
    an_open_link_makes_nothing(&app).await;
}

const EVE: &str = "eve@example.org";

async fn ask(app: &TestApp, name: &str, email: &str) -> Answer {
    app.browser().submit("/auth/sign-up", &[("name", name), ("email", email)]).await
}

async fn it_is_closed_by_default(app: TestApp) {
    assert_eq!(app.browser().get("/sign-up").await.status, 404);
    assert_eq!(ask(&app, "Eve Water", EVE).await.status, 404);
    assert_eq!(app.browser().get("/auth/sign-up/follow?token=x&name=Eve").await.status, 404);
    assert!(!app.browser().page("/sign-in").await.contains("/sign-up"));
}

async fn a_proven_address_gets_a_reseller(app: &TestApp) {
    assert!(app.browser().page("/sign-in").await.contains("/sign-up"));
    assert!(app.browser().page("/sign-up").await.contains(r#"name="name""#));
    let blank = ask(app, " ", "eve").await;
    assert_eq!(blank.status, 422);
    assert!(blank.text().contains("name-complaint") && blank.text().contains("email-complaint"));
    let asked = ask(app, "Eve & Sons", EVE).await;
    assert_eq!(asked.sent_on(), "/sign-in/sent");
    let link = next_link(app).await;
    assert_eq!(app.browser().get(&link).await.status, 400, "another browser");
    let followed = with_cookies(app.browser(), &asked).get(&link).await;
    assert_eq!(followed.sent_on(), "/");
    let eve = with_cookies(app.browser(), &followed);
    let page = eve.page("/").await;
    assert!(page.contains("Eve &#38; Sons") && page.contains(EVE), "{page}");
    assert!(page.contains("first API key") && !page.contains("View only"), "{page}");
    let again = with_cookies(app.browser(), &asked).get(&link).await;
    assert_eq!(again.status, 400, "it works once");
}

async fn a_name_that_is_taken_can_be_changed(app: &TestApp) {
    app.reseller("Globex").await;
    let asked = ask(app, "Globex", "bob@example.org").await;
    let browser = with_cookies(app.browser(), &asked);
    let link = next_link(app).await;
    let refused = browser.get(&link).await;
    assert_eq!((refused.status.as_u16(), refused.cookie("weir_session")), (422, ""));
    assert!(refused.text().contains(r#"value="Globex""#), "{}", refused.text());
    assert!(refused.text().contains("name-complaint"), "{}", refused.text());
    browser.get(&link.replace("Globex", "Globex+Two")).await.sent_on();
}

/// One that an operator handed over signs a member in, and nobody up.
async fn an_open_link_makes_nothing(app: &TestApp) {
    let email = weir_domain::person::Email::parse("ann@example.org").unwrap();
    let link = app.provider.open_link(email).unwrap();
    let token = link.split_once("token=").unwrap().1;
    let browser = app.browser().with_header("cookie", format!("weir_browser={token}"));
    let path = format!("/auth/sign-up/follow?token={token}&name=Squat");
    assert_eq!(browser.get(&path).await.status, 400);
}
