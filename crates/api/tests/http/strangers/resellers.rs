//! One reseller asks for what is another's.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use serde_json::{Value, json};
use uuid::Uuid;
use weir_testkit::app::{Actor, Answer, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use super::operations;
use super::table::Stranger::{Refused, Sees};
use super::table::{TABLE, TESTED_APART};
use crate::support::*;

/// What is somebody's, as pairs of a name in braces and what it stands for.
struct Belongings(Vec<(&'static str, String)>);

static NUMBER: AtomicUsize = AtomicUsize::new(0);

fn unused_eui() -> String {
    eui(NUMBER.fetch_add(1, Ordering::Relaxed))
}

impl Belongings {
    /// Gives an owner one of everything.
    async fn of(app: &TestApp, owner: &Actor) -> Self {
        let tenant = owner.reseller().name.as_str();
        let (dev_eui, unregistered) = (unused_eui(), unused_eui());
        let device_id = owner.register(&dev_eui).await;
        owner.ingest(chirpstack(tenant, &dev_eui, &app.clock.ago(hours(1)), 1.5)).await.ok();
        let unknown = chirpstack(tenant, &unregistered, &app.clock.ago(hours(1)), 1.5);
        owner.ingest(unknown).await.refused(404, "DEVICE_NOT_FOUND");
        Self(vec![
            ("{device_id}", device_id),
            ("{dev_eui}", dev_eui),
            ("{unregistered_eui}", unregistered),
            ("{free_eui}", unused_eui()),
        ])
    }

    /// The same names for what nobody has.
    fn of_nobody(&self) -> Self {
        let absent = |(name, own): &(&'static str, String)| match own.len() {
            36 => {
                (*name, Uuid::from_u128(NUMBER.fetch_add(1, Ordering::Relaxed) as u128).to_string())
            }
            _ => (*name, unused_eui()),
        };
        Self(self.0.iter().map(absent).collect())
    }

    /// A text with everything put in.
    fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, own)| text.replace(name, own))
    }

    /// A text with everything taken out again.
    fn strike(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, own)| text.replace(own.as_str(), name))
    }
}

async fn ask(actor: &Actor, operation: &str, body: &str, own: &Belongings) -> Answer {
    let (method, path) = operation.split_once(' ').unwrap();
    let body = own.fill(body);
    let content_type = (!body.is_empty()).then_some("application/json");
    actor.send(method.parse().unwrap(), &own.fill(path), content_type, Body::from(body)).await
}

/// Both forms in which a path may name a device, where it does.
fn forms(operation: &str) -> BTreeSet<String> {
    let (id, eui) = ("{device_id}", "{dev_eui}");
    BTreeSet::from([operation.replace(id, eui), operation.replace(eui, id)])
}

/// Everything that an owner can see.
async fn look(owner: &Actor, own: &Belongings) -> Vec<Value> {
    let mut seen = Vec::new();
    for path in [DEVICES, UNREGISTERED, "/api/v1/devices/{device_id}/consumption"] {
        seen.push(owner.get(&own.fill(path)).await.ok());
    }
    seen
}

on_both_stores!(
    what_is_anothers_does_not_exist,
    an_eui_of_another_reseller_is_taken_and_nothing_is_told_of_it,
    uplinks_reach_no_device_of_another_reseller,
);

async fn what_is_anothers_does_not_exist(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    for &(operation, body, stranger) in TABLE {
        for form in forms(operation) {
            let own = Belongings::of(&app, &acme).await;
            let before = look(&acme, &own).await;
            let answer = ask(&globex, &form, body, &own).await;
            let seen = match stranger {
                Refused(status, code) => {
                    let told = answer.refused(status, code).to_string();
                    let nobodys = own.of_nobody();
                    let absent = ask(&globex, &form, body, &nobodys).await;
                    let absent = absent.refused(status, code).to_string();
                    assert_eq!(own.strike(&told), nobodys.strike(&absent), "{form}");
                    Value::Null
                }
                Sees(data) => {
                    let data: Value = serde_json::from_str(&own.fill(data)).unwrap();
                    assert_eq!(answer.ok(), data, "{form}");
                    data
                }
            };
            assert_eq!(look(&acme, &own).await, before, "{form}");
            assert_ne!(ask(&acme, &form, body, &own).await.ok(), seen, "{form}");
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
        operations().into_iter().map(|operation| operation.name).collect();
    let rows = TABLE.iter().map(|row| row.0);
    let tested: BTreeSet<String> =
        rows.chain(TESTED_APART.iter().copied()).map(str::to_owned).collect();
    let missing: Vec<_> = documented.difference(&tested).collect();
    let stale: Vec<_> = tested.difference(&documented).collect();
    assert!(missing.is_empty(), "add rows to strangers/table.rs for {missing:#?}");
    assert!(stale.is_empty(), "these are no operations: {stale:#?}");
}
