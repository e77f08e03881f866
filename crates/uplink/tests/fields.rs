//! Good bodies with fields spoilt one by one, and all at once.

use serde_json::{Value, json};
use support::{chirpstack, dotted, normalized, outcome, outcome_of, things_stack, with};

mod support;

const A_GOOD: &str = "Acme: chirpstack 0123456789abcdef Meter 1.25N -2.5E 3.75m, 2026-03-29T00:59:58+00:00 1.5 m³ 3.6 V";
const B_GOOD: &str = "Acme: the_things_stack 0123456789ABCDEF Meter 1.25N -2.5E 3.75m, 2026-03-29T00:59:58+00:00 1.5 m³ 3.6 V";
const N_GOOD: &str = "Acme: the_things_stack 0123456789ABCDEF Meter, 2026-03-29T00:00:00+00:00 1.5 m³ 3.6 V, 2026-03-29T00:59:58+00:00 1.7505 m³";

/// The first measurement of the normalized body.
const ENTRY: &str = "/uplink_message/normalized_payload/0";

fn bodies() -> [(Value, &'static str); 3] {
    [(chirpstack(), A_GOOD), (things_stack(), B_GOOD), (normalized(), N_GOOD)]
}

#[test]
fn good_bodies_are_read_whole() {
    for (body, expected) in bodies() {
        assert_eq!(outcome_of(&body), expected);
    }
}

#[test]
fn a_required_field_is_required_and_of_its_kind() {
    let required = [
        (chirpstack(), "/deviceInfo/tenantName", "a string"),
        (chirpstack(), "/deviceInfo/devEui", "a string"),
        (chirpstack(), "/time", "a string"),
        (chirpstack(), "/object/cumulativeFlowM3", "a number"),
        (things_stack(), "/end_device_ids/application_ids/application_id", "a string"),
        (things_stack(), "/end_device_ids/dev_eui", "a string"),
        (things_stack(), "/received_at", "a string"),
        (things_stack(), "/uplink_message/decoded_payload/cumulativeFlowM3", "a number"),
        (normalized(), "/received_at", "a string"),
    ];
    for (body, path, kind) in required {
        let missing = outcome_of(&with(body.clone(), path, None));
        assert!(missing.ends_with(&format!(": {} is required", dotted(path))), "{missing}");
        assert_kind(&body, path, kind, &[json!(null)]);
    }
}

#[test]
fn an_optional_field_may_be_absent_or_null_and_nothing_else() {
    let optional = [
        (chirpstack(), "/deviceInfo/deviceName", "a string"),
        (chirpstack(), "/object/batteryVoltage", "a number"),
        (chirpstack(), "/object/latitude", "a number"),
        (chirpstack(), "/object/longitude", "a number"),
        (chirpstack(), "/object/altitude", "a number"),
        (things_stack(), "/end_device_ids/device_id", "a string"),
        (things_stack(), "/uplink_message/decoded_payload/battery", "a number"),
        (things_stack(), "/uplink_message/decoded_payload/latitude", "a number"),
        (things_stack(), "/uplink_message/decoded_payload/longitude", "a number"),
        (things_stack(), "/uplink_message/decoded_payload/altitude", "a number"),
        (things_stack(), "/simulated", "a boolean"),
        (normalized(), &format!("{ENTRY}/time"), "a string"),
        (normalized(), &format!("{ENTRY}/battery"), "a number"),
        (normalized(), &format!("{ENTRY}/metering"), "an object"),
        (normalized(), &format!("{ENTRY}/metering/water"), "an object"),
        (normalized(), &format!("{ENTRY}/metering/water/total"), "a number"),
    ];
    for (body, path, kind) in optional {
        let absent = outcome_of(&with(body.clone(), path, None));
        assert!(absent.starts_with("Acme: "), "{path}: {absent}");
        assert_eq!(outcome_of(&with(body.clone(), path, Some(json!(null)))), absent, "{path}");
        assert_kind(&body, path, kind, &[]);
    }
}

#[test]
fn what_should_hold_fields_must_be_an_object() {
    let holders = [
        (chirpstack(), "/deviceInfo"),
        (chirpstack(), "/object"),
        (things_stack(), "/end_device_ids"),
        (things_stack(), "/end_device_ids/application_ids"),
        (things_stack(), "/uplink_message"),
        (normalized(), ENTRY),
    ];
    for (body, path) in holders {
        assert_kind(&body, path, "an object", &[json!(null)]);
    }
    assert_kind(&things_stack(), "/uplink_message/decoded_payload", "an object", &[]);
    assert_kind(&normalized(), "/uplink_message/normalized_payload", "an array", &[]);
}

/// Values of every kind but the one that is asked for are refused, and nothing but the field is named.
fn assert_kind(body: &Value, path: &str, kind: &str, also: &[Value]) {
    let kinds = [
        ("a boolean", json!(true)),
        ("a number", json!(7)),
        ("a string", json!("7")),
        ("an array", json!([{}])),
        ("an object", json!({"a": []})),
    ];
    let others = kinds.into_iter().filter(|(name, _)| *name != kind);
    for (name, value) in others.chain(also.iter().map(|value| ("null", value.clone()))) {
        let told = outcome_of(&with(body.clone(), path, Some(value)));
        let (stage, message) = told.split_once(": ").unwrap_or_default();
        assert!(["fields", "no tenant"].contains(&stage), "{path}: {told}");
        assert_eq!(message, format!("{} must be {kind}, not {name}", dotted(path)));
    }
}

#[test]
fn values_out_of_range_are_told_in_the_words_of_the_domain() {
    let flow = "must be a number from 0 to 1000000000 (cubic metres)";
    let total = "must be a number from 0 to 1000000000000 (litres)";
    let battery = "must be a number from -1000 to 1000 (volts)";
    let time = "must be an ISO 8601 timestamp such as 2026-03-29T00:59:58.123456+00:00";
    let decoded = "/uplink_message/decoded_payload";
    for (body, path, value, message) in [
        (chirpstack(), "/object/cumulativeFlowM3", "-0.001", flow),
        (chirpstack(), "/object/cumulativeFlowM3", "1000000000.001", flow),
        (chirpstack(), "/object/cumulativeFlowM3", "1e999", flow),
        (chirpstack(), "/object/cumulativeFlowM3", "-1e999", flow),
        (chirpstack(), "/object/batteryVoltage", "1001", battery),
        (chirpstack(), "/object/batteryVoltage", "1e400", battery),
        (chirpstack(), "/time", "\"yesterday\"", time),
        (chirpstack(), "/time", "\"\"", time),
        (things_stack(), &format!("{decoded}/cumulativeFlowM3"), "-1", flow),
        (things_stack(), &format!("{decoded}/battery"), "-1001", battery),
        (things_stack(), "/received_at", "\"2026-02-30T00:00:00Z\"", time),
        (normalized(), &format!("{ENTRY}/metering/water/total"), "-1", total),
        (normalized(), &format!("{ENTRY}/metering/water/total"), "1000000000001", total),
        (normalized(), &format!("{ENTRY}/battery"), "1001", battery),
        (normalized(), &format!("{ENTRY}/time"), "\"soon\"", time),
    ] {
        let told = with_written(body, path, value);
        assert_eq!(told, format!("fields: {} {message}", dotted(path)), "{value}");
    }
}

/// The outcome of a body with this text, which a value could not hold, at this path.
fn with_written(body: Value, path: &str, written: &str) -> String {
    let body = with(body, path, Some(json!("(here)"))).to_string();
    outcome(body.replace("\"(here)\"", written).as_bytes(), None)
}

#[test]
fn the_bounds_themselves_are_good() {
    for (path, value, expected) in [
        ("/object/cumulativeFlowM3", "0", " 0 m³"),
        ("/object/cumulativeFlowM3", "-0.0", " 0 m³"),
        ("/object/cumulativeFlowM3", "1E9", " 1000000000 m³"),
        ("/object/cumulativeFlowM3", "123.457", " 123.457 m³"),
        ("/object/cumulativeFlowM3", &format!("1.{}", "0".repeat(400)), " 1 m³"),
        ("/object/batteryVoltage", "92", " 92 V"),
        ("/object/latitude", "-90", " -90N"),
        ("/object/longitude", "180.0", " 180E"),
        ("/object/latitude", "52.520006599999995", " 52.520006599999995N"),
    ] {
        let told = with_written(chirpstack(), path, value);
        assert!(told.starts_with("Acme: ") && told.contains(expected), "{told}");
    }
}

#[test]
fn a_coordinate_that_is_on_no_map_is_dropped_and_the_reading_kept() {
    for (path, value, dropped) in [
        ("/object/latitude", "90.01", " 1.25N"),
        ("/object/latitude", "-1e999", " 1.25N"),
        ("/object/longitude", "-180.01", " -2.5E"),
        ("/object/altitude", "1e999", " 3.75m"),
    ] {
        assert_eq!(with_written(chirpstack(), path, value), A_GOOD.replace(dropped, ""), "{value}");
    }
}

#[test]
fn a_malformed_eui_is_told_before_other_fields_and_after_the_tenant() {
    let bad_eui = with(chirpstack(), "/deviceInfo/devEui", Some(json!("0123456789abcdeg")));
    let bad_flow = with(bad_eui.clone(), "/object/cumulativeFlowM3", None);
    let bad_tenant = with(bad_eui.clone(), "/deviceInfo/tenantName", None);
    let eui = "body.deviceInfo.devEui must be exactly 16 hexadecimal characters";
    assert_eq!(outcome_of(&bad_eui), format!("invalid EUI: {eui}"));
    assert_eq!(outcome_of(&bad_flow), format!("invalid EUI: {eui}"));
    assert_eq!(
        outcome_of(&bad_tenant),
        format!("no tenant: body.deviceInfo.tenantName is required; {eui}")
    );
}

#[test]
fn all_bad_fields_are_named_at_once() {
    let told = outcome_of(&json!({
        "deviceInfo": {"deviceName": 1},
        "time": "later",
        "object": {
            "cumulativeFlowM3": "1", "batteryVoltage": [], "latitude": "", "longitude": {},
            "altitude": true,
        },
    }));
    let expected = "no tenant: body.deviceInfo.tenantName is required; \
        body.deviceInfo.deviceName must be a string, not a number; \
        body.deviceInfo.devEui is required; \
        body.time must be an ISO 8601 timestamp such as 2026-03-29T00:59:58.123456+00:00; \
        body.object.cumulativeFlowM3 must be a number, not a string; \
        body.object.batteryVoltage must be a number, not an array; \
        body.object.latitude must be a number, not a string; \
        body.object.longitude must be a number, not an object; \
        body.object.altitude must be a number, not a boolean";
    assert_eq!(told, expected);

    let told = outcome_of(&json!({
        "end_device_ids": {"application_ids": {"application_id": "Acme"}},
        "uplink_message": {"normalized_payload": [
            {"metering": {"water": {"total": "1"}}, "battery": "1", "time": 1},
            [],
        ]},
    }));
    let expected = "fields: body.end_device_ids.dev_eui is required; \
        body.received_at is required; \
        body.uplink_message.normalized_payload.0.metering.water.total must be a number, not a string; \
        body.uplink_message.normalized_payload.0.battery must be a number, not a string; \
        body.uplink_message.normalized_payload.0.time must be a string, not a number; \
        body.uplink_message.normalized_payload.1 must be an object, not an array";
    assert_eq!(told, expected);
}

#[test]
fn errors_go_out_as_locations_with_numbers_for_elements() {
    let body = with(normalized(), &format!("{ENTRY}/time"), Some(json!(1))).to_string();
    let Ok(weir_uplink::Message::Uplink(envelope)) = weir_uplink::read(body.as_bytes(), None)
    else {
        panic!("an uplink")
    };
    let Err(weir_uplink::Rejection::Fields(errors)) = envelope.uplink() else {
        panic!("a bad field")
    };
    let expected = json!([{
        "loc": ["body", "uplink_message", "normalized_payload", 0, "time"],
        "message": "must be a string, not a number",
    }]);
    assert_eq!(serde_json::to_value(errors).unwrap(), expected);
}
