//! Arranging many devices at once.

use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer, TestApp};
use weir_testkit::on_both_stores;

use crate::support::*;

async fn arrange(actor: &Actor, assignments: Value) -> Answer {
    let body = json!({ "assignments": assignments });
    actor.patch("/api/v1/devices/hierarchy-batch", body).await
}

fn put(device: &str, level: i64, parent: Option<&str>) -> Value {
    json!({ "device_id": device, "hierarchy_level": level, "parent_device_id": parent })
}

/// Where a device is.
async fn place(actor: &Actor, id: &str) -> Value {
    let device = look(actor, id).await;
    json!([device["parent_device_id"], device["hierarchy_level"], device["is_principal"]])
}

on_both_stores!(
    what_counts_is_the_tree_once_all_is_applied,
    every_item_that_makes_no_sense_is_named_and_nothing_changes,
    nothing_comes_to_lie_too_deep,
    bodies_are_refused_at_their_limits,
);

async fn what_counts_is_the_tree_once_all_is_applied(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let line = chain(&acme, 1, 4).await;
    let answer = arrange(
        &acme,
        json!([
            // The last becomes the parent of the first, which takes the second along.
            put(&line[0], 10, Some(&line[3])),
            put(&line[3], 0, Some(&line[2])),
            put(&line[2], 1, Some(&line[3])),
        ]),
    )
    .await;
    let data = answer.ok();
    assert!(answer.json()["message"].is_string());
    assert_eq!(data["updated_count"], 3);
    let order = [&line[0], &line[3], &line[2]].map(|id| json!(id));
    assert_eq!(each(&data["devices"], "id"), order);
    assert_eq!(each(&data["devices"], "hierarchy_level"), [1, 0, 1].map(Value::from));
    assert_eq!(place(&acme, &line[3]).await, json!([null, 0, true]));
    assert_eq!(place(&acme, &line[0]).await, json!([line[3], 1, false]));
    assert_eq!(place(&acme, &line[1]).await, json!([line[0], 2, false]));
    assert_eq!(place(&acme, &line[2]).await, json!([line[3], 1, false]));
    // A principal meter that is put below another is none any more.
    let other = acme.register(&eui(9)).await;
    arrange(&acme, json!([put(&line[3], 1, Some(&other))])).await.ok();
    assert_eq!(place(&acme, &line[3]).await, json!([other, 1, false]));
    assert_eq!(place(&acme, &line[1]).await, json!([line[0], 3, false]));
    // A parent need not be said for level 0.
    let bare = json!([{ "device_id": line[3], "hierarchy_level": 0 }]);
    assert_eq!(arrange(&acme, bare).await.ok()["devices"][0]["is_principal"], true);
}

async fn every_item_that_makes_no_sense_is_named_and_nothing_changes(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let line = chain(&acme, 1, 2).await;
    let (a, b) = (acme.register(&eui(10)).await, acme.register(&eui(11)).await);
    let gone = acme.register(&eui(12)).await;
    delete(&acme, &gone).await.ok();
    let foreign = globex.register(&eui(13)).await;
    let good = put(&a, 1, Some(&line[0]));
    let device = "device_id";
    let (level, parent) = ("hierarchy_level", "parent_device_id");
    for (bad, field) in [
        (put(&a, 0, None), device),
        (put(NOBODY, 0, None), device),
        (put(&gone, 0, None), device),
        (put(&foreign, 1, Some(&line[0])), device),
        (put(&b, 11, Some(&line[0])), level),
        (put(&b, -1, None), level),
        (put(&b, i64::MAX, None), level),
        (put(&b, 1, None), parent),
        (put(&b, 1, Some(&b)), parent),
        (put(&b, 1, Some(&gone)), parent),
        (put(&b, 1, Some(&foreign)), parent),
        (put(&b, 1, Some(NOBODY)), parent),
        (put(&b, 2, Some(&line[1])), parent),
        // At the top before, and no longer.
        (put(&b, 1, Some(&a)), parent),
    ] {
        let refused = arrange(&acme, json!([good, bad])).await.refused(400, "VALIDATION_ERROR");
        let errors = &refused["details"]["errors"];
        assert_eq!(each(errors, "loc"), [json!(["body", "assignments", 1, field])], "{bad}");
        assert!(errors[0]["message"].is_string(), "{bad}");
    }
    let all = json!([put(NOBODY, 12, None), put(&b, 1, None), good, good]);
    let refused = arrange(&acme, all).await.refused(400, "VALIDATION_ERROR");
    let items: Vec<_> =
        each(&refused["details"]["errors"], "loc").iter().map(|loc| loc[2].clone()).collect();
    assert_eq!(items, [0, 0, 1, 3].map(Value::from));
    assert_eq!(place(&acme, &a).await, json!([null, 0, false]));
}

async fn nothing_comes_to_lie_too_deep(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let line = chain(&acme, 1, 11).await;
    let (top, other) = (acme.register(&eui(50)).await, acme.register(&eui(51)).await);
    let deep = json!([put(&other, 1, Some(&top)), put(&line[0], 1, Some(&top))]);
    let refused = arrange(&acme, deep).await.refused(400, "HIERARCHY_TOO_DEEP");
    let why = &refused["details"]["errors"][0];
    assert_eq!(why["loc"], json!(["body", "assignments", 1, "parent_device_id"]));
    assert!(why["message"].as_str().unwrap().contains(&line[10]), "{why}");
    assert_eq!(place(&acme, &other).await, json!([null, 0, false]));
    assert_eq!(place(&acme, &line[10]).await, json!([line[9], 10, false]));
    // Cut in two, both parts fit.
    let cut = json!([put(&line[0], 1, Some(&top)), put(&line[5], 1, Some(&top))]);
    arrange(&acme, cut).await.ok();
    assert_eq!(place(&acme, &line[4]).await, json!([line[3], 5, false]));
    assert_eq!(place(&acme, &line[10]).await, json!([line[9], 6, false]));
}

async fn bodies_are_refused_at_their_limits(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let path = "/api/v1/devices/hierarchy-batch";
    let one = |assignment: Value| json!({ "assignments": [assignment] });
    let item = |field: &str| format!("body.assignments.0.{field}");
    let over = vec![put(NOBODY, 0, None); 1001];
    for (body, field) in [
        (json!({}), "body.assignments".to_owned()),
        (json!({ "assignments": [] }), "body.assignments".into()),
        (json!({ "assignments": over }), "body.assignments".into()),
        (json!({ "assignments": {} }), "body.assignments".into()),
        (json!({ "assignments": [7] }), "body.assignments.0".into()),
        (one(json!({ "hierarchy_level": 0 })), item("device_id")),
        (one(json!({ "device_id": NOBODY })), item("hierarchy_level")),
        (one(json!({ "device_id": "x", "hierarchy_level": 0 })), item("device_id")),
        (one(json!({ "device_id": eui(1), "hierarchy_level": 0 })), item("device_id")),
        (one(json!({ "device_id": NOBODY, "hierarchy_level": "0" })), item("hierarchy_level")),
        (one(json!({ "device_id": NOBODY, "hierarchy_level": 0.5 })), item("hierarchy_level")),
        (one(json!({ "device_id": NOBODY, "hierarchy_level": null })), item("hierarchy_level")),
        (
            one(json!({ "device_id": NOBODY, "hierarchy_level": 0, "parent_device_id": "x" })),
            item("parent_device_id"),
        ),
    ] {
        assert_eq!(acme.patch(path, body).await.fields(), [field.as_str()]);
    }
    // A thousand fit.
    let full = vec![put(NOBODY, 0, None); 1000];
    arrange(&acme, json!(full)).await.refused(400, "VALIDATION_ERROR");
}
