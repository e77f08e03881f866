//! Registering a device.

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    a_device_is_registered,
    a_device_is_registered_for_somebody,
    complaints_stand_beside_their_fields,
);

const REGISTER: &str = "/devices/register";

async fn a_device_is_registered(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let top = meter(&acme, 1, "Street").await;
    shows(&ada.page(REGISTER).await, &["name=\"dev_eui\"", "name=\"adopt_readings\" checked"]);
    let fields = [
        ("dev_eui", eui(2)),
        ("name", "  Cellar ".into()),
        ("parent_dev_eui", eui(1)),
        ("is_principal", "on".into()),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (*name, &**text)).collect();
    let page = ada.submit(REGISTER, &fields).await.sent_on().to_owned();
    let device = look(&acme, &eui(2)).await;
    assert_eq!(page, format!("/devices/{}", device["id"].as_str().expect("an id")));
    assert_eq!((&device["name"], &device["is_principal"]), (&"Cellar".into(), &true.into()));
    assert_eq!(device["parent_device_id"], top.as_str());
}

async fn a_device_is_registered_for_somebody(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let (river, bob) = (customer(&acme, "Riverside").await, end_user(&acme, "Bob").await);
    let (main, street) = (eui(1), eui(2));
    let of = |eui, customer, end_user| {
        [("dev_eui", eui), ("name", "Main"), ("customer", customer), ("end_user", end_user)]
    };
    let answer = ada.submit(REGISTER, &of(&main, "Nowhere", "Nobody")).await;
    assert_eq!(answer.status, 422);
    shows(&answer.text(), &["id=\"customer-complaint\"", "Nowhere is not known"]);
    shows(&answer.text(), &["id=\"end_user-complaint\"", "value=\"Nobody\""]);
    ada.submit(REGISTER, &of(&main, " riverside ", &bob)).await.sent_on();
    ada.submit(REGISTER, &of(&street, "", "")).await.sent_on();
    let device = look(&acme, &main).await;
    assert_eq!(device["customer_id"], river.as_str());
    assert_eq!(device["end_user_id"], bob.as_str());
    assert!(look(&acme, &street).await["customer_id"].is_null());
}

async fn complaints_stand_beside_their_fields(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    meter(&acme, 1, "Street").await;
    let answer = ada.submit(REGISTER, &[("dev_eui", "7"), ("name", " ")]).await;
    assert_eq!(answer.status, 422);
    shows(&answer.text(), &["id=\"dev_eui-complaint\"", "id=\"name-complaint\"", "value=\"7\""]);
    let answer = ada.submit(REGISTER, &[("dev_eui", &eui(1)), ("name", HOSTILE)]).await;
    shows(&answer.text(), &["id=\"dev_eui-complaint\"", "is already registered", ESCAPED]);
    let (own, nobody) = (eui(2), eui(3));
    let orphan = [("dev_eui", &*own), ("name", "Cellar"), ("parent_dev_eui", &*nobody)];
    let answer = ada.submit(REGISTER, &orphan).await;
    shows(&answer.text(), &["id=\"parent_dev_eui-complaint\"", "No such parent device."]);
}
