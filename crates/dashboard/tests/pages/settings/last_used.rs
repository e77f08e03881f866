//! When keys were last used.

use std::time::Duration;

use weir_app::resellers::ResellerChange;
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use super::SETTINGS;

on_both_stores!(
    a_used_key_shows_its_time,
    a_use_is_kept_while_keys_change,
    nodes_never_move_it_back
);

/// Writes into the store what a node has seen of keys.
async fn note(node: &TestApp) {
    node.keyring.note_uses(node.clock.now()).await.unwrap();
}

/// What the page says of the use of its keys, one after the other.
async fn uses(ada: &Actor) -> Vec<String> {
    let page = ada.page(SETTINGS).await;
    let rows = page.split(r#"<strong id="key-"#).skip(1);
    let told = rows.map(|row| row.split("Created ").nth(1).unwrap().split("</span>").next());
    told.map(|told| told.unwrap().split_once(", ").unwrap().1.to_owned()).collect()
}

async fn a_used_key_shows_its_time(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let timezone = Some("Europe/Amsterdam".to_owned());
    app.change(&acme, ResellerChange { timezone, ..ResellerChange::default() }).await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    ada.submit("/settings/keys/create", &[("key", "gate")]).await.sent_on();
    assert_eq!(uses(&ada).await, ["never used", "never used"]);
    note(&app).await;
    assert_eq!(uses(&ada).await, ["never used", "never used"]);

    acme.register("70b3d57ed02a3654").await;
    note(&app).await;
    assert_eq!(uses(&ada).await, ["last used 29 Mar 2026, 14:00", "never used"]);
    app.clock.advance(Duration::from_secs(61 * 60));
    note(&app).await;
    assert_eq!(uses(&ada).await[0], "last used 29 Mar 2026, 14:00", "nobody used it meanwhile");
    acme.ingest(chirpstack("Acme", "70b3d57ed02a3654", "2026-03-29T13:00:00Z", 1.0)).await.ok();
    note(&app).await;
    assert_eq!(uses(&ada).await, ["last used 29 Mar 2026, 15:01", "never used"]);

    // A key that takes its place was never used, and one that opens nothing is not used by trying.
    ada.submit("/settings/keys/rotate", &[("name", "default")]).await.sent_on();
    acme.get("/api/v1/devices").await.refused(401, "INVALID_API_KEY");
    note(&app).await;
    assert_eq!(uses(&ada).await, ["never used", "never used"]);
}

async fn a_use_is_kept_while_keys_change(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    acme.get("/api/v1/devices").await.ok();
    // News of the reseller: all of its keys are forgotten, and looked up again.
    ada.submit("/settings/keys/create", &[("key", "gate")]).await.sent_on();
    note(&app).await;
    assert_eq!(uses(&ada).await, ["last used 29 Mar 2026, 12:00", "never used"]);
}

async fn nodes_never_move_it_back(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let globex = app.reseller("Globex").await;
    let [ada, gil] = [(&acme, "ada@example.org"), (&globex, "gil@example.org")];
    let ada = app.visitor(ada.0, ada.1, Role::Admin).await;
    let gil = app.visitor(gil.0, gil.1, Role::Admin).await;
    let other = app.another_node().await;
    for key in [&acme, &globex] {
        key.get("/api/v1/devices").await.ok();
    }
    other.actor(&acme).get("/api/v1/devices").await.ok();
    let earlier = app.clock.now();
    app.clock.advance(Duration::from_secs(3_600));
    note(&other).await;
    assert_eq!(uses(&ada).await, ["last used 29 Mar 2026, 13:00"]);
    assert_eq!(uses(&gil).await, ["never used"]);
    // A node whose clock is behind comes later.
    app.keyring.note_uses(earlier).await.unwrap();
    assert_eq!(uses(&ada).await, ["last used 29 Mar 2026, 13:00"]);
    assert_eq!(uses(&gil).await, ["last used 29 Mar 2026, 12:00"]);
}
