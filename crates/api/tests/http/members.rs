//! Members.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use weir_domain::person::{Email, Identity};
use weir_store::{Change, Listener, Purpose};
use weir_testkit::app::{Store, TestApp};
use weir_testkit::on_both_stores;

use crate::support::*;

fn path(member: &Value) -> String {
    format!("{MEMBERS}/{}", id(member))
}

/// With how many resellers someone of that address is a member.
async fn memberships(app: &TestApp, address: &str) -> usize {
    let known = [Identity::Email(Email::parse(address).unwrap())];
    let found = app.db.system(Purpose::Authenticate, move |tx| tx.memberships(&known));
    found.await.unwrap().len()
}

/// Someone who remembers what others are to forget.
#[derive(Default)]
struct Heard(Mutex<Vec<Change>>);

impl Listener for Heard {
    fn changed(&self, change: &Change) {
        self.0.lock().unwrap().push(change.clone());
    }

    fn missed(&self) {}
}

on_both_stores!(
    members_come_and_go,
    with_a_key_the_last_admin_can_be_removed,
    everyone_is_a_member_once,
    who_they_are_is_kept_to_the_letter,
    one_identity_is_asked_for,
    anothers_members_are_not_found,
    members_go_with_their_reseller,
);

async fn members_come_and_go(app: TestApp) {
    let acme = app.reseller("Acme").await;
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([]));
    let answer = acme.post(MEMBERS, json!({ "email": "Ada@Example.org" })).await;
    assert_eq!(answer.json()["message"], "ada@example.org is a member now.");
    let ada = answer.ok();
    let expected = json!({ "id": ada["id"], "email": "ada@example.org", "issuer": null,
        "subject": null, "role": "admin", "created_at": "2026-03-29T12:00:00+00:00" });
    assert_eq!(ada, expected);
    app.clock.advance(seconds(1));
    let body = json!({ "issuer": ISSUER, "subject": "User-1", "role": "viewer" });
    let bob = acme.post(MEMBERS, body).await.ok();
    let expected = json!({ "id": bob["id"], "email": null, "issuer": ISSUER,
        "subject": "User-1", "role": "viewer", "created_at": "2026-03-29T12:00:01+00:00" });
    assert_eq!(bob, expected);
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([ada, bob]));
    assert_eq!(memberships(&app, "ada@example.org").await, 1);
    app.clock.advance(seconds(1));
    let eve = acme.post(MEMBERS, json!({ "email": "eve@example.org" })).await.ok();

    let removed = acme.delete(&path(&ada)).await;
    assert_eq!(removed.json()["message"], "ada@example.org is no member any more.");
    assert_eq!(removed.ok(), json!({ "id": ada["id"] }));
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([bob, eve]));
    assert_eq!(memberships(&app, "ada@example.org").await, 0);
    acme.delete(&path(&ada)).await.refused(404, "MEMBER_NOT_FOUND");
}

async fn with_a_key_the_last_admin_can_be_removed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = acme.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    acme.delete(&path(&ada)).await.ok();
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([]));
}

async fn everyone_is_a_member_once(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let first = acme.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    for role in ["admin", "viewer"] {
        let again = json!({ "email": "ADA@example.org", "role": role });
        let refused = acme.post(MEMBERS, again).await.refused(400, "MEMBER_ALREADY_EXISTS");
        assert_eq!(refused["message"], "ada@example.org is already a member.");
    }
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([first]), "what they may do stays");
    globex.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    assert_eq!(memberships(&app, "ada@example.org").await, 2);
    acme.post(MEMBERS, json!({ "email": "bob@example.org" })).await.ok();
    acme.delete(&path(&first)).await.ok();
    let viewer = json!({ "email": "ada@example.org", "role": "viewer" });
    assert_eq!(acme.post(MEMBERS, viewer).await.ok()["role"], "viewer");
}

async fn who_they_are_is_kept_to_the_letter(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let longest = "💧".repeat(255);
    for (issuer, subject) in [(ISSUER, "a"), (ISSUER, "A"), (&longest, &longest), ("'; --", " ")] {
        let body = json!({ "issuer": issuer, "subject": subject });
        let shown = acme.post(MEMBERS, body).await.ok();
        assert_eq!((&shown["issuer"], &shown["subject"]), (&json!(issuer), &json!(subject)));
    }
    let longest = format!("{}@example.org", "ä".repeat(242));
    let shown = acme.post(MEMBERS, json!({ "email": longest })).await.ok();
    assert_eq!(shown["email"], json!(longest));
    assert_eq!(acme.get(MEMBERS).await.ok().as_array().unwrap().len(), 5);
}

async fn one_identity_is_asked_for(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for (body, loc) in [
        (json!({}), json!(["body"])),
        (json!({ "role": "viewer" }), json!(["body"])),
        (json!({ "email": "a@b", "subject": "a" }), json!(["body", "email"])),
        (json!({ "email": "a@b", "issuer": ISSUER, "subject": "a" }), json!(["body", "email"])),
        (json!({ "issuer": ISSUER }), json!(["body", "subject"])),
        (json!({ "subject": "a" }), json!(["body", "issuer"])),
    ] {
        let refused = acme.post(MEMBERS, body.clone()).await.refused(400, "VALIDATION_ERROR");
        assert_eq!(refused["details"]["errors"][0]["loc"], loc, "{body}");
    }
    let answer = acme.post(MEMBERS, json!({ "email": "a", "subject": "a", "role": "x" })).await;
    assert_eq!(answer.fields(), ["body.email", "body.role"]);
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([]));
}

async fn anothers_members_are_not_found(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = acme.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    assert_eq!(globex.get(MEMBERS).await.ok(), json!([]));
    globex.delete(&path(&ada)).await.refused(404, "MEMBER_NOT_FOUND");
    assert_eq!(acme.get(MEMBERS).await.ok(), json!([ada]));
    assert_eq!(memberships(&app, "ada@example.org").await, 1);
}

async fn members_go_with_their_reseller(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    for reseller in [&acme, &globex] {
        reseller.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    }
    let deleted = app.db.system(Purpose::Administer, |tx| {
        let reseller = weir_app::resellers::close(tx, "Acme")?;
        weir_app::resellers::delete_closed(tx, &reseller)
    });
    deleted.await.unwrap();
    assert_eq!(memberships(&app, "ada@example.org").await, 1);
    assert_eq!(globex.get(MEMBERS).await.ok().as_array().unwrap().len(), 1);
}

/// On one store: PostgreSQL tells listeners a second time, whenever that may be.
#[tokio::test]
async fn caches_are_told_of_those_who_come_and_go() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let heard = Arc::new(Heard::default());
    app.db.listen(heard.clone());
    let told = || std::mem::take(&mut *heard.0.lock().unwrap());
    let news = Change::Reseller(acme.reseller().id);
    let ada = acme.post(MEMBERS, json!({ "email": "ada@example.org" })).await.ok();
    assert_eq!(told(), std::slice::from_ref(&news));
    let again = acme.post(MEMBERS, json!({ "email": "ada@example.org" })).await;
    again.refused(400, "MEMBER_ALREADY_EXISTS");
    acme.get(MEMBERS).await.ok();
    assert_eq!(told(), []);
    acme.delete(&path(&ada)).await.ok();
    assert_eq!(told(), std::slice::from_ref(&news));
    acme.delete(&path(&ada)).await.refused(404, "MEMBER_NOT_FOUND");
    assert_eq!(told(), []);
}
