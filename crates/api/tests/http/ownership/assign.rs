//! Assigning a device to an end user.

use serde_json::json;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const PATH: &str = "/api/v1/devices/70b3d57ed02a3654/assign";

on_both_stores!(
    every_change_is_recorded_once,
    a_meter_keeps_its_customer,
    only_the_end_user_changes,
    what_cannot_be_assigned_is_refused,
    bodies_that_do_not_fit_are_refused,
    changes_at_the_same_time_make_one_chain,
    an_end_user_who_is_deleted_meanwhile_is_not_found,
);

async fn every_change_is_recorded_once(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    let (ada, bob) = (end_user(&acme, "Ada", None).await, end_user(&acme, "Bob", None).await);

    app.clock.advance(seconds(60));
    let answer = acme.put(PATH, json!({ "end_user_id": ada })).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("assigned"));
    let shown = answer.ok();
    assert_eq!((&shown["id"], &shown["end_user_id"]), (&json!(id), &json!(ada)));
    assert_eq!(shown["updated_at"], "2026-03-29T12:01:00+00:00");
    assert_eq!(look(&acme, EUI).await, shown);
    let first = ownership(&acme, &id).await;
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["previous_end_user_id"], json!(null));
    assert_eq!(first[0]["new_end_user_id"], json!(ada));
    assert_eq!(first[0]["report_generated"], json!(false));
    assert_eq!(first[0]["report_url"], json!(null));

    app.clock.advance(seconds(60));
    let again = assign(&acme, EUI, Some(&ada)).await;
    assert_eq!(again["updated_at"], "2026-03-29T12:01:00+00:00", "nothing changed");
    assert_eq!(ownership(&acme, &id).await.len(), 1);

    assign(&acme, &id, Some(&bob)).await;
    assert_eq!(assign(&acme, &EUI.to_uppercase(), None).await["end_user_id"], json!(null));
    assert_eq!(assign(&acme, EUI, None).await["end_user_id"], json!(null));
    let all = ownership(&acme, &id).await;
    assert_eq!(all.len(), 3);
    for (record, previous, new) in
        [(&all[0], json!(bob), json!(null)), (&all[1], json!(ada), json!(bob))]
    {
        assert_eq!(record["previous_end_user_id"], previous);
        assert_eq!(record["new_end_user_id"], new);
        assert_eq!(record["report_generated"], json!(true));
        assert!(record["report_url"].as_str().unwrap().contains(record["id"].as_str().unwrap()));
    }
    assert_ne!(all[0]["report_url"], all[1]["report_url"]);
}

async fn a_meter_keeps_its_customer(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let (north, south) = (customer(&acme, "North").await, customer(&acme, "South").await);
    let of_north = end_user(&acme, "Ada", Some(&north)).await;
    let of_south = end_user(&acme, "Bob", Some(&south)).await;
    let of_none = end_user(&acme, "Cyd", None).await;
    assert_eq!(look(&acme, EUI).await["customer_id"], json!(null));
    for (to, customer) in [
        (Some(&of_north), &north),
        (Some(&of_none), &north),
        (Some(&of_south), &south),
        (None, &south),
        (Some(&of_north), &north),
        (None, &north),
    ] {
        let shown = assign(&acme, EUI, to.map(String::as_str)).await;
        assert_eq!(shown["customer_id"], json!(customer), "{to:?}");
    }
}

async fn only_the_end_user_changes(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let parent = acme.register("70b3d57ed02a3600").await;
    let meter = json!({ "dev_eui": EUI, "name": "Sub", "device_type": "water_meter",
        "parent_device_id": parent, "is_principal": true });
    let before = acme.post("/api/v1/devices/register", meter).await.ok();
    let ada = end_user(&acme, "Ada", None).await;
    let mut after = assign(&acme, EUI, Some(&ada)).await;
    after["end_user_id"] = json!(null);
    for (field, value) in before.as_object().unwrap() {
        assert_eq!(after[field], *value, "{field}");
    }
}

async fn what_cannot_be_assigned_is_refused(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let id = acme.register(EUI).await;
    let (ada, foreign) = (end_user(&acme, "Ada", None).await, end_user(&globex, "Eve", None).await);
    let to = |end_user: &str| json!({ "end_user_id": end_user });
    acme.put(PATH, to(NOBODY)).await.refused(404, "USER_NOT_FOUND");
    acme.put(PATH, to(&foreign)).await.refused(404, "USER_NOT_FOUND");
    globex.put(PATH, to(&foreign)).await.refused(404, "DEVICE_NOT_FOUND");
    acme.put(&PATH.replace("3654", "3655"), to(&ada)).await.refused(404, "DEVICE_NOT_FOUND");
    app.stranger().put(PATH, to(&ada)).await.refused(401, "INVALID_API_KEY");
    let bearer = app.stranger().with_header("authorization", "Bearer token");
    bearer.put(PATH, to(&ada)).await.refused(401, "INVALID_API_KEY");
    assert_eq!(ownership(&acme, &id).await.len(), 0);

    assign(&acme, EUI, Some(&ada)).await;
    delete(&acme, &id).await.ok();
    acme.put(PATH, json!({ "end_user_id": null })).await.refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(ownership(&acme, &id).await.len(), 1);
}

async fn bodies_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for body in [
        json!({}),
        json!({ "end_user_id": "nobody" }),
        json!({ "end_user_id": 7 }),
        json!({ "end_user_id": [] }),
        json!({ "end_user": null }),
    ] {
        let answer = acme.put(PATH, body.clone()).await;
        assert_eq!(answer.fields(), ["body.end_user_id"], "{body}");
    }
    let answer = acme.put(PATH, json!([])).await;
    assert_eq!(answer.fields(), ["body"]);
    let odd = "/api/v1/devices/nonsense/assign";
    acme.put(odd, json!({ "end_user_id": null })).await.refused(400, "INVALID_DEVICE_ID");
    assert_eq!(acme.put(odd, json!({})).await.fields(), ["body.end_user_id"]);
}

async fn changes_at_the_same_time_make_one_chain(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    let mut asked = Vec::new();
    for n in 0..8 {
        let to = end_user(&acme, &format!("User{n}"), None).await;
        let (acme, path) = (acme.clone(), PATH.to_owned());
        asked.push(tokio::spawn(async move {
            acme.put(&path, json!({ "end_user_id": to })).await.ok();
        }));
    }
    for asked in asked {
        asked.await.unwrap();
    }
    let records = ownership(&acme, &id).await;
    assert_eq!(records.len(), 8);
    // They may bear the same time, so the chain is followed by its links.
    let mut last = json!(null);
    for _ in 0..8 {
        let next = records.iter().filter(|record| record["previous_end_user_id"] == last);
        let next: Vec<_> = next.collect();
        assert_eq!(next.len(), 1, "{records:?}");
        last = next[0]["new_end_user_id"].clone();
    }
    assert_eq!(look(&acme, EUI).await["end_user_id"], last);
}

async fn an_end_user_who_is_deleted_meanwhile_is_not_found(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for _ in 0..8 {
        let ada = end_user(&acme, "Ada", None).await;
        let (path, to) = (format!("/api/v1/end-users/{ada}"), json!({ "end_user_id": ada }));
        let (assigned, deleted) = tokio::join!(acme.put(PATH, to), acme.delete(&path));
        match assigned.status.as_u16() {
            200 => deleted.refused(400, "VALIDATION_ERROR"),
            _ => assigned.refused(404, "USER_NOT_FOUND"),
        };
        assign(&acme, EUI, None).await;
    }
}
