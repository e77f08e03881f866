//! What makes a format, what is ignored, and where each format looks.

use serde_json::{Value, json};
use support::{chirpstack, normalized, outcome, outcome_of, things_stack, with};
use weir_uplink::Format;

mod support;

#[test]
fn presence_alone_makes_a_format() {
    for format in Format::ALL {
        let [first, second] = format.expected_keys();
        let told = outcome_of(&json!({first: null, second: null}));
        let named = format!("no tenant: body.{first} must be an object, not null");
        assert!(told.starts_with(&named), "{told}");
        assert_eq!(outcome_of(&json!({first: {}})), format!("unknown: {first}"));
        assert_eq!(outcome_of(&json!({second: {}})), format!("unknown: {second}"));
    }
    assert_eq!(outcome_of(&json!({})), "unknown: ");
    assert_eq!(
        outcome_of(&json!({"deviceInfo": {}, "uplink_message": {}})),
        "unknown: deviceInfo uplink_message"
    );
}

#[test]
fn the_keys_that_came_are_told_in_their_order() {
    assert_eq!(outcome(br#"{"z": 1, "a": 2, "z": 3, "\u00fc": 4}"#, None), "unknown: z a z ü");
}

#[test]
fn a_body_with_both_pairs_is_chirpstacks() {
    let mut both = chirpstack();
    both.as_object_mut().unwrap().extend(things_stack().as_object().unwrap().clone());
    assert_eq!(outcome_of(&both), outcome_of(&chirpstack()));
    // What the other format would refuse does not matter then.
    let both = with(both, "/uplink_message", Some(json!([])));
    let both = with(both, "/received_at", Some(json!(1)));
    assert_eq!(outcome_of(&both), outcome_of(&chirpstack()));
}

#[test]
fn other_events_are_ignored_whatever_they_hold_if_it_is_an_object() {
    for (event, reason) in [
        ("join", "ignored: The event is \"join\", not \"up\"."),
        ("UP", "ignored: The event is \"UP\", not \"up\"."),
        ("", "ignored: The event is \"\", not \"up\"."),
    ] {
        for body in [chirpstack(), json!({}), json!({"deviceInfo": null})] {
            assert_eq!(outcome(body.to_string().as_bytes(), Some(event)), reason);
        }
        assert!(outcome(b"[]", Some(event)).starts_with("unreadable: "));
    }
    let up = outcome(chirpstack().to_string().as_bytes(), Some("up"));
    assert_eq!(up, outcome_of(&chirpstack()));
}

#[test]
fn other_messages_of_the_things_stack_are_ignored_where_they_name_a_device() {
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
        let told = outcome_of(&json!({"end_device_ids": null, key: null}));
        assert_eq!(told, format!("ignored: The message is \"{key}\", not an uplink."));
        assert_eq!(outcome_of(&json!({key: {}})), format!("unknown: {key}"));
        let uplink = with(things_stack(), &format!("/{key}"), Some(json!({})));
        assert_eq!(outcome_of(&uplink), outcome_of(&things_stack()));
    }
    assert_eq!(
        outcome_of(&json!({"end_device_ids": {}, "join_request": {}})),
        "unknown: end_device_ids join_request"
    );
}

fn decoded(key: &str, value: Option<Value>) -> Value {
    with(things_stack(), &format!("/uplink_message/decoded_payload/{key}"), value)
}

#[test]
fn the_things_stacks_battery_is_battery_else_battery_voltage() {
    assert!(outcome_of(&things_stack()).ends_with(" 3.6 V"));
    for value in [None, Some(json!(null))] {
        assert!(outcome_of(&decoded("battery", value)).ends_with(" 3.5 V"));
    }
    assert!(outcome_of(&decoded("batteryVoltage", Some(json!("unused")))).ends_with(" 3.6 V"));
    let told = outcome_of(&decoded("battery", Some(json!("low"))));
    assert_eq!(
        told,
        "fields: body.uplink_message.decoded_payload.battery must be a number, not a string"
    );
}

#[test]
fn a_decoders_flow_is_preferred_and_what_was_normalized_not_looked_at() {
    let normalized = json!([{"metering": "?"}, 1]);
    let both = with(things_stack(), "/uplink_message/normalized_payload", Some(normalized));
    assert_eq!(outcome_of(&both), outcome_of(&things_stack()));
}

#[test]
fn what_was_normalized_serves_where_the_decoder_gives_no_flow() {
    let expected = outcome_of(&normalized());
    let path = "/uplink_message/decoded_payload";
    for payload in [json!(null), json!({}), json!({"battery": "low", "pulse": 256})] {
        assert_eq!(outcome_of(&with(normalized(), path, Some(payload))), expected);
    }
    // A key that is there and holds nothing is a failed decoder's, not an absent one's.
    let told = outcome_of(&with(normalized(), path, Some(json!({"cumulativeFlowM3": null}))));
    assert_eq!(
        told,
        "fields: body.uplink_message.decoded_payload.cumulativeFlowM3 must be a number, not null"
    );
    // The decoder's position is the device's all the same.
    let told = outcome_of(&with(normalized(), path, Some(json!({"latitude": 1.5}))));
    assert_eq!(told, expected.replace("Meter", "Meter 1.5N"));
}

#[test]
fn without_any_flow_it_is_the_decoders_that_is_missing() {
    for payload in [
        json!(null),
        json!([]),
        json!([{}, {"battery": 3.6}, {"metering": {}}, {"metering": {"water": {}}}]),
        json!([{"metering": {"water": {"total": null}}, "time": 1}]),
    ] {
        let body = with(normalized(), "/uplink_message/normalized_payload", Some(payload));
        let missing = "body.uplink_message.decoded_payload.cumulativeFlowM3 is required";
        assert_eq!(outcome_of(&body), format!("fields: {missing}"));
        // A missing time is told beside it, not instead of it.
        assert_eq!(
            outcome_of(&with(body, "/received_at", None)),
            format!("fields: body.received_at is required; {missing}")
        );
    }
}

#[test]
fn an_uplink_says_that_it_is_simulated() {
    let told = outcome_of(&with(things_stack(), "/simulated", Some(json!(true))));
    assert_eq!(told, format!("{}, simulated", outcome_of(&things_stack())));
}

#[test]
fn the_order_of_keys_does_not_matter() {
    for body in [chirpstack(), things_stack(), normalized()] {
        assert_eq!(outcome(written_backwards(&body).as_bytes(), None), outcome_of(&body));
    }
}

/// The value as JSON with the members of every object in reverse.
fn written_backwards(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().rev();
            let written: Vec<_> = members
                .map(|(key, value)| format!("{}:{}", json!(key), written_backwards(value)))
                .collect();
            format!("{{{}}}", written.join(","))
        }
        Value::Array(elements) => {
            let written: Vec<_> = elements.iter().map(written_backwards).collect();
            format!("[{}]", written.join(","))
        }
        other => other.to_string(),
    }
}
