//! Giving devices to a customer, alone and together.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const PATH: &str = "/api/v1/devices/70b3d57ed02a3654/assign-customer";
const BULK: &str = "/api/v1/devices/bulk-assign-customer";

fn to(customer: &str) -> Value {
    json!({ "customer_id": customer })
}

on_both_stores!(
    a_device_becomes_part_of_a_fleet,
    an_end_user_of_another_customer_loses_the_device,
    what_cannot_be_given_is_refused,
    many_devices_are_given_all_or_none,
    lists_that_do_not_fit_are_refused,
);

async fn a_device_becomes_part_of_a_fleet(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    let north = customer(&acme, "North").await;
    let answer = acme.put(PATH, to(&north)).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("North"));
    let shown = answer.ok();
    assert_eq!(shown["customer_id"], json!(north));
    assert_eq!(shown["customer_name"], "North");
    assert_eq!(shown["end_user_id"], json!(null));
    let mut looked_up = look(&acme, EUI).await;
    looked_up["customer_name"] = json!("North");
    assert_eq!(looked_up, shown);
    let by_id = PATH.replace(EUI, &id);
    assert_eq!(acme.put(&by_id, to(&north)).await.ok()["updated_at"], shown["updated_at"]);
    assert_eq!(ownership(&acme, &id).await.len(), 0);
}

async fn an_end_user_of_another_customer_loses_the_device(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let (north, south) = (customer(&acme, "North").await, customer(&acme, "South").await);
    let of_north = end_user(&acme, "Ada", Some(&north)).await;
    let of_none = end_user(&acme, "Cyd", None).await;

    assign(&acme, EUI, Some(&of_none)).await;
    for customer in [&north, &south, &north] {
        let shown = acme.put(PATH, to(customer)).await.ok();
        assert_eq!(shown["end_user_id"], json!(of_none));
        assert_eq!(shown["customer_id"], json!(customer));
    }
    assign(&acme, EUI, Some(&of_north)).await;
    assert_eq!(acme.put(PATH, to(&north)).await.ok()["end_user_id"], json!(of_north));
    assert_eq!(ownership(&acme, EUI).await.len(), 2);

    let shown = acme.put(PATH, to(&south)).await.ok();
    assert_eq!(shown["end_user_id"], json!(null));
    assert_eq!(shown["customer_name"], "South");
    let records = ownership(&acme, EUI).await;
    assert_eq!(records.len(), 3);
    assert_eq!(records[0]["previous_end_user_id"], json!(of_north));
    assert_eq!(records[0]["new_end_user_id"], json!(null));
    assert_eq!(records[0]["report_generated"], json!(true));
}

async fn what_cannot_be_given_is_refused(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let id = acme.register(EUI).await;
    let (north, foreign) = (customer(&acme, "North").await, customer(&globex, "East").await);
    acme.put(PATH, to(NOBODY)).await.refused(404, "CUSTOMER_NOT_FOUND");
    acme.put(PATH, to(&foreign)).await.refused(404, "CUSTOMER_NOT_FOUND");
    globex.put(PATH, to(&foreign)).await.refused(404, "DEVICE_NOT_FOUND");
    app.stranger().put(PATH, to(&north)).await.refused(401, "INVALID_API_KEY");
    for (body, status, code) in [
        (json!({}), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "customer_id": null }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "customer_id": 7 }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "customer_id": "north" }), 400, "VALIDATION_ERROR"),
        (json!({ "customer_id": "" }), 400, "VALIDATION_ERROR"),
    ] {
        let refused = acme.put(PATH, body).await.refused(status, code);
        assert_eq!(refused["details"]["errors"][0]["loc"], json!(["body", "customer_id"]));
    }
    let odd = PATH.replace(EUI, "x");
    assert_eq!(acme.put(&odd, to("north")).await.fields(), ["path.device_id"]);
    delete(&acme, &id).await.ok();
    acme.put(PATH, to(&north)).await.refused(404, "DEVICE_NOT_FOUND");
}

async fn many_devices_are_given_all_or_none(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let foreign = globex.register("70b3d57ed02a3699").await;
    let (north, south) = (customer(&acme, "North").await, customer(&acme, "South").await);
    let of_north = end_user(&acme, "Ada", Some(&north)).await;
    let (one, two) =
        (acme.register("70b3d57ed02a3601").await, acme.register("70b3d57ed02a3602").await);
    let gone = acme.register("70b3d57ed02a3603").await;
    delete(&acme, &gone).await.ok();
    assign(&acme, &two, Some(&of_north)).await;

    let body = json!({ "device_ids": [one, foreign, two, gone, foreign], "customer_id": south });
    let refused = acme.post(BULK, body).await.refused(400, "DEVICES_NOT_FOUND");
    assert_eq!(refused["details"]["device_ids"], json!([foreign, gone]));
    assert_eq!(look(&acme, &one).await["customer_id"], json!(null));
    assert_eq!(look(&acme, &two).await["end_user_id"], json!(of_north));

    let body = json!({ "device_ids": [one, two, one], "customer_id": south });
    let answer = acme.post(BULK, body).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("South"));
    assert_eq!(answer.ok(), json!({ "assigned_count": 2 }));
    for id in [&one, &two] {
        assert_eq!(look(&acme, id).await["customer_id"], json!(south));
        assert_eq!(look(&acme, id).await["end_user_id"], json!(null));
    }
    assert_eq!(ownership(&acme, &two).await[0]["report_generated"], json!(true));
    assert_eq!(ownership(&acme, &one).await.len(), 0);

    let unknown = json!({ "device_ids": [NOBODY], "customer_id": NOBODY });
    acme.post(BULK, unknown).await.refused(404, "CUSTOMER_NOT_FOUND");
    let theirs = json!({ "device_ids": [foreign], "customer_id": south });
    globex.post(BULK, theirs).await.refused(404, "CUSTOMER_NOT_FOUND");
}

async fn lists_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let too_many: Vec<&str> = vec![NOBODY; 1001];
    for (body, status, code) in [
        (json!({}), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "device_ids": [NOBODY] }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "device_ids": NOBODY, "customer_id": NOBODY }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "device_ids": [7], "customer_id": NOBODY }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "device_ids": ["x"], "customer_id": 7 }), 422, "SCHEMA_VALIDATION_ERROR"),
        (json!({ "device_ids": [], "customer_id": NOBODY }), 400, "VALIDATION_ERROR"),
        (json!({ "device_ids": too_many, "customer_id": NOBODY }), 400, "VALIDATION_ERROR"),
        (json!({ "device_ids": ["x"], "customer_id": NOBODY }), 400, "VALIDATION_ERROR"),
        (json!({ "device_ids": [NOBODY], "customer_id": "x" }), 400, "VALIDATION_ERROR"),
    ] {
        let refused = acme.post(BULK, body).await.refused(status, code);
        assert_eq!(keys(&refused["details"]), names(&["errors"]));
    }
    app.stranger().post(BULK, json!({})).await.refused(401, "INVALID_API_KEY");
}
