//! Tokens of our own.

use serde_json::json;
use weir_domain::member::Role;
use weir_domain::person::{Email, Person};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{ME, bearer};
use crate::support::*;

on_both_stores!(
    a_token_of_our_own_lasts_as_long_as_its_session,
    keys_change_without_a_refused_request,
);

fn ada() -> Person {
    Email::parse("ada@example.org").unwrap().into()
}

async fn a_token_of_our_own_lasts_as_long_as_its_session(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let node = app.another_node().await;
    app.member(&acme, "ada@example.org", Role::Viewer).await;
    let tokens = app.provider.begin_session(ada()).await.unwrap();
    let ada = bearer(&app, &tokens.access);
    assert_eq!(ada.get(ME).await.ok()["name"], "ada@example.org");
    let elsewhere = node.actor(&ada);
    elsewhere.get(ME).await.ok();
    let body = json!({ "refresh_token": tokens.refresh.as_str() });
    app.stranger().post("/auth/sign-out", body).await.ok();
    ada.get(ME).await.refused(401, "INVALID_TOKEN");
    app.clock.advance(seconds(30));
    elsewhere.get(ME).await.refused(401, "INVALID_TOKEN");
}

/// For two months a user comes back every few minutes with a token that is as old as it may be.
async fn keys_change_without_a_refused_request(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let node = app.another_node().await;
    app.member(&acme, "ada@example.org", Role::Viewer).await;
    let mut names = std::collections::BTreeSet::new();
    let mut tokens = app.provider.begin_session(ada()).await.unwrap();
    for step in 0..360 {
        // Closer steps around the days on which keys change.
        app.clock.advance(if step % 6 == 0 { hours(24) - seconds(1_200) } else { seconds(240) });
        if step % 6 == 0 {
            tokens = app.provider.refresh(&tokens.refresh).await.unwrap();
        }
        let asking = bearer(&app, &tokens.access);
        asking.get(ME).await.ok();
        node.actor(&asking).get(ME).await.ok();
        let header = tokens.access.split('.').next().unwrap().to_owned();
        names.insert(header);
        tokens = app.provider.refresh(&tokens.refresh).await.unwrap();
    }
    assert!(names.len() >= 2, "{names:?}");
}
