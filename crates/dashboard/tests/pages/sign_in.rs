//! Signing in with a browser, and out.

use std::time::Duration;

use weir_domain::member::Role;
use weir_domain::person::Email;
use weir_testkit::app::{Actor, Answer, PUBLIC_URL, TestApp};
use weir_testkit::on_both_stores;

on_both_stores!(
    a_link_signs_a_browser_in_and_leads_to_the_page_that_was_wanted,
    another_browser_is_refused_with_a_way_in,
    an_unknown_address_is_answered_alike,
    what_is_no_address_is_told_beside_the_field,
    those_who_ask_too_often_are_told,
    nobody_is_led_elsewhere,
    signing_out_ends_the_session,
    who_is_no_member_any_more_can_sign_out,
    a_form_above_the_limit_is_refused_as_such,
    an_open_link_is_good_in_any_browser_once,
    an_open_link_is_honoured_by_the_process_that_made_it,
    a_member_who_was_removed_is_out,
);

const ADA: &str = "ada@example.org";

/// A browser with the cookies that an answer sets.
pub(crate) fn with_cookies(browser: Actor, answer: &Answer) -> Actor {
    let set = answer.headers.get_all("set-cookie").iter();
    let pairs: Vec<&str> = set
        .filter_map(|set| set.to_str().ok()?.split(';').next())
        .filter(|pair| !pair.ends_with('='))
        .collect();
    browser.with_header("cookie", pairs.join("; "))
}

/// The path that the link in the next letter leads to.
pub(crate) async fn next_link(app: &TestApp) -> String {
    let letter = app.letters.next().await;
    letter.link().strip_prefix(PUBLIC_URL).expect("a link to the service").to_owned()
}

async fn with_ada(app: &TestApp) -> Actor {
    let acme = app.reseller("Acme").await;
    app.member(&acme, ADA, Role::Admin).await;
    acme
}

async fn ask(app: &TestApp, email: &str, page: &str) -> Answer {
    app.browser().submit("/auth/sign-in", &[("email", email), ("page", page)]).await
}

async fn a_link_signs_a_browser_in_and_leads_to_the_page_that_was_wanted(app: TestApp) {
    with_ada(&app).await;
    let form = app.browser().page("/sign-in?page=%2Fdevices%3Fa%3D1%26b%3D2").await;
    assert!(form.contains(r#"name="page" value="/devices?a=1&#38;b=2""#), "{form}");
    let asked = ask(&app, " Ada@example.org ", "/devices?a=1&b=2").await;
    assert_eq!(asked.sent_on(), "/sign-in/sent");
    assert!(app.browser().page("/sign-in/sent").await.contains("15 minutes"));
    let browser = with_cookies(app.browser(), &asked);
    let followed = browser.get(&next_link(&app).await).await;
    assert_eq!(followed.sent_on(), "/devices?a=1&b=2");
    assert!(followed.body.is_empty(), "no tokens for pages");
    let set = followed.headers["set-cookie"].to_str().unwrap();
    for part in ["weir_session=", "Path=/;", "HttpOnly", "SameSite=Lax", "Secure"] {
        assert!(set.contains(part), "{part} is not in {set}");
    }
    let ada = with_cookies(app.browser(), &followed);
    assert!(ada.page("/").await.contains(ADA));
    assert_eq!(ada.get("/sign-in?page=%2Fdevices").await.sent_on(), "/devices");
}

async fn another_browser_is_refused_with_a_way_in(app: TestApp) {
    with_ada(&app).await;
    let asked = ask(&app, ADA, "/").await;
    let link = next_link(&app).await;
    let refused = app.browser().get(&link).await;
    assert_eq!((refused.status.as_u16(), refused.cookie("weir_session")), (401, ""));
    assert!(refused.text().contains(r#"href="/sign-in""#), "{}", refused.text());
    with_cookies(app.browser(), &asked).get(&link).await.sent_on();
}

async fn an_unknown_address_is_answered_alike(app: TestApp) {
    with_ada(&app).await;
    let (unknown, known) = (ask(&app, "eve@example.org", "/").await, ask(&app, ADA, "/").await);
    assert_eq!(unknown.sent_on(), known.sent_on());
    assert_eq!(unknown.headers.len(), known.headers.len());
    // Requests are seen to in their order: had there been a letter to the first, it would be here.
    assert_eq!(app.letters.next().await.to().as_str(), ADA);
}

async fn what_is_no_address_is_told_beside_the_field(app: TestApp) {
    let answer = ask(&app, "<ada>", "/devices").await;
    assert_eq!(answer.status, 422);
    let page = answer.text();
    assert!(page.contains(r#"aria-describedby="email-complaint""#), "{page}");
    assert!(page.contains(r#"value="&#60;ada&#62;""#), "{page}");
    assert!(page.contains(r#"value="/devices""#), "{page}");
}

async fn those_who_ask_too_often_are_told(app: TestApp) {
    for _ in 0..20 {
        ask(&app, ADA, "/").await.sent_on();
    }
    let refused = ask(&app, ADA, "/").await;
    assert_eq!(refused.status, 429);
    assert!(refused.text().contains("role=\"alert\""));
}

async fn nobody_is_led_elsewhere(app: TestApp) {
    with_ada(&app).await;
    for page in ["//evil.example", "https://evil.example", "/\\evil.example", ""] {
        let asked = ask(&app, ADA, page).await;
        let browser = with_cookies(app.browser(), &asked);
        assert_eq!(browser.get(&next_link(&app).await).await.sent_on(), "/", "{page}");
    }
}

async fn signing_out_ends_the_session(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Admin).await;
    let out = ada.submit("/sign-out", &[]).await;
    assert_eq!(out.sent_on(), "/sign-in");
    assert!(out.header("set-cookie").contains("weir_session=; Path=/; Max-Age=0"));
    assert_eq!(ada.get("/").await.sent_on(), "/sign-in", "the cookie is worth nothing any more");
}

async fn who_is_no_member_any_more_can_sign_out(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Admin).await;
    let members = acme.get("/api/v1/members").await.ok();
    let own = format!("/api/v1/members/{}", members[0]["id"].as_str().unwrap());
    acme.delete(&own).await.ok();
    let out = ada.submit("/sign-out", &[]).await;
    assert_eq!(out.sent_on(), "/sign-in");
    assert!(out.header("set-cookie").contains("weir_session=; Path=/; Max-Age=0"));
    acme.post("/api/v1/members", serde_json::json!({ "email": ADA })).await.ok();
    assert_eq!(ada.get("/").await.sent_on(), "/sign-in", "the session has ended");
}

async fn a_form_above_the_limit_is_refused_as_such(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Admin).await;
    let long = "x".repeat(3 << 20);
    assert_eq!(ada.submit("/customers/new", &[("name", &long)]).await.status, 413);
    let shown = ada.submit("/customers/new", &[("name", &long[..1 << 20])]).await;
    assert_eq!(shown.status, 422);
    assert!(shown.text().len() < 20_000, "it is not shown again at length");
}

async fn an_open_link_is_good_in_any_browser_once(app: TestApp) {
    with_ada(&app).await;
    let link = app.provider.open_link(Email::parse(ADA).unwrap()).unwrap();
    let path = link.strip_prefix(PUBLIC_URL).unwrap();
    let followed = app.browser().with_header("cookie", "weir_browser=abc").get(path).await;
    assert_eq!(followed.sent_on(), "/");
    assert!(with_cookies(app.browser(), &followed).page("/").await.contains(ADA));
    assert_eq!(app.browser().get(path).await.status, 401);
}

async fn an_open_link_is_honoured_by_the_process_that_made_it(app: TestApp) {
    with_ada(&app).await;
    let open = || {
        let link = app.provider.open_link(Email::parse(ADA).unwrap()).unwrap();
        link.strip_prefix(PUBLIC_URL).unwrap().to_owned()
    };
    let (link, late) = (open(), open());
    assert_eq!(app.another_node().await.browser().get(&link).await.status, 401);
    assert_eq!(app.browser().get(&link).await.sent_on(), "/");
    app.clock.advance(Duration::from_secs(15 * 60));
    assert_eq!(app.browser().get(&late).await.status, 401);
}

async fn a_member_who_was_removed_is_out(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, ADA, Role::Viewer).await;
    ada.page("/").await;
    let members = acme.get("/api/v1/members").await.ok();
    let id = members[0]["id"].as_str().unwrap().to_owned();
    acme.delete(&format!("/api/v1/members/{id}")).await.ok();
    assert_eq!(ada.get("/").await.sent_on(), "/sign-in");
}
