//! Signing in with what is built in: links, sessions, and the keys by which others verify them.

mod fields;
mod keys;
mod limits;
mod link;
mod session;
mod token;

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_testkit::app::{Actor, Answer, PUBLIC_URL, TestApp};

const ASK: &str = "/auth/magic-link";
const REFRESH: &str = "/auth/refresh";
const SIGN_OUT: &str = "/auth/sign-out";
const JWKS: &str = "/.well-known/jwks.json";

const ADA: &str = "ada@example.org";

/// A reseller with a member.
async fn with_member(app: &TestApp, email: &str) -> Actor {
    let acme = app.reseller("Acme").await;
    app.member(&acme, email, Role::Admin).await;
    acme
}

/// The cookie that an answer sets, as it is sent back.
fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Somebody asks for a link in a new browser, and has that browser from then on.
async fn ask_for_link(app: &TestApp, email: &str) -> Actor {
    let answer = app.stranger().post(ASK, json!({ "email": email })).await;
    answer.ok();
    app.stranger().with_header("cookie", cookie(&answer))
}

/// The path that the link in the next letter leads to.
async fn next_link(app: &TestApp) -> String {
    let letter = app.letters.next().await;
    letter.link().strip_prefix(PUBLIC_URL).expect("a link to the service").to_owned()
}

/// Signs somebody in by a link, and returns their tokens.
async fn sign_in(app: &TestApp, email: &str) -> Value {
    let browser = ask_for_link(app, email).await;
    browser.get(&next_link(app).await).await.ok()
}

async fn refresh(app: &TestApp, token: &Value) -> Answer {
    app.stranger().post(REFRESH, json!({ "refresh_token": token })).await
}

/// A link or token was not taken, and nothing is told of why.
#[track_caller]
fn refused(answer: &Answer) {
    let body = answer.refused(401, "INVALID_TOKEN");
    assert_eq!(body["details"], json!({}));
    assert_eq!(answer.header("www-authenticate"), "Bearer");
    assert_eq!(answer.header("cache-control"), "no-store");
}
