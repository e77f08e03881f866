//! Against providers that misbehave as no real one does.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::super::{ProviderAnswer, SocialError, Started};
use super::support::*;

const JSON: [(&str, &str); 1] = [("content-type", "application/json")];

/// A provider that gives this for every code, and says this about itself beside what it must.
async fn provider(
    answer: impl IntoResponse + Clone + Send + Sync + 'static,
    more: Value,
) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let mut about = about(&issuer);
    for (name, value) in more.as_object().unwrap() {
        about[name] = value.clone();
    }
    let app = Router::new()
        .route("/.well-known/openid-configuration", get(async move || about.to_string()))
        .route("/token", post(async move || answer.clone()))
        .route("/elsewhere", post(async || tokens("a.b.c")));
    tokio::spawn(async move { axum::serve(listener, app).await });
    issuer
}

fn about(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "jwks_uri": format!("{issuer}/jwks"),
        "authorization_endpoint": format!("{issuer}/auth?realm=a"),
        "token_endpoint": format!("{issuer}/token"),
    })
}

fn tokens(id_token: &str) -> impl IntoResponse + Clone + use<> {
    let tokens = json!({ "access_token": "a", "token_type": "Bearer", "id_token": id_token });
    (JSON, tokens.to_string())
}

/// What a browser brings back that was let through.
fn answer(started: &Started) -> ProviderAnswer {
    let state = started.location.query_pairs().find(|it| it.0 == "state").unwrap().1.into_owned();
    ProviderAnswer { state, code: Some("code".to_owned()), ..Default::default() }
}

async fn outcome(response: impl IntoResponse + Clone + Send + Sync + 'static) -> SocialError {
    let world = World::at(&provider(response, json!({})).await);
    let started = world.start().await;
    world.finish(&started.flow, &answer(&started)).await.unwrap_err()
}

#[tokio::test]
async fn whatever_comes_for_a_code_nobody_is_signed_in_by_it() {
    let error =
        |error: &str| (StatusCode::BAD_REQUEST, JSON, json!({ "error": error }).to_string());
    let (unreachable, not_vouched) = (SocialError::Unreachable, SocialError::NotVouchedFor);

    assert_eq!(outcome(tokens("a.b.c")).await, not_vouched);
    assert_eq!(outcome(tokens("")).await, not_vouched);
    assert_eq!(outcome((JSON, r#"{"access_token":"a","token_type":"Bearer"}"#)).await, not_vouched);
    assert_eq!(outcome(error("invalid_grant")).await, not_vouched);
    assert_eq!(outcome(error("invalid_request")).await, not_vouched);
    assert_eq!(outcome(error("no such error")).await, not_vouched);

    assert_eq!(outcome(error("invalid_client")).await, unreachable);
    assert_eq!(outcome(error("temporarily_unavailable")).await, unreachable);
    assert_eq!(outcome((JSON, "{}")).await, unreachable);
    assert_eq!(outcome((JSON, "")).await, unreachable);
    assert_eq!(outcome("<html>").await, unreachable);
    assert_eq!(outcome(StatusCode::BAD_GATEWAY).await, unreachable);
    assert_eq!(outcome((JSON, " ".repeat((1 << 20) + 1))).await, unreachable);
    // A redirect would carry the code and our secret on.
    let redirect = (StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]);
    assert_eq!(outcome(redirect).await, unreachable);
}

#[tokio::test]
async fn whatever_a_provider_says_about_itself_people_are_sent_only_where_it_is_safe() {
    for more in [
        json!({ "issuer": "http://127.0.0.1:1" }),
        json!({ "authorization_endpoint": null }),
        json!({ "authorization_endpoint": "javascript:alert(1)" }),
        json!({ "authorization_endpoint": "http://id.example/auth" }),
        json!({ "token_endpoint": "ftp://127.0.0.1/token" }),
        json!({ "token_endpoint_auth_methods_supported": ["private_key_jwt"] }),
    ] {
        let world = World::at(&provider("", more.clone()).await);
        let refused = world.social.start("test", None).await.err();
        assert_eq!(refused, Some(SocialError::Unreachable), "{more}");
    }
}

#[tokio::test]
async fn people_are_sent_with_all_that_protects_them() {
    let world = World::at(&provider("", json!({})).await);
    let location = world.start().await.location;
    let find = |name: &str| location.query_pairs().find(|it| it.0 == name).unwrap().1.into_owned();
    // What the provider has in its address stays there.
    assert_eq!(find("realm"), "a");
    assert_eq!((find("response_type"), find("client_id")), ("code".into(), "weir".into()));
    assert_eq!((find("redirect_uri"), find("scope")), (CALLBACK.into(), "openid email".into()));
    assert_eq!(find("code_challenge_method"), "S256");
    for name in ["state", "nonce", "code_challenge"] {
        assert_eq!(find(name).len(), 43, "{name}");
    }
    let again = world.start().await.location;
    assert_ne!(location, again);
}

#[tokio::test]
async fn a_provider_is_asked_about_itself_now_and_then() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let (asked, counted) = (Arc::new(AtomicUsize::new(0)), issuer.clone());
    let counter = asked.clone();
    let answer = async move || match counter.fetch_add(1, Ordering::SeqCst) {
        0 => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        _ => about(&counted).to_string().into_response(),
    };
    let app = Router::new().route("/.well-known/openid-configuration", get(answer));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let world = World::at(&issuer);
    let seconds = Duration::from_secs;
    for (later, is_known, times) in [
        (seconds(0), false, 1),
        (seconds(0), false, 1), // it is left alone for a moment
        (seconds(5), true, 2),
        (seconds(3_000), true, 2),
        (seconds(600), true, 3),
    ] {
        world.clock.advance(later);
        assert_eq!(world.social.start("test", None).await.is_ok(), is_known);
        assert_eq!(asked.load(Ordering::SeqCst), times);
    }
}

/// Time passes as fast as nothing else happens.
#[tokio::test(start_paused = true)]
async fn a_provider_that_never_answers_is_not_waited_for() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let world = World::at(&format!("http://{}", listener.local_addr().unwrap()));
    let refused = world.social.start("test", None).await.err();
    assert_eq!(refused, Some(SocialError::Unreachable));
}
