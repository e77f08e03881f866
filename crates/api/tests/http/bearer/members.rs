//! Whom a token speaks for.

use serde_json::json;
use weir_app::resellers;
use weir_identity::testing::Setting;
use weir_store::Purpose;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{ME, MEMBERS, join, vouched_for, with_address};
use crate::support::*;

on_both_stores!(
    a_member_is_known_by_a_verified_address_alone,
    a_member_is_known_by_issuer_and_subject,
    whoever_is_known_twice_may_what_either_may,
    a_user_of_several_resellers_says_for_which_one,
    a_member_who_is_removed_is_nobody,
    a_closing_reseller_has_no_members,
    a_member_added_on_another_node_is_known,
    a_key_says_whose_it_is,
);

async fn a_member_is_known_by_a_verified_address_alone(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "Bob@Example.org", "role": "viewer" })).await;
    let me = with_address(&app, "bob@EXAMPLE.org").get(ME).await.ok();
    assert_eq!((&me["role"], &me["name"]), (&json!("viewer"), &json!("bob@example.org")));
    assert_eq!(me["reseller"]["name"], "Acme");
    for claims in [
        json!({ "email": "bob@example.org", "email_verified": false }),
        json!({ "email": "bob@example.org", "email_verified": null }),
        json!({ "email": "bob@example.org.evil.example" }),
        json!({ "email": null, "sub": "bob@example.org" }),
    ] {
        vouched_for(&app, &claims).get(ME).await.refused(401, "INVALID_TOKEN");
    }
}

async fn a_member_is_known_by_issuer_and_subject(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let member = json!({ "issuer": Setting::ISSUER, "subject": "u-7", "role": "admin" });
    let id = join(&acme, member).await;
    let user = vouched_for(&app, &json!({ "sub": "u-7", "email": null }));
    assert_eq!(user.get(ME).await.ok()["member_id"], json!(id));
    let other = vouched_for(&app, &json!({ "sub": "U-7", "email": null }));
    other.get(ME).await.refused(401, "INVALID_TOKEN");
}

async fn whoever_is_known_twice_may_what_either_may(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "eve@example.org", "role": "viewer" })).await;
    let eve = vouched_for(&app, &json!({ "sub": "u-9", "email": "eve@example.org" }));
    assert_eq!(eve.get(ME).await.ok()["role"], "viewer");
    join(&acme, json!({ "issuer": Setting::ISSUER, "subject": "u-9", "role": "admin" })).await;
    assert_eq!(eve.get(ME).await.ok()["role"], "admin");
}

async fn a_user_of_several_resellers_says_for_which_one(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let initech = app.reseller("Initech").await;
    join(&acme, json!({ "email": "ada@example.org" })).await;
    let ada = with_address(&app, "ada@example.org");
    ada.get(ME).await.ok();
    join(&globex, json!({ "email": "ada@example.org", "role": "viewer" })).await;
    for path in [ME, DEVICES, "/api/v1/nowhere"] {
        let answer = ada.get(path).await;
        let body = answer.refused(400, "VALIDATION_ERROR");
        let mut listed: Vec<_> = body["details"]["resellers"].as_array().unwrap().clone();
        listed.sort_by_key(|reseller| reseller["name"].to_string());
        let named = |name: &str, id| json!({ "reseller_id": id, "name": name });
        let known = [named("Acme", acme.reseller().id), named("Globex", globex.reseller().id)];
        assert_eq!(listed, known, "{path}");
    }
    acme.register(EUI).await;
    let asking = |id: String| ada.clone().with_header("x-reseller-id", id);
    let at_acme = asking(acme.reseller().id.to_string());
    assert_eq!(at_acme.get(DEVICES).await.ok().as_array().unwrap().len(), 1);
    let at_globex = asking(globex.reseller().id.to_string());
    assert_eq!(at_globex.get(DEVICES).await.ok(), json!([]));
    for stranger in [initech.reseller().id.to_string(), NOBODY.to_owned()] {
        asking(stranger).get(DEVICES).await.refused(403, "FORBIDDEN");
    }
    for malformed in ["", "Acme", "*"] {
        let answer = asking(malformed.to_owned()).get(DEVICES).await;
        let body = answer.refused(422, "SCHEMA_VALIDATION_ERROR");
        assert_eq!(body["details"]["errors"][0]["loc"], json!(["header", "X-Reseller-Id"]));
    }
    let key = globex.clone().with_header("x-reseller-id", acme.reseller().id.to_string());
    assert_eq!(key.get(DEVICES).await.ok(), json!([]), "a key alone decides");
}

async fn a_member_who_is_removed_is_nobody(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let node = app.another_node().await;
    let id = join(&acme, json!({ "email": "ada@example.org" })).await;
    let ada = with_address(&app, "ada@example.org");
    ada.get(ME).await.ok();
    let elsewhere = node.actor(&ada);
    elsewhere.get(ME).await.ok();
    ada.delete(&format!("{MEMBERS}/{id}")).await.ok();
    ada.get(ME).await.refused(401, "INVALID_TOKEN");
    app.clock.advance(seconds(30));
    elsewhere.get(ME).await.refused(401, "INVALID_TOKEN");
}

async fn a_closing_reseller_has_no_members(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "ada@example.org" })).await;
    let ada = with_address(&app, "ada@example.org");
    ada.get(ME).await.ok();
    let closed = app.db.system(Purpose::Administer, |tx| resellers::close(tx, "Acme"));
    closed.await.unwrap();
    ada.get(ME).await.refused(401, "INVALID_TOKEN");
}

async fn a_member_added_on_another_node_is_known(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let node = app.another_node().await;
    let ada = with_address(&app, "ada@example.org");
    ada.get(ME).await.refused(401, "INVALID_TOKEN");
    join(&node.actor(&acme), json!({ "email": "ada@example.org" })).await;
    app.clock.advance(seconds(30));
    ada.get(ME).await.ok();
}

async fn a_key_says_whose_it_is(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let me = acme.get(ME).await.ok();
    let expected = json!({
        "kind": "api_key",
        "name": "default",
        "member_id": null,
        "role": "admin",
        "reseller": {
            "id": acme.reseller().id, "name": "Acme", "slug": "acme", "timezone": "UTC",
        },
    });
    assert_eq!(me, expected);
}
