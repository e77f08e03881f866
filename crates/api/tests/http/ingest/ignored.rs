//! What network servers also post, and what is of no format.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, device};
use crate::support::*;

on_both_stores!(
    events_other_than_up_are_ignored,
    other_messages_of_the_things_stack_are_ignored,
    what_has_the_keys_of_no_format_is_told_what_it_has,
    presence_alone_decides_the_format_and_the_first_wins,
);

async fn events_other_than_up_are_ignored(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for (form, remaining) in FORMATS.iter().zip(["100000", "99998"]) {
        let uplink = (form.uplink)("somebody else", "no EUI", "no time", 1.0);
        for event in [
            "join",
            "status",
            "ack",
            "txack",
            "log",
            "location",
            "integration",
            "UP",
            "up%20",
            "",
            "%22",
        ] {
            let answer = acme.post(&format!("{INGEST}?event={event}"), uplink.clone()).await;
            let data = answer.ok();
            assert_eq!(keys(&data), names(&["ignored", "reason"]));
            assert_eq!(data["ignored"], true);
            assert!(answer.json()["message"].is_string());
            assert_eq!(answer.header("x-ratelimit-remaining"), remaining, "nothing is counted");
        }
        acme.post(&format!("{INGEST}?event=join"), json!({})).await.ok();
        let answer = acme.post_raw(&format!("{INGEST}?event=join"), "[]").await;
        assert_eq!(answer.fields(), ["body"], "it is an object in any case");
        let up = (form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
        acme.post(&format!("{INGEST}?event=up&x=y"), up.clone()).await.ok();
        acme.post(&format!("{INGEST}?event=join&event=up"), up).await.ok();
    }
    assert_eq!(device(&acme).await["message_count"], 4);
}

async fn other_messages_of_the_things_stack_are_ignored(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for key in [
        "join_accept",
        "downlink_ack",
        "downlink_nack",
        "downlink_sent",
        "downlink_failed",
        "downlink_queued",
        "downlink_queue_invalidated",
        "location_solved",
        "service_data",
        "uplink_normalized",
    ] {
        for ids in [
            json!({ "application_ids": { "application_id": "somebody-else" } }),
            Value::Null,
            json!(7),
        ] {
            let answer = acme.ingest(json!({ "end_device_ids": ids, key: { "x": 1 } })).await;
            let data = answer.ok();
            assert_eq!(data["ignored"], true);
            assert!(data["reason"].as_str().unwrap().contains(key));
        }
        let nameless = acme.ingest(json!({ key: {} })).await;
        nameless.refused(400, "INVALID_PAYLOAD_FORMAT");
    }
    acme.ingest(json!({ "end_device_ids": {}, "uplink": {} }))
        .await
        .refused(400, "INVALID_PAYLOAD_FORMAT");
    assert_eq!(acme.get(UNREGISTERED).await.ok(), json!([]));
}

async fn what_has_the_keys_of_no_format_is_told_what_it_has(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for (body, provided) in [
        (json!({}), json!([])),
        (json!({ "deviceInfo": {}, "time": 1 }), json!(["deviceInfo", "time"])),
        (json!({ "object": {}, "uplink_message": {} }), json!(["object", "uplink_message"])),
        (
            json!({ "deviceInfo": {}, "end_device_ids": {} }),
            json!(["deviceInfo", "end_device_ids"]),
        ),
        (json!({ "DeviceInfo": {}, "Object": {} }), json!(["DeviceInfo", "Object"])),
    ] {
        let details =
            acme.ingest(body).await.refused(400, "INVALID_PAYLOAD_FORMAT")["details"].clone();
        assert_eq!(
            details,
            json!({
                "provided_keys": provided,
                "chirpstack": ["deviceInfo", "object"],
                "the_things_stack": ["end_device_ids", "uplink_message"],
            })
        );
    }
}

async fn presence_alone_decides_the_format_and_the_first_wins(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let [chirpstack, things_stack] =
        FORMATS.map(|form| (form.uplink)("Acme", EUI, "2026-03-29T00:00:00Z", 1.0));
    let mut both = chirpstack.as_object().unwrap().clone();
    both.extend(things_stack.as_object().unwrap().clone());
    assert_eq!(acme.ingest(Value::Object(both)).await.ok()["format"], "chirpstack");
    let spoiled =
        with(with(things_stack.clone(), "/deviceInfo", Value::Null), "/object", Value::Null);
    let named = acme.ingest(spoiled).await.fields();
    assert!(
        named.contains(&"body.deviceInfo".to_owned()) && named.contains(&"body.object".to_owned()),
        "{named:?}"
    );
    for form in &FORMATS {
        for key in form.told_by {
            for wrong in [Value::Null, json!(7), json!([]), json!("text")] {
                let good = (form.uplink)("Acme", EUI, "2026-03-29T00:00:00Z", 1.0);
                let named = acme.ingest(with(good, &format!("/{key}"), wrong)).await.fields();
                assert!(named.contains(&format!("body.{key}")), "{key}: {named:?}");
            }
        }
    }
}
