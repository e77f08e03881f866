//! Tokens that nobody should have.

use serde_json::json;
use weir_identity::testing::hostile_tokens;
use weir_testkit::app::{TestApp, issuers};
use weir_testkit::on_both_stores;

use super::{ME, MEMBERS, bearer, join};
use crate::support::*;

on_both_stores!(a_hostile_token_opens_nothing, good_tokens_open_everything_they_may);

async fn a_hostile_token_opens_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "ada@example.org" })).await;
    let mut tried = 0;
    for (name, token) in hostile_tokens(issuers()) {
        // HTTP trims what stands around a value, and cannot carry line breaks.
        let is_carried = http::HeaderValue::from_str(&format!("Bearer {token}")).is_ok();
        if name.starts_with("space:") || !is_carried {
            continue;
        }
        let nobody = bearer(&app, &token);
        for path in [ME, DEVICES, "/api/v1/nowhere"] {
            let answer = nobody.get(path).await;
            assert_eq!(answer.status, 401, "{name}: {path}");
            answer.refused(401, "INVALID_TOKEN");
            assert_eq!(answer.header("www-authenticate"), "Bearer", "{name}");
        }
        tried += 1;
    }
    assert!(tried > 400, "{tried}");
}

async fn good_tokens_open_everything_they_may(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = json!({ "email": "ada@example.org" });
    let id = join(&acme, ada).await;
    for (name, token) in issuers().good_tokens() {
        let me = bearer(&app, &token).get(ME).await.ok();
        assert_eq!(me["member_id"], json!(id), "{name}");
        assert_eq!(me["kind"], "member");
    }
    app.clock.advance(seconds(300 + 60));
    let (_, token) = issuers().good_tokens().remove(0);
    bearer(&app, &token).get(MEMBERS).await.refused(401, "INVALID_TOKEN");
}
