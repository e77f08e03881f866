//! Settings.

mod largest;
mod last_used;

use http::Method;
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

on_both_stores!(
    a_key_is_revealed_rotated_and_revoked,
    a_key_is_created_once_by_its_name,
    instructions_are_ready_to_paste,
    members_come_and_go,
    the_last_admin_stays,
    tenant_names_come_and_go,
    a_name_of_another_is_refused,
    the_time_zone_is_changed,
    plan_and_quota_are_shown,
    a_viewer_sees_no_key_and_changes_nothing,
    forms_from_elsewhere_are_refused,
);

const SETTINGS: &str = "/settings";

/// The key that a page shows.
fn key_in(page: &str) -> Option<&str> {
    let (_, key) = page.split_once(r#"<code id="revealed-key">"#)?;
    key.split('<').next()
}

async fn reveal(ada: &Actor, name: &str) -> String {
    let answer = ada.submit("/settings/keys/reveal", &[("name", name)]).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    key_in(&answer.text()).expect("a key").to_owned()
}

/// Whether a key opens anything.
async fn opens(app: &TestApp, key: &str) -> bool {
    app.stranger().with_header("x-api-key", key).get("/api/v1/devices").await.status == 200
}

async fn a_key_is_revealed_rotated_and_revoked(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let page = ada.page(SETTINGS).await;
    assert!(page.contains("default") && !page.contains(acme.api_key()));
    let first = reveal(&ada, "default").await;
    assert_eq!(first, acme.api_key());

    let rotated = ada.submit("/settings/keys/rotate", &[("name", "default")]).await;
    assert_eq!(rotated.sent_on(), SETTINGS);
    let second = reveal(&ada, "default").await;
    assert!(second != first && opens(&app, &second).await && !opens(&app, &first).await);

    let revoked = ada.submit("/settings/keys/revoke", &[("name", "default")]).await;
    assert_eq!(revoked.sent_on(), SETTINGS);
    assert!(!opens(&app, &second).await);
    assert!(ada.page(SETTINGS).await.contains("There is no key"));
    for what in ["reveal", "rotate", "revoke"] {
        let path = format!("/settings/keys/{what}");
        assert_eq!(ada.submit(&path, &[("name", "default")]).await.status, 404, "{what}");
    }
}

async fn a_key_is_created_once_by_its_name(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let create = "/settings/keys/create";
    assert_eq!(ada.submit(create, &[("key", "gate <b>")]).await.sent_on(), SETTINGS);
    assert!(ada.page(SETTINGS).await.contains("gate &#60;b&#62;"));
    let key = reveal(&ada, "gate <b>").await;
    assert!(opens(&app, &key).await && key != acme.api_key());
    for (name, reason) in [("gate <b>", "already has an API key"), (" ", "must not be blank")] {
        let refused = ada.submit(create, &[("key", name)]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains(r#"id="key-complaint""#), "{name}");
        assert!(refused.text().contains(reason), "{name}");
    }
}

async fn instructions_are_ready_to_paste(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let url = "https://weir.example.org/api/v1/ingest/water-consumption";
    let page = ada.page(SETTINGS).await;
    assert!(page.contains(&format!(r#"<code id="webhook-url">{url}</code>"#)), "{page}");
    assert!(page.contains("ChirpStack 4") && page.contains("The Things Stack 3"));
    assert!(page.contains("X-API-Key") && page.contains("your API key"));
    let shown = ada.submit("/settings/keys/reveal", &[("name", "default")]).await.text();
    assert!(shown.contains(&format!(r#"<code id="webhook-key">{}</code>"#, acme.api_key())));
    assert!(shown.contains(&format!("X-API-Key={}", acme.api_key())));
}

async fn members_come_and_go(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let add = "/settings/members/add";
    let fields = [("email", "Vera@example.org"), ("role", "viewer")];
    assert_eq!(ada.submit(add, &fields).await.sent_on(), SETTINGS);
    let page = ada.page(SETTINGS).await;
    assert!(page.contains("vera@example.org") && page.contains("ada@example.org</span> (you)"));
    let again = ada.submit(add, &fields).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("vera@example.org is already a member."));
    let nobody = ada.submit(add, &[("email", "vera"), ("role", "king")]).await.text();
    assert!(
        nobody.contains("must be an e-mail address") && nobody.contains("must be admin or viewer")
    );

    let vera = app.browser_of("vera@example.org").await;
    assert_eq!(vera.get(SETTINGS).await.status, 200);
    let members = acme.get("/api/v1/members").await.ok();
    let id = members.as_array().unwrap().iter().find(|it| it["email"] == "vera@example.org");
    let id = id.unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(ada.submit("/settings/members/remove", &[("id", &id)]).await.sent_on(), SETTINGS);
    assert_eq!(vera.get(SETTINGS).await.sent_on(), "/sign-in?page=%2Fsettings");
    assert_eq!(ada.submit("/settings/members/remove", &[("id", &id)]).await.status, 404);
}

async fn the_last_admin_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let own = acme.get("/api/v1/members").await.ok()[0]["id"].as_str().unwrap().to_owned();
    let form = |id: &str| format!(r#"name="id" value="{id}""#);
    let page = ada.page(SETTINGS).await;
    assert!(page.contains("The last admin stays.") && !page.contains(&form(&own)), "{page}");
    // Another admin may be removed while the page is looked at.
    let refused = ada.submit("/settings/members/remove", &[("id", &own)]).await;
    assert_eq!(refused.sent_on(), SETTINGS);
    assert!(refused.header("set-cookie").contains("weir_flash="));
    assert_eq!(ada.get(SETTINGS).await.status, 200);

    let fields = [("email", "bob@example.org"), ("role", "admin")];
    ada.submit("/settings/members/add", &fields).await.sent_on();
    let page = ada.page(SETTINGS).await;
    assert!(!page.contains("The last admin stays.") && page.contains(&form(&own)), "{page}");
    ada.submit("/settings/members/remove", &[("id", &own)]).await.sent_on();
    assert_eq!(ada.get(SETTINGS).await.sent_on(), "/sign-in?page=%2Fsettings");
}

async fn tenant_names_come_and_go(app: TestApp) {
    let acme = app.reseller("Acme Water").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    acme.register("70b3d57ed02a3654").await;
    let uplink = || chirpstack("Riverside", "70b3d57ed02a3654", "2026-03-29T10:00:00Z", 1.0);
    acme.ingest(uplink()).await.refused(403, "TENANT_MISMATCH");
    let added = ada.submit("/settings/names/add", &[("alias", " Riverside ")]).await;
    assert_eq!(added.sent_on(), SETTINGS);
    let page = ada.page(SETTINGS).await;
    for name in ["Acme Water", "acme-water", "Riverside"] {
        assert!(page.contains(&format!(">{name}</code>")), "{name}: {page}");
    }
    acme.ingest(uplink()).await.ok();
    for again in ["Riverside", "riverside"] {
        let added = ada.submit("/settings/names/add", &[("alias", again)]).await;
        assert_eq!(added.sent_on(), SETTINGS, "it is there, and stays as it is");
    }
    assert_eq!(ada.page(SETTINGS).await.matches("iverside</code>").count(), 1);
    let removed = ada.submit("/settings/names/remove", &[("name", "Riverside")]).await;
    assert_eq!(removed.sent_on(), SETTINGS);
    acme.ingest(uplink()).await.refused(403, "TENANT_MISMATCH");
    // Its own name is no alias.
    assert_eq!(ada.submit("/settings/names/remove", &[("name", "Acme Water")]).await.status, 400);
}

async fn a_name_of_another_is_refused(app: TestApp) {
    let (acme, _globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let refused = ada.submit("/settings/names/add", &[("alias", "globex")]).await;
    assert_eq!(refused.status, 422);
    let page = refused.text();
    assert!(page.contains(r#"id="alias-complaint""#) && page.contains("is taken by another"));
    assert!(page.contains(r#"value="globex""#), "what was typed stays");
    assert!(!ada.page(SETTINGS).await.contains(">globex</code>"));
}

async fn the_time_zone_is_changed(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let path = "/settings/time-zone";
    assert_eq!(ada.submit(path, &[("timezone", "europe/lisbon")]).await.sent_on(), SETTINGS);
    assert!(ada.page(SETTINGS).await.contains(r#"value="Europe/Lisbon""#));
    for unknown in ["", "Mars/Olympus"] {
        let refused = ada.submit(path, &[("timezone", unknown)]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains(r#"id="timezone-complaint""#));
    }
    assert!(ada.page(SETTINGS).await.contains(r#"value="Europe/Lisbon""#));
}

async fn plan_and_quota_are_shown(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    acme.register("70b3d57ed02a3654").await;
    let uplink = chirpstack("Acme", "70b3d57ed02a3654", "2026-03-29T10:00:00Z", 1.0);
    acme.ingest(uplink).await.ok();
    let page = ada.page(SETTINGS).await;
    for fact in ["starter", "49.00 EUR", "<dd>50</dd>", "1 of 100,000"] {
        assert!(page.contains(fact), "{fact}: {page}");
    }
}

async fn a_viewer_sees_no_key_and_changes_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let vera = app.visitor(&acme, "vera@example.org", Role::Viewer).await;
    let page = vera.page(SETTINGS).await;
    assert!(page.contains("default") && !page.contains(r#"action="/settings"#), "{page}");
    for path in [
        "keys/create",
        "keys/reveal",
        "keys/rotate",
        "keys/revoke",
        "members/add",
        "members/remove",
        "names/add",
        "names/remove",
        "time-zone",
    ] {
        let fields = [("name", "default"), ("key", "a"), ("timezone", "UTC"), ("alias", "a")];
        let refused = vera.submit(&format!("/settings/{path}"), &fields).await;
        assert_eq!(refused.status, 403, "{path}");
        assert!(!refused.text().contains(acme.api_key()), "{path}");
    }
    assert!(opens(&app, acme.api_key()).await);
}

async fn forms_from_elsewhere_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let kind = Some("application/x-www-form-urlencoded");
    for body in ["name=default", "name=default&token=AAAA"] {
        let forged = ada.send(Method::POST, "/settings/keys/revoke", kind, body.into()).await;
        assert_eq!(forged.status, 403, "{body}");
    }
    assert!(opens(&app, acme.api_key()).await);
}
