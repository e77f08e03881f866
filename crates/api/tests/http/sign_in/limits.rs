//! How often links may be asked for.

use serde_json::json;
use weir_testkit::app::{Answer, TestApp};
use weir_testkit::on_both_stores;

use super::*;
use crate::support::*;

on_both_stores!(an_address_gets_five_links_and_nobody_learns_of_it, a_source_may_ask_so_often);

async fn ask_from(app: &TestApp, source: &str, email: &str) -> Answer {
    let actor = app.stranger().with_header("x-forwarded-for", source);
    actor.post(ASK, json!({ "email": email })).await
}

async fn an_address_gets_five_links_and_nobody_learns_of_it(app: TestApp) {
    let acme = with_member(&app, ADA).await;
    app.member(&acme, "bob@example.org", weir_domain::member::Role::Viewer).await;
    for number in 0..8 {
        app.clock.advance(seconds(60));
        ask_from(&app, &format!("198.51.100.{number}"), ADA).await.ok();
    }
    ask_from(&app, "198.51.100.9", "bob@example.org").await.ok();
    for _ in 0..5 {
        assert_eq!(app.letters.next().await.to().as_str(), ADA);
    }
    assert_eq!(app.letters.next().await.to().as_str(), "bob@example.org", "the sixth was not sent");
    // A quarter of an hour after the first one there is room for one more, used or not.
    app.clock.advance(seconds(8 * 60 + 1));
    for _ in 0..2 {
        ask_from(&app, "198.51.100.9", ADA).await.ok();
    }
    ask_from(&app, "198.51.100.9", "bob@example.org").await.ok();
    assert_eq!(app.letters.next().await.to().as_str(), ADA);
    assert_eq!(app.letters.next().await.to().as_str(), "bob@example.org");
}

async fn a_source_may_ask_so_often(app: TestApp) {
    for number in 0..20 {
        ask_from(&app, "198.51.100.1", &format!("{number}@example.org")).await.ok();
        ask_from(&app, &format!("2001:db8:0:1::{number}"), "eve@example.org").await.ok();
    }
    app.clock.advance(seconds(60));
    for source in ["198.51.100.1", "2001:db8:0:1:ffff::1", "1.1.1.1, 198.51.100.1"] {
        let answer = ask_from(&app, source, "eve@example.org").await;
        answer.refused(429, "RATE_LIMIT_EXCEEDED");
        assert_eq!(answer.header("retry-after"), "840", "{source}");
        assert_eq!(answer.header("set-cookie"), "");
    }
    for source in ["198.51.100.2", "2001:db8:0:2::1"] {
        ask_from(&app, source, "eve@example.org").await.ok();
    }
    app.clock.advance(seconds(840));
    ask_from(&app, "198.51.100.1", "eve@example.org").await.ok();
}
