//! Assigning many devices to an end user.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const PATH: &str = "/api/v1/devices/bulk-assign";

on_both_stores!(
    devices_are_assigned_in_the_order_of_the_request,
    an_unknown_end_user_fails_every_device,
    bodies_that_do_not_fit_are_refused,
);

async fn devices_are_assigned_in_the_order_of_the_request(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let foreign = globex.register("70b3d57ed02a3699").await;
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(acme.register(&format!("70b3d57ed02a360{n}")).await);
    }
    let (ada, bob) = (end_user(&acme, "Ada", None).await, end_user(&acme, "Bob", None).await);
    assign(&acme, &ids[1], Some(&bob)).await;
    assign(&acme, &ids[2], Some(&ada)).await;
    delete(&acme, &ids[3]).await.ok();

    let asked = json!([ids[2], foreign, ids[0], ids[3], ids[2], ids[1], NOBODY, foreign]);
    let answer = acme.post(PATH, json!({ "device_ids": asked, "end_user_id": ada })).await;
    assert!(answer.json()["message"].is_string());
    let data = answer.ok();
    assert_eq!(texts(&data["succeeded"], "id"), [&*ids[2], &ids[0], &ids[1]]);
    assert_eq!(texts(&data["succeeded"], "end_user_id"), [&*ada; 3]);
    assert_eq!(texts(&data["failed"], "device_id"), [&*foreign, &ids[3], NOBODY]);
    assert_eq!(texts(&data["failed"], "error"), ["DEVICE_NOT_FOUND"; 3]);
    assert!(texts(&data["failed"], "message").iter().all(|message| message.ends_with('.')));

    let reports = async |id: &str| -> Vec<Value> {
        ownership(&acme, id).await.iter().map(|record| record["report_generated"].clone()).collect()
    };
    assert_eq!(reports(&ids[0]).await, [json!(false)]);
    assert_eq!(reports(&ids[1]).await, [json!(true), json!(false)]);
    assert_eq!(reports(&ids[2]).await, [json!(false)], "it was Ada's already");
    assert_eq!(reports(&ids[3]).await.len(), 0);

    let data = acme.post(PATH, json!({ "device_ids": ids, "end_user_id": null })).await.ok();
    assert_eq!(each(&data["succeeded"], "end_user_id"), [const { Value::Null }; 3]);
    assert_eq!(reports(&ids[0]).await, [json!(true), json!(false)]);
}

async fn an_unknown_end_user_fails_every_device(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let foreign = end_user(&globex, "Eve", None).await;
    let id = acme.register("70b3d57ed02a3654").await;
    for end_user in [NOBODY, &foreign] {
        let body = json!({ "device_ids": [NOBODY, id], "end_user_id": end_user });
        let data = acme.post(PATH, body).await.ok();
        assert_eq!(data["succeeded"], json!([]));
        assert_eq!(texts(&data["failed"], "device_id"), [NOBODY, &id]);
        assert_eq!(texts(&data["failed"], "error"), ["USER_NOT_FOUND"; 2]);
    }
    assert_eq!(look(&acme, &id).await["end_user_id"], json!(null));
}

async fn bodies_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let too_many: Vec<&str> = vec![NOBODY; 1001];
    for (body, fields) in [
        (json!({}), vec!["body.device_ids", "body.end_user_id"]),
        (json!({ "device_ids": [NOBODY] }), vec!["body.end_user_id"]),
        (json!({ "device_ids": [], "end_user_id": null }), vec!["body.device_ids"]),
        (json!({ "device_ids": too_many, "end_user_id": null }), vec!["body.device_ids"]),
        (json!({ "device_ids": NOBODY, "end_user_id": null }), vec!["body.device_ids"]),
        (
            json!({ "device_ids": [NOBODY, "x", 7], "end_user_id": "x" }),
            vec!["body.device_ids.1", "body.device_ids.2", "body.end_user_id"],
        ),
    ] {
        assert_eq!(acme.post(PATH, body.clone()).await.fields(), fields, "{body}");
    }
    let most = json!({ "device_ids": vec![NOBODY; 1000], "end_user_id": null });
    assert_eq!(acme.post(PATH, most).await.ok()["failed"].as_array().unwrap().len(), 1);
    app.stranger().post(PATH, json!({})).await.refused(401, "INVALID_API_KEY");
}
