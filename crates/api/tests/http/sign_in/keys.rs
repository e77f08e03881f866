//! Access tokens, and the keys that they are signed with.

use serde_json::{Value, json};
use weir_app::credentials::{NONCE, Secret};
use weir_app::sign_in::{NewSigningKey, signing_keys};
use weir_store::Purpose;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::token::{claims, header, is_verified_by};
use super::*;
use crate::support::*;

on_both_stores!(
    an_access_token_says_who_and_until_when,
    what_is_published_verifies_tokens_and_nothing_else,
    keys_are_rotated_ahead_of_their_use,
    nodes_that_start_at_once_know_each_others_keys,
    the_discovery_document_leads_to_the_keys,
    keys_of_another_secret_are_of_no_use_and_in_nobodys_way,
);

async fn published(app: &TestApp) -> Value {
    let answer = app.stranger().get(JWKS).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "public, max-age=300");
    answer.json()
}

fn ids(published: &Value) -> Vec<&str> {
    texts(&published["keys"], "kid")
}

async fn an_access_token_says_who_and_until_when(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    let (header, said) = (header(&tokens), claims(&tokens));
    assert_eq!(keys(&header), names(&["alg", "kid", "typ"]));
    assert_eq!((&header["alg"], &header["typ"]), (&json!("ES256"), &json!("JWT")));
    let expected = ["iss", "aud", "sub", "email", "email_verified", "sid", "iat", "exp", "jti"];
    assert_eq!(keys(&said), names(&expected));
    assert_eq!((&said["iss"], &said["aud"]), (&json!(PUBLIC_URL), &json!(PUBLIC_URL)));
    assert_eq!((&said["email"], &said["email_verified"]), (&json!(ADA), &json!(true)));
    let now = app.clock.now().epoch_seconds();
    assert_eq!((&said["iat"], &said["exp"]), (&json!(now), &json!(now + 300)));
    assert!(!said["sub"].as_str().unwrap().contains("ada"), "{said}");
    let again = claims(&sign_in(&app, ADA).await);
    assert_eq!(again["sub"], said["sub"]);
    assert!(again["sid"] != said["sid"] && again["jti"] != said["jti"]);
}

async fn what_is_published_verifies_tokens_and_nothing_else(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    let published = published(&app).await;
    assert!(is_verified_by(&tokens, &published));
    let token = tokens["access_token"].as_str().unwrap();
    let (start, rest) = token.split_once('.').unwrap();
    let swapped = if rest.starts_with('a') { "b" } else { "a" };
    let forged = json!({ "access_token": format!("{start}.{swapped}{}", &rest[1..]) });
    assert!(!is_verified_by(&forged, &published));
    let stranger = TestApp::start(weir_testkit::app::Store::Sqlite).await;
    assert!(!is_verified_by(&tokens, &self::published(&stranger).await));
}

async fn keys_are_rotated_ahead_of_their_use(app: TestApp) {
    with_member(&app, ADA).await;
    let tokens = sign_in(&app, ADA).await;
    let first = published(&app).await;
    let old = ids(&first)[0].to_owned();
    assert_eq!(ids(&first), [&old]);

    app.clock.advance(days(30) - seconds(1));
    let tokens = refresh(&app, &tokens["refresh_token"]).await.ok();
    assert_eq!(ids(&published(&app).await), [&old]);
    app.clock.advance(seconds(60));
    let both = published(&app).await;
    assert_eq!((ids(&both).len(), ids(&both)[0]), (2, old.as_str()));
    let new = ids(&both)[1].to_owned();
    let tokens = refresh(&app, &tokens["refresh_token"]).await.ok();
    assert_eq!(header(&tokens)["kid"], old, "nobody may know the new one yet");
    assert!(is_verified_by(&tokens, &first));

    app.clock.advance(seconds(10 * 60));
    let next = refresh(&app, &tokens["refresh_token"]).await.ok();
    assert_eq!(header(&next)["kid"], new);
    let now = published(&app).await;
    assert!(is_verified_by(&next, &now) && is_verified_by(&tokens, &now));

    app.clock.advance(hours(24));
    assert_eq!(ids(&published(&app).await), [&new]);
    let last = refresh(&app, &next["refresh_token"]).await.ok();
    assert_eq!(header(&last)["kid"], new);
}

async fn nodes_that_start_at_once_know_each_others_keys(app: TestApp) {
    with_member(&app, ADA).await;
    let (one, other) = tokio::join!(app.another_node(), app.another_node());
    let nodes = [&app, &one, &other];
    for node in nodes {
        let tokens = sign_in(node, ADA).await;
        for verifier in nodes {
            assert!(is_verified_by(&tokens, &published(verifier).await));
        }
    }
}

async fn the_discovery_document_leads_to_the_keys(app: TestApp) {
    let answer = app.stranger().get("/.well-known/openid-configuration").await;
    assert_eq!(answer.header("cache-control"), "public, max-age=300");
    let document = answer.json();
    assert_eq!(document["issuer"], PUBLIC_URL);
    let keys = document["jwks_uri"].as_str().unwrap().strip_prefix(PUBLIC_URL).unwrap();
    assert_eq!(app.stranger().get(keys).await.json(), published(&app).await);
    assert_eq!(document["id_token_signing_alg_values_supported"], json!(["ES256"]));
    assert_eq!(document["response_types_supported"], json!([]));
    assert_eq!(document["subject_types_supported"], json!(["public"]));
}

async fn keys_of_another_secret_are_of_no_use_and_in_nobodys_way(app: TestApp) {
    let before = published(&app).await;
    let now = app.clock.now();
    let look = async |id: &'static str| {
        let secret = Secret::new(b"not the secret of this service").unwrap();
        let private = b"private".to_vec().into();
        let new = NewSigningKey { id: id.to_owned(), private, nonce: [7; NONCE] };
        let found = app.db.system(Purpose::SignIn, move |tx| signing_keys(tx, &secret, now, &new));
        let found = found.await.unwrap();
        let ids: Vec<String> = found.keys.into_iter().map(|key| key.id).collect();
        (ids, found.sealed_otherwise, found.made)
    };
    assert_eq!(look("first").await, (vec!["first".to_owned()], 1, true));
    assert_eq!(look("second").await, (vec!["first".to_owned()], 1, false));
    app.clock.advance(seconds(60));
    assert_eq!(published(&app).await, before);
}
