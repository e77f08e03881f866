//! Registering below another device.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

fn below(dev_eui: &str, parent: &str) -> Value {
    with(meter(dev_eui), "/parent_device_id", json!(parent))
}

on_both_stores!(
    levels_follow_the_parent_down_to_ten,
    a_parent_is_a_live_device_of_the_caller,
    a_parent_is_named_by_a_hyphenated_uuid,
);

async fn levels_follow_the_parent_down_to_ten(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let mut parent = acme.register(&eui(0)).await;
    for level in 1..=10 {
        let device = acme.post(REGISTER, below(&eui(level), &parent)).await.ok();
        assert_eq!(device["hierarchy_level"], level);
        assert_eq!(device["parent_device_id"], parent.as_str());
        parent = device["id"].as_str().unwrap().to_owned();
    }
    acme.post(REGISTER, below(&eui(11), &parent)).await.refused(400, "HIERARCHY_TOO_DEEP");
    acme.get(&format!("{DEVICES}/{}", eui(11))).await.refused(404, "DEVICE_NOT_FOUND");
}

async fn a_parent_is_a_live_device_of_the_caller(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let foreign = globex.register(&eui(1)).await;
    let unknown = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10";
    let mut told = Vec::new();
    for parent in [foreign.as_str(), unknown, &uuid::Uuid::nil().to_string()] {
        let answer = acme.post(REGISTER, below(EUI, parent)).await;
        told.push(answer.refused(404, "PARENT_DEVICE_NOT_FOUND"));
    }
    assert!(told.iter().all(|body| *body == told[0]), "{told:?}");
    acme.post(REGISTER, meter(EUI)).await.ok();
}

async fn a_parent_is_named_by_a_hyphenated_uuid(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let parent = acme.register(&eui(1)).await;
    let device = acme.post(REGISTER, below(EUI, &parent.to_uppercase())).await.ok();
    assert_eq!(device["parent_device_id"], parent.as_str());
    let simple = parent.replace('-', "");
    for bad in [&simple, &format!("{{{parent}}}"), &format!("urn:uuid:{parent}"), &eui(1), ""] {
        assert_eq!(
            acme.post(REGISTER, below(&eui(2), bad)).await.fields(),
            ["body.parent_device_id"]
        );
    }
    let body = with(meter(&eui(2)), "/parent_device_id", json!(7));
    assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.parent_device_id"]);
}
