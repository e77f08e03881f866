//! Registering devices.

mod adoption;
mod fields;
mod hierarchy;

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

/// The fields that registering shows.
pub const CORE: &[&str] = &[
    "id",
    "dev_eui",
    "name",
    "device_name",
    "device_type",
    "status",
    "battery_level",
    "last_reading_at",
    "is_active",
    "parent_device_id",
    "is_principal",
    "hierarchy_level",
    "customer_id",
    "deleted_at",
    "created_at",
    "updated_at",
];

on_both_stores!(
    a_new_device_is_offline_active_and_bare,
    an_eui_is_taken_in_any_spelling,
    of_many_who_register_one_eui_at_once_one_succeeds,
);

async fn a_new_device_is_offline_active_and_bare(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let answer = acme.post(REGISTER, meter("70B3d57eD02a3654")).await;
    let device = answer.ok();
    assert!(answer.json()["message"].as_str().unwrap().contains("registered"));
    assert_eq!(keys(&device), names(CORE));
    let id: uuid::Uuid = device["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(id.get_version_num(), 7);
    assert_eq!(device["dev_eui"], "70B3d57eD02a3654", "as it was written");
    assert_eq!(device["name"], "Main meter");
    assert_eq!(device["device_type"], "water_meter");
    assert_eq!(device["status"], "offline");
    assert_eq!(device["is_active"], true);
    assert_eq!(device["is_principal"], false);
    assert_eq!(device["hierarchy_level"], 0);
    for empty in [
        "device_name",
        "battery_level",
        "last_reading_at",
        "parent_device_id",
        "customer_id",
        "deleted_at",
    ] {
        assert_eq!(device[empty], Value::Null, "{empty}");
    }
    for time in ["created_at", "updated_at"] {
        assert_eq!(device[time], "2026-03-29T12:00:00+00:00");
    }
}

async fn an_eui_is_taken_in_any_spelling(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    for taken in [EUI.to_owned(), EUI.to_uppercase()] {
        let answer = acme.post(REGISTER, meter(&taken)).await;
        let details = answer.refused(400, "DEVICE_ALREADY_EXISTS")["details"].clone();
        assert_eq!(details, json!({ "device_id": id, "dev_eui": EUI, "name": EUI }));
    }
    let globex = app.reseller("Globex").await;
    let answer = globex.post(REGISTER, meter(&EUI.to_uppercase())).await;
    assert_eq!(answer.refused(400, "DEVICE_ALREADY_EXISTS")["details"], json!({}));
    assert_eq!(acme.get(DEVICES).await.header("x-total-count"), "1");
}

async fn of_many_who_register_one_eui_at_once_one_succeeds(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let tries = (0..20).map(|number| {
        let actor = if number % 2 == 0 { acme.clone() } else { globex.clone() };
        tokio::spawn(async move { actor.post(REGISTER, meter(EUI)).await })
    });
    let mut registered = 0;
    for answer in tries.collect::<Vec<_>>() {
        let answer = answer.await.unwrap();
        match answer.status.as_u16() {
            200 => registered += 1,
            _ => drop(answer.refused(400, "DEVICE_ALREADY_EXISTS")),
        }
    }
    assert_eq!(registered, 1);
    let seen = [acme.get(DEVICES).await, globex.get(DEVICES).await];
    assert_eq!(seen.iter().map(|list| list.ok().as_array().unwrap().len()).sum::<usize>(), 1);
}
