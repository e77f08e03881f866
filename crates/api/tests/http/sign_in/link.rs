//! Links.

use std::collections::BTreeSet;
use std::time::Duration;

use http::Method;
use serde_json::json;
use weir_domain::member::Role;
use weir_store::Purpose;
use weir_testkit::app::{Answer, TestApp};
use weir_testkit::on_both_stores;

use super::*;
use crate::support::*;

on_both_stores!(
    a_link_signs_in,
    a_known_address_is_answered_as_an_unknown_one,
    a_link_works_once,
    a_link_expires,
    another_browser_is_refused_and_does_not_use_the_link_up,
    a_browser_that_asked_before_keeps_its_cookie,
    a_member_who_was_removed_cannot_follow_a_link,
    any_node_takes_a_link,
    what_is_no_link_is_refused,
);

async fn a_link_signs_in(app: TestApp) {
    with_member(&app, ADA).await;
    let asked = app.stranger().post(ASK, json!({ "email": "Ada@Example.org" })).await;
    assert_eq!(asked.ok(), json!({ "expires_in": 900 }));
    assert_eq!(asked.header("cache-control"), "no-store");
    let set = asked.header("set-cookie");
    for part in ["weir_browser=", "Path=/auth", "HttpOnly", "SameSite=Lax", "Secure", "Max-Age=900"]
    {
        assert!(set.contains(part), "{part} is not in {set}");
    }
    let letter = app.letters.next().await;
    assert_eq!(letter.to().as_str(), ADA);
    let path = letter.link().strip_prefix(PUBLIC_URL).unwrap();
    assert!(path.starts_with("/auth/magic-link/follow?token="), "{path}");
    let followed = app.stranger().with_header("cookie", cookie(&asked)).get(path).await;
    let tokens = followed.ok();
    assert_eq!(followed.header("cache-control"), "no-store");
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(300)));
    assert_eq!(tokens["refresh_expires_in"], 30 * 24 * 60 * 60);
    refresh(&app, &tokens["refresh_token"]).await.ok();
}

/// Everything of an answer but what is random in it.
fn shape(answer: &Answer) -> (u16, Value, BTreeSet<String>, usize) {
    let names = answer.headers.keys().map(ToString::to_string).collect();
    (answer.status.as_u16(), answer.json(), names, answer.header("set-cookie").len())
}

async fn a_known_address_is_answered_as_an_unknown_one(app: TestApp) {
    with_member(&app, ADA).await;
    let unknown = app.stranger().post(ASK, json!({ "email": "eve@example.org" })).await;
    let known = app.stranger().post(ASK, json!({ "email": ADA })).await;
    assert_eq!(shape(&unknown), shape(&known));
    // Requests are seen to in their order: had there been a letter to the first, it would be here.
    assert_eq!(app.letters.next().await.to().as_str(), ADA);
}

async fn a_link_works_once(app: TestApp) {
    with_member(&app, ADA).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    let head = browser.ask(Method::HEAD, &link).await;
    assert_eq!((head.status.as_u16(), head.header("allow")), (405, "GET"), "nothing is used up");
    let (first, second) = tokio::join!(browser.get(&link), browser.get(&link));
    let statuses = BTreeSet::from([first.status.as_u16(), second.status.as_u16()]);
    assert_eq!(statuses, BTreeSet::from([200, 401]), "of two at once, one");
    refused(&browser.get(&link).await);
}

async fn a_link_expires(app: TestApp) {
    with_member(&app, ADA).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    app.clock.advance(seconds(15 * 60));
    refused(&browser.get(&link).await);
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    app.clock.advance(seconds(15 * 60) - Duration::from_micros(1));
    browser.get(&link).await.ok();
}

async fn another_browser_is_refused_and_does_not_use_the_link_up(app: TestApp) {
    with_member(&app, ADA).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    let other = ask_for_link(&app, ADA).await;
    let others_link = next_link(&app).await;
    refused(&app.stranger().get(&link).await);
    refused(&other.get(&link).await);
    refused(&browser.get(&others_link).await);
    for cookie in ["weir_browser=", "weir_browser=x", "other=1", "weir_browser"] {
        refused(&app.stranger().with_header("cookie", cookie).get(&link).await);
    }
    browser.get(&link).await.ok();
    other.get(&others_link).await.ok();
}

async fn a_browser_that_asked_before_keeps_its_cookie(app: TestApp) {
    with_member(&app, ADA).await;
    let first = app.stranger().post(ASK, json!({ "email": ADA })).await;
    let browser = app.stranger().with_header("cookie", cookie(&first));
    let again = browser.post(ASK, json!({ "email": ADA })).await;
    assert_eq!(cookie(&again), cookie(&first));
    let links = [next_link(&app).await, next_link(&app).await];
    for link in links {
        browser.get(&link).await.ok();
    }
    let made_up = app.stranger().with_header("cookie", "weir_browser=mine");
    let answer = made_up.post(ASK, json!({ "email": ADA })).await;
    assert_ne!(cookie(&answer), "weir_browser=mine");
}

async fn a_member_who_was_removed_cannot_follow_a_link(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let member = app.member(&acme, ADA, Role::Viewer).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    let reseller = acme.reseller().id;
    let removed =
        app.db.system(Purpose::Administer, move |tx| tx.scoped(reseller)?.member_delete(member));
    assert!(removed.await.unwrap());
    refused(&browser.get(&link).await);
}

async fn any_node_takes_a_link(app: TestApp) {
    with_member(&app, ADA).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    let other = app.another_node().await;
    let tokens = other.actor(&browser).get(&link).await.ok();
    refused(&browser.get(&link).await);
    refresh(&app, &tokens["refresh_token"]).await.ok();
}

async fn what_is_no_link_is_refused(app: TestApp) {
    with_member(&app, ADA).await;
    let browser = ask_for_link(&app, ADA).await;
    let link = next_link(&app).await;
    let token = link.split_once("token=").unwrap().1;
    let cut = &token[..42];
    for token in ["", "x", "%00", "..%2f", "'%20OR%201=1", cut, &"A".repeat(43), &"A".repeat(44)] {
        let answer = browser.get(&format!("/auth/magic-link/follow?token={token}")).await;
        match token {
            "%00" => drop(answer.refused(422, "SCHEMA_VALIDATION_ERROR")),
            _ => refused(&answer),
        }
    }
    browser.get(&link).await.ok();
}
