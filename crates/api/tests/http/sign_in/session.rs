//! Sessions: going on with them, and ending them.

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_domain::person::{Email, Person, Subject};
use weir_store::Purpose;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::*;
use crate::support::*;

on_both_stores!(
    each_refresh_token_is_used_once,
    the_last_token_is_taken_once_more_within_a_moment,
    a_token_that_was_used_before_ends_the_session,
    what_is_made_up_ends_nothing,
    a_session_ends_thirty_days_after_its_last_refresh,
    signing_out_ends_a_session_at_once,
    another_node_notices_a_sign_out_within_half_a_minute,
    a_removed_member_does_not_go_on,
    who_is_vouched_for_signs_in_if_they_belong_somewhere,
    what_expired_is_swept_out_by_whoever_signs_in,
);

/// The session of some tokens, as the service finds it.
async fn holder(app: &TestApp, tokens: &Value) -> Option<Person> {
    let id = super::token::claims(tokens)["sid"].as_str().unwrap().parse().unwrap();
    app.provider.session(weir_domain::SessionId::from_uuid(id)).await.unwrap()
}

async fn sign_out(app: &TestApp, token: &Value) {
    let answer = app.stranger().post(SIGN_OUT, json!({ "refresh_token": token })).await;
    assert_eq!(answer.ok(), json!({ "signed_out": true }));
    assert_eq!(answer.header("cache-control"), "no-store");
}

async fn each_refresh_token_is_used_once(app: TestApp) {
    with_member(&app, ADA).await;
    let mut tokens = sign_in(&app, ADA).await;
    for _ in 0..3 {
        app.clock.advance(days(29));
        let next = refresh(&app, &tokens["refresh_token"]).await.ok();
        assert_eq!(keys(&next), keys(&tokens));
        for token in ["access_token", "refresh_token"] {
            assert_ne!(next[token], tokens[token]);
        }
        let claims = [super::token::claims(&tokens), super::token::claims(&next)];
        assert_eq!((&claims[0]["sid"], &claims[0]["sub"]), (&claims[1]["sid"], &claims[1]["sub"]));
        tokens = next;
    }
    assert_eq!(holder(&app, &tokens).await.unwrap().email.unwrap().as_str(), ADA);
}

async fn the_last_token_is_taken_once_more_within_a_moment(app: TestApp) {
    with_member(&app, ADA).await;
    let first = sign_in(&app, ADA).await;
    let lost = refresh(&app, &first["refresh_token"]).await.ok();
    app.clock.advance(seconds(30));
    let again = refresh(&app, &first["refresh_token"]).await.ok();
    assert_eq!(again["refresh_token"], lost["refresh_token"], "what was lost is given again");
    refresh(&app, &again["refresh_token"]).await.ok();
    // Two pages that ask at once both go on.
    let tokens = sign_in(&app, ADA).await;
    let token = &tokens["refresh_token"];
    let (one, other) = tokio::join!(refresh(&app, token), refresh(&app, token));
    assert_eq!(one.ok()["refresh_token"], other.ok()["refresh_token"]);
    app.clock.advance(seconds(300));
    let next = &one.ok()["refresh_token"];
    let (one, other) = tokio::join!(refresh(&app, next), refresh(&app, next));
    assert_eq!(one.ok()["refresh_token"], other.ok()["refresh_token"]);
}

async fn a_token_that_was_used_before_ends_the_session(app: TestApp) {
    with_member(&app, ADA).await;
    // The last one, too late.
    let stolen = sign_in(&app, ADA).await;
    let thief = refresh(&app, &stolen["refresh_token"]).await.ok();
    app.clock.advance(seconds(31));
    assert!(holder(&app, &thief).await.is_some());
    refused(&refresh(&app, &stolen["refresh_token"]).await);
    refused(&refresh(&app, &thief["refresh_token"]).await);
    assert_eq!(holder(&app, &thief).await, None, "at once");
    // An older one, at once.
    let first = sign_in(&app, ADA).await;
    let second = refresh(&app, &first["refresh_token"]).await.ok();
    let third = refresh(&app, &second["refresh_token"]).await.ok();
    refused(&refresh(&app, &first["refresh_token"]).await);
    refused(&refresh(&app, &third["refresh_token"]).await);
}

async fn what_is_made_up_ends_nothing(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    let token = tokens["refresh_token"].as_str().unwrap();
    let (session, rest) = token.split_once('.').unwrap();
    let swapped = if rest.starts_with('A') { "B" } else { "A" };
    let changed = format!("{session}.{swapped}{}", &rest[1..]);
    let made_up = format!("{session}.{}", "A".repeat(64));
    let other = format!("{NOBODY}.{rest}");
    for token in ["", ".", session, rest, &changed, &made_up, &other, &token[..100], "a.b.c"] {
        refused(&refresh(&app, &json!(token)).await);
        sign_out(&app, &json!(token)).await;
    }
    refresh(&app, &json!(token)).await.ok();
}

async fn a_session_ends_thirty_days_after_its_last_refresh(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    app.clock.advance(days(30) - seconds(1));
    let tokens = refresh(&app, &tokens["refresh_token"]).await.ok();
    app.clock.advance(days(30));
    assert_eq!(holder(&app, &tokens).await, None);
    refused(&refresh(&app, &tokens["refresh_token"]).await);
    // However often it is refreshed, one signs in again after ninety days.
    let mut tokens = sign_in(&app, ADA).await;
    for _ in 0..4 {
        app.clock.advance(days(22));
        tokens = refresh(&app, &tokens["refresh_token"]).await.ok();
    }
    app.clock.advance(days(2));
    refused(&refresh(&app, &tokens["refresh_token"]).await);
}

async fn signing_out_ends_a_session_at_once(app: TestApp) {
    with_member(&app, ADA).await;
    let (tokens, others) = (sign_in(&app, ADA).await, sign_in(&app, ADA).await);
    assert!(holder(&app, &tokens).await.is_some());
    sign_out(&app, &tokens["refresh_token"]).await;
    assert_eq!(holder(&app, &tokens).await, None);
    refused(&refresh(&app, &tokens["refresh_token"]).await);
    sign_out(&app, &tokens["refresh_token"]).await;
    assert!(holder(&app, &others).await.is_some(), "another browser stays signed in");
    // Also with a token that was exchanged already: its owner may not know.
    refresh(&app, &others["refresh_token"]).await.ok();
    sign_out(&app, &others["refresh_token"]).await;
    assert_eq!(holder(&app, &others).await, None);
}

async fn another_node_notices_a_sign_out_within_half_a_minute(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    let other = app.another_node().await;
    assert!(holder(&other, &tokens).await.is_some());
    sign_out(&app, &tokens["refresh_token"]).await;
    app.clock.advance(seconds(30));
    assert_eq!(holder(&other, &tokens).await, None);
}

async fn a_removed_member_does_not_go_on(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let member = app.member(&acme, ADA, Role::Viewer).await;
    let tokens = sign_in(&app, ADA).await;
    let reseller = acme.reseller().id;
    let removed =
        app.db.system(Purpose::Administer, move |tx| tx.scoped(reseller)?.member_delete(member));
    assert!(removed.await.unwrap());
    refused(&refresh(&app, &tokens["refresh_token"]).await);
    app.member(&acme, ADA, Role::Viewer).await;
    refused(&refresh(&app, &tokens["refresh_token"]).await);
}

async fn who_is_vouched_for_signs_in_if_they_belong_somewhere(app: TestApp) {
    with_member(&app, ADA).await;
    let subject = Subject::new("https://id.example.org", "user-1").ok();
    let person = |email: &str| Person { email: Email::parse(email).ok(), subject: subject.clone() };
    let stranger = app.provider.begin_session(person("eve@example.org")).await;
    assert_eq!(stranger, Err(weir_identity::provider::NotSignedIn::Refused));
    let tokens = app.provider.begin_session(person(ADA)).await.unwrap();
    let next = refresh(&app, &json!(*tokens.refresh)).await.ok();
    assert_eq!(holder(&app, &next).await, Some(person(ADA)));
}

async fn what_expired_is_swept_out_by_whoever_signs_in(app: TestApp) {
    with_member(&app, ADA).await;
    let id = super::token::claims(&sign_in(&app, ADA).await)["sid"].as_str().unwrap().parse();
    let id = weir_domain::SessionId::from_uuid(id.unwrap());
    let is_kept = async || {
        let found = app.db.system(Purpose::SignIn, move |tx| tx.session(id)).await;
        found.unwrap().is_some()
    };
    app.clock.advance(days(30) + seconds(15 * 60));
    sign_in(&app, ADA).await;
    assert!(is_kept().await, "no longer of use, but not long ago");
    app.clock.advance(seconds(1));
    sign_in(&app, ADA).await;
    assert!(!is_kept().await);
}
