//! Parents and children.

mod batch;
mod moves;

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

on_both_stores!(
    a_device_moves_with_all_that_is_below_it,
    circles_and_depth_are_refused,
    what_is_not_there_is_told_in_order,
    children_are_live_and_in_order,
);

async fn a_device_moves_with_all_that_is_below_it(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let line = chain(&acme, 1, 4).await;
    let other = chain(&acme, 10, 3).await;
    // What is deleted in between keeps its links and is levelled with the rest.
    delete(&acme, &line[2]).await.ok();
    let answer = set_parent(&acme, &line[1], other[2].as_str()).await;
    let moved = answer.ok();
    assert_eq!(
        (&moved["parent_device_id"], &moved["hierarchy_level"]),
        (&json!(other[2]), &json!(3))
    );
    assert!(answer.json()["message"].is_string());
    assert_eq!(look(&acme, &line[3]).await["hierarchy_level"], 5);
    assert_eq!(restore(&acme, &line[2]).await.ok()["hierarchy_level"], 4);
    let freed = set_parent(&acme, &eui(2), Value::Null).await.ok();
    assert_eq!((&freed["parent_device_id"], &freed["hierarchy_level"]), (&json!(null), &json!(0)));
    assert_eq!(look(&acme, &line[3]).await["hierarchy_level"], 2);
    assert_eq!(look(&acme, &line[3]).await["parent_device_id"], json!(line[2]));
}

async fn circles_and_depth_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let line = chain(&acme, 1, 11).await;
    for (device, parent) in [(0, 0), (0, 1), (0, 10), (3, 7)] {
        set_parent(&acme, &line[device], line[parent].as_str())
            .await
            .refused(400, "CIRCULAR_REFERENCE");
    }
    // Through a deleted device as well.
    delete(&acme, &line[5]).await.ok();
    set_parent(&acme, &line[4], line[6].as_str()).await.refused(400, "CIRCULAR_REFERENCE");

    let top = acme.register(&eui(50)).await;
    let pair = chain(&acme, 60, 2).await;
    set_parent(&acme, &line[0], top.as_str()).await.refused(400, "HIERARCHY_TOO_DEEP");
    set_parent(&acme, &pair[0], line[9].as_str()).await.refused(400, "HIERARCHY_TOO_DEEP");
    set_parent(&acme, &top, line[10].as_str()).await.refused(400, "HIERARCHY_TOO_DEEP");
    assert_eq!(set_parent(&acme, &pair[0], line[8].as_str()).await.ok()["hierarchy_level"], 9);
    assert_eq!(look(&acme, &pair[1]).await["hierarchy_level"], 10);
    assert_eq!(look(&acme, &line[10]).await["hierarchy_level"], 10);
}

async fn what_is_not_there_is_told_in_order(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let (id, gone) = (acme.register(&eui(1)).await, acme.register(&eui(2)).await);
    delete(&acme, &gone).await.ok();
    let foreign = globex.register(&eui(3)).await;
    let unknown = uuid::Uuid::from_u128(7).to_string();
    for missing in [&gone, &foreign, &unknown] {
        set_parent(&acme, missing, missing.as_str()).await.refused(404, "DEVICE_NOT_FOUND");
        set_parent(&acme, missing, Value::Null).await.refused(404, "DEVICE_NOT_FOUND");
        set_parent(&acme, &id, missing.as_str()).await.refused(404, "PARENT_DEVICE_NOT_FOUND");
    }
    let path = at(&id) + "/parent";
    for body in [
        json!({}),
        json!({ "parent_device_id": "x" }),
        json!({ "parent_device_id": eui(1) }),
        json!({ "parent_device_id": 7 }),
        json!({ "parent_device_id": [id] }),
    ] {
        let fields = acme.put(&path, body.clone()).await.fields();
        assert_eq!(fields, ["body.parent_device_id"], "{body}");
    }
}

async fn children_are_live_and_in_order(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let top = acme.register(&eui(1)).await;
    let mut tick = 0;
    let mut ids: Vec<String> = Vec::new();
    // 1 and 2 below the top; 3 below 1, 4 below 2, 5 below 3.
    for parent in [None, None, Some(0), Some(1), Some(2)] {
        tick += 1;
        app.clock.advance(seconds(1));
        let parent = parent.map_or(top.clone(), |n: usize| ids[n].clone());
        let id = below(&acme, 1 + tick, &parent).await;
        ids.push(id);
    }
    let path = |query: &str| format!("{}/children{query}", at(&top));
    let direct = acme.get(&path("")).await.ok();
    assert_eq!(each(&direct, "id"), [json!(ids[1]), json!(ids[0])]);
    assert!(direct[0].get("end_user_id").is_some());
    let all = acme.get(&path("?include_descendants=true")).await.ok();
    let order: Vec<Value> = [1, 0, 3, 2, 4].map(|n: usize| json!(ids[n])).into();
    assert_eq!(each(&all, "id"), order);
    assert_eq!(each(&all, "hierarchy_level"), [1, 1, 2, 2, 3].map(Value::from));

    // Deleted ones are left out and walked through; the parent may be deleted itself.
    delete(&acme, &ids[0]).await.ok();
    delete(&acme, &top).await.ok();
    let all = acme.get(&path("?include_descendants=1")).await.ok();
    assert_eq!(each(&all, "id"), [1, 3, 2, 4].map(|n: usize| json!(ids[n])));
    let by_eui = acme.get(&format!("{}/children", at(&eui(1)))).await.ok();
    assert_eq!(each(&by_eui, "id"), [json!(ids[1])]);
    assert_eq!(acme.get(&(at(&ids[4]) + "/children")).await.ok(), json!([]));
    assert_eq!(
        acme.get(&path("?include_descendants=maybe")).await.fields(),
        ["query.include_descendants"]
    );
    let globex = app.reseller("Globex").await;
    globex.get(&path("")).await.refused(404, "DEVICE_NOT_FOUND");
}
