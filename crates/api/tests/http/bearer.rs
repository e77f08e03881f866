//! People who come with a token: whom it speaks for, and what they may do.

mod hostile;
mod members;
mod roles;
mod sessions;

use serde_json::{Value, json};
use weir_identity::testing::Setting;
use weir_testkit::app::{Actor, TestApp, issuers};

/// Where a caller learns who they are.
const ME: &str = "/api/v1/me";
/// Where members are listed and added.
const MEMBERS: &str = "/api/v1/members";

/// Somebody with a token and nothing else.
fn bearer(app: &TestApp, token: &str) -> Actor {
    app.stranger().with_header("authorization", format!("Bearer {token}"))
}

/// Whoever an issuer's token with such claims speaks for; a claim that is null is left out.
fn vouched_for(app: &TestApp, claims: &Value) -> Actor {
    let mut all = issuers().claims(Setting::ISSUER);
    for (name, value) in claims.as_object().unwrap() {
        all[name] = value.clone();
    }
    all.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    bearer(app, &issuers().p256.token(&all))
}

/// Whoever has that verified address.
fn with_address(app: &TestApp, email: &str) -> Actor {
    vouched_for(app, &json!({ "email": email, "sub": email }))
}

/// Makes someone a member and returns their id.
async fn join(of: &Actor, member: Value) -> String {
    of.post(MEMBERS, member).await.ok()["id"].as_str().unwrap().to_owned()
}
