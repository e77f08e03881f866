//! One reseller asks for what is another's.

use std::collections::BTreeSet;

use axum::body::Body;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use super::table::Stranger::{Refused, Sees, Succeeds};
use super::table::{TABLE, TESTED_APART};
use crate::support::*;

/// Somebody who asks, and what is theirs.
struct Asker {
    actor: Actor,
    mine: Belongings,
}

impl Asker {
    async fn of(app: &TestApp, actor: &Actor) -> Self {
        let mine = Belongings::of(app, actor).await.my_own();
        Self { actor: actor.clone(), mine }
    }

    async fn ask(&self, operation: &str, body: &str, own: &Belongings) -> Answer {
        let (method, path) = operation.split_once(' ').unwrap();
        let fill = |text: &str| self.mine.fill(&own.fill(text));
        let body = fill(body);
        let content_type = (!body.is_empty()).then_some("application/json");
        let method = method.parse().unwrap();
        self.actor.send(method, &fill(path), content_type, Body::from(body)).await
    }
}

/// Both forms in which a path may name a device, where it does.
fn forms(operation: &str) -> BTreeSet<String> {
    let (id, eui) = ("device_id}", "dev_eui}");
    BTreeSet::from([operation.replace(id, eui), operation.replace(eui, id)])
}

on_both_stores!(
    what_is_anothers_does_not_exist,
    an_eui_of_another_reseller_is_taken_and_nothing_is_told_of_it,
    uplinks_reach_no_device_of_another_reseller,
);

async fn what_is_anothers_does_not_exist(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let owner = Asker::of(&app, &acme).await;
    let somebody = Asker::of(&app, &app.reseller("Globex").await).await;
    // One who has nothing, so that whatever it sees would be another's.
    let newcomer = Asker { actor: app.reseller("Initech").await, mine: somebody.mine.of_nobody() };
    let mut own = Belongings::of(&app, &acme).await;
    for &(operation, body, told) in TABLE {
        let has_own = [operation, body].iter().any(|text| text.contains("{my_"));
        let stranger = if has_own || matches!(told, Succeeds) { &somebody } else { &newcomer };
        for form in forms(operation) {
            let before = look_at_all(&acme, &own).await;
            let answer = stranger.ask(&form, body, &own).await;
            match told {
                Refused(status, code) => {
                    let told = answer.refused(status, code).to_string();
                    let nobodys = own.of_nobody();
                    let absent = stranger.ask(&form, body, &nobodys).await;
                    let absent = absent.refused(status, code).to_string();
                    assert_eq!(own.strike(&told), nobodys.strike(&absent), "{form}");
                }
                Sees(data) => {
                    let data = stranger.mine.fill(&own.fill(data));
                    let data: Value = serde_json::from_str(&data).unwrap();
                    assert_eq!(answer.ok(), data, "{form}");
                }
                Succeeds => drop(answer.ok()),
            }
            assert_eq!(look_at_all(&acme, &own).await, before, "{form} {body}");
            let owners = owner.ask(&form, body, &own).await;
            assert_eq!(owners.status, 200, "{form} {body}");
            if let Sees(_) = told {
                assert_ne!(owners.ok(), answer.ok(), "{form}");
            }
            if !form.starts_with("GET ") {
                own = Belongings::of(&app, &acme).await;
            }
        }
    }
}

async fn an_eui_of_another_reseller_is_taken_and_nothing_is_told_of_it(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    acme.register(EUI).await;
    let answer = globex.post(REGISTER, meter(&EUI.to_uppercase())).await;
    assert_eq!(answer.refused(400, "DEVICE_ALREADY_EXISTS")["details"], json!({}));
    assert_eq!(globex.get(DEVICES).await.ok(), json!([]));
}

async fn uplinks_reach_no_device_of_another_reseller(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let device = acme.register(EUI).await;
    for uplink in [chirpstack, things_stack] {
        let time = app.clock.ago(hours(1));
        globex.ingest(uplink("Globex", EUI, &time, 7.0)).await.refused(404, "DEVICE_NOT_FOUND");
        globex.ingest(uplink("Acme", EUI, &time, 7.0)).await.refused(403, "TENANT_MISMATCH");
    }
    let remembered = globex.get(UNREGISTERED).await.ok();
    assert_eq!(remembered[0]["dev_eui"], EUI);
    assert_eq!(remembered[0]["message_count"], 2);
    assert_eq!(remembered.as_array().unwrap().len(), 1);
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
    let history = acme.get(&format!("/api/v1/devices/{device}/consumption")).await.ok();
    assert_eq!(history, json!([]));
    assert_eq!(acme.get(&format!("/api/v1/devices/{EUI}")).await.ok()["status"], "offline");
}

/// A new operation comes with its row.
#[test]
fn every_operation_has_its_stranger_test() {
    let documented: BTreeSet<String> =
        operations().into_iter().map(|operation| unnamed(&operation.name)).collect();
    let rows = TABLE.iter().map(|row| row.0);
    let tested: BTreeSet<String> = rows.chain(TESTED_APART.iter().copied()).map(unnamed).collect();
    let missing: Vec<_> = documented.difference(&tested).collect();
    let stale: Vec<_> = tested.difference(&documented).collect();
    assert!(missing.is_empty(), "add rows to strangers/table.rs for {missing:#?}");
    assert!(stale.is_empty(), "these are no operations: {stale:#?}");
}
