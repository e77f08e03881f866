//! Updating a device.

use serde_json::{Value, json};
use weir_testkit::app::{TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

on_both_stores!(
    any_subset_of_the_fields_is_changed_and_the_rest_stays,
    of_the_device_name_the_latest_word_counts,
    bodies_are_refused_at_their_limits,
    a_refused_move_changes_nothing_else,
);

async fn any_subset_of_the_fields_is_changed_and_the_rest_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let (top, id) = (acme.register(&eui(1)).await, acme.register(&eui(2)).await);
    let before = look(&acme, &id).await;
    app.clock.advance(seconds(60));
    let changes = [
        json!({ "name": "  Attic " }),
        json!({ "device_name": "attic-1", "unknown": [1] }),
        json!({ "parent_device_id": top }),
        json!({ "is_principal": true }),
        json!({ "is_active": false }),
        json!({ "device_name": null, "parent_device_id": null }),
    ];
    let mut expected = before.clone();
    for change in changes {
        let answer = acme.put(&at(&id), change.clone()).await;
        assert!(answer.json()["message"].as_str().unwrap().contains("updated"), "{change}");
        for (field, value) in change.as_object().unwrap() {
            if expected.get(field).is_some() {
                expected[field] = value.clone();
            }
        }
        expected["name"] = json!(expected["name"].as_str().unwrap().trim());
        expected["hierarchy_level"] = json!(u8::from(!expected["parent_device_id"].is_null()));
        expected["updated_at"] = json!("2026-03-29T12:01:00+00:00");
        assert_eq!(answer.ok(), expected, "{change}");
        assert_eq!(look(&acme, &id).await, expected, "{change}");
    }
    // By its EUI, in any spelling.
    let answer = acme.put(&at(&eui(2).to_uppercase()), json!({ "name": "Cellar" })).await;
    assert_eq!(answer.ok()["name"], "Cellar");
}

async fn of_the_device_name_the_latest_word_counts(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let named = |time: &str| chirpstack("Acme", &eui(1), time, 1.0);
    acme.ingest(named("2026-03-29T11:00:00Z")).await.ok();
    acme.put(&at(&id), json!({ "device_name": "mine" })).await.ok();
    let device = look(&acme, &id).await;
    // Nothing that messages say is lost by an update.
    assert_eq!((&device["device_name"], &device["status"]), (&json!("mine"), &json!("online")));
    assert_eq!(device["last_reading_at"], "2026-03-29T11:00:00+00:00");
    acme.ingest(named("2026-03-29T11:30:00Z")).await.ok();
    assert_eq!(look(&acme, &id).await["device_name"], "from-chirpstack");
}

async fn bodies_are_refused_at_their_limits(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(&eui(1)).await;
    let before = look(&acme, &id).await;
    let longest = "ä".repeat(255);
    for fits in [
        json!({ "name": longest, "device_name": longest }),
        json!({ "name": format!(" {longest} ") }),
        json!({ "name": "x" }),
    ] {
        acme.put(&at(&id), fits).await.ok();
    }
    acme.put(&at(&id), json!({ "name": before["name"], "device_name": null })).await.ok();

    let (bad, odd) = ((422, "SCHEMA_VALIDATION_ERROR"), (400, "VALIDATION_ERROR"));
    let too_long = "ä".repeat(256);
    let table: [(Value, (u16, &str)); 22] = [
        (json!({}), odd),
        (json!({ "status": "online", "dev_eui": eui(9) }), odd),
        (json!({ "name": "" }), odd),
        (json!({ "name": " \t" }), odd),
        (json!({ "device_name": " " }), odd),
        (json!({ "parent_device_id": "" }), odd),
        (json!({ "parent_device_id": "not-a-uuid" }), odd),
        (json!({ "parent_device_id": eui(1) }), odd),
        (json!({ "name": null }), bad),
        (json!({ "name": 7 }), bad),
        (json!({ "name": too_long }), bad),
        (json!({ "name": "a\u{0}b" }), bad),
        (json!({ "name": "a\u{9f}b" }), bad),
        (json!({ "device_name": too_long }), bad),
        (json!({ "device_name": "a\nb" }), bad),
        (json!({ "device_name": ["x"] }), bad),
        (json!({ "parent_device_id": 7 }), bad),
        (json!({ "is_principal": null }), bad),
        (json!({ "is_active": "true" }), bad),
        (json!({ "is_active": 1 }), bad),
        // Where both are wrong, the schema comes first.
        (json!({ "name": " ", "is_active": 1 }), bad),
        (json!([]), bad),
    ];
    for (body, (status, code)) in table {
        let answer = acme.put(&at(&id), body.clone()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["error_code"].as_str().unwrap()),
            (status, code),
            "{body}"
        );
    }
    let answer = acme.put(&at(&id), json!({ "name": 7, "is_principal": 1, "is_active": 1 })).await;
    assert_eq!(answer.fields(), ["body.name", "body.is_principal", "body.is_active"]);
    assert_eq!(acme.put(&at("nonsense"), json!({})).await.fields(), ["path.device_id"]);
    assert_eq!(look(&acme, &id).await, before);
}

async fn a_refused_move_changes_nothing_else(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let line = chain(&acme, 1, 11).await;
    let (leaf, foreign) = (acme.register(&eui(50)).await, globex.register(&eui(60)).await);
    let gone = acme.register(&eui(51)).await;
    delete(&acme, &gone).await.ok();
    let rename = |parent: &str| json!({ "name": "Moved", "parent_device_id": parent });
    for (device, parent, status, code) in [
        (&line[0], &line[0], 400, "CIRCULAR_REFERENCE"),
        (&line[0], &line[10], 400, "CIRCULAR_REFERENCE"),
        (&leaf, &line[10], 400, "HIERARCHY_TOO_DEEP"),
        (&leaf, &foreign, 404, "PARENT_DEVICE_NOT_FOUND"),
        (&leaf, &gone, 404, "PARENT_DEVICE_NOT_FOUND"),
        (&gone, &leaf, 404, "DEVICE_NOT_FOUND"),
        (&foreign, &leaf, 404, "DEVICE_NOT_FOUND"),
    ] {
        acme.put(&at(device), rename(parent)).await.refused(status, code);
    }
    for id in line.iter().chain([&leaf]) {
        assert_ne!(look(&acme, id).await["name"], "Moved");
    }
    let moved = acme.put(&at(&line[1]), rename(&leaf)).await.ok();
    assert_eq!((&moved["hierarchy_level"], &moved["name"]), (&json!(1), &json!("Moved")));
    let deepest = below(&acme, 70, &line[9]).await;
    acme.put(&at(&line[1]), json!({ "parent_device_id": null })).await.ok();
    assert_eq!(look(&acme, &deepest).await["hierarchy_level"], 9);
    assert_eq!(look(&acme, &line[10]).await["hierarchy_level"], 9);
}
