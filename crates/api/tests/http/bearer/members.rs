//! Whom a token speaks for.

use futures_util::future::join_all;
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
    no_member_removes_the_last_admin,
    of_admins_who_leave_at_once_one_stays,
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
    join(&acme, json!({ "email": "bob@example.org" })).await;
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

async fn no_member_removes_the_last_admin(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    join(&globex, json!({ "email": "eve@example.org" })).await;
    let id = join(&acme, json!({ "email": "ada@example.org" })).await;
    let vera = join(&acme, json!({ "email": "vera@example.org", "role": "viewer" })).await;
    let ada = with_address(&app, "ada@example.org");
    let own = format!("{MEMBERS}/{id}");
    let refused = ada.delete(&own).await.refused(400, "VALIDATION_ERROR");
    let expected = "ada@example.org is the last admin, and stays until there is another one.";
    assert_eq!(refused["message"], expected);
    ada.delete(&format!("{MEMBERS}/{vera}")).await.ok();
    ada.delete(&own).await.refused(400, "VALIDATION_ERROR");
    ada.post(MEMBERS, json!({ "email": "bob@example.org" })).await.ok();
    ada.delete(&own).await.ok();
}

async fn of_admins_who_leave_at_once_one_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for round in 0..5 {
        let mut leaving = Vec::new();
        for number in 0..4 {
            let address = format!("a{round}.{number}@example.org");
            let id = join(&acme, json!({ "email": address })).await;
            leaving.push((with_address(&app, &address), format!("{MEMBERS}/{id}")));
        }
        let left = join_all(leaving.iter().map(|(admin, own)| admin.delete(own))).await;
        let mut answers: Vec<_> = left.iter().map(|answer| answer.status.as_u16()).collect();
        answers.sort_unstable();
        assert_eq!(answers, [200, 200, 200, 400]);
        let stayed = acme.get(MEMBERS).await.ok();
        assert_eq!(stayed.as_array().unwrap().len(), 1);
        acme.delete(&format!("{MEMBERS}/{}", stayed[0]["id"].as_str().unwrap())).await.ok();
    }
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
