//! Bodies that no network server sends.

use serde_json::json;
use support::{chirpstack, normalized, outcome, outcome_of, things_stack, with};

mod support;

const DEEP: usize = 100 * 1024;

#[test]
fn what_is_no_json_object_is_said_so() {
    for (body, message) in [
        (&b""[..], "must be JSON: EOF while parsing a value at line 1 column 0"),
        (b"  ", "must be JSON: EOF while parsing a value at line 1 column 2"),
        (b"nonsense", "must be JSON: expected ident at line 1 column 2"),
        (b"{\"a\": 1,}", "must be JSON: trailing comma at line 1 column 9"),
        (b"{} {}", "must be JSON: trailing characters at line 1 column 4"),
        (b"{'a': 1}", "must be JSON: key must be a string at line 1 column 2"),
        (b"{\"a\": NaN}", "must be JSON: expected value at line 1 column 7"),
        (b"{\"a\": 01}", "must be JSON: invalid number at line 1 column 8"),
        (b"{\"object\": 1e999}", "must be JSON: number out of range at line 1 column 16"),
        (b"null", "must be an object, not null"),
        (b" true ", "must be an object, not a boolean"),
        (b"1.5", "must be an object, not a number"),
        (b"\"{}\"", "must be an object, not a string"),
        (b"[{}]", "must be an object, not an array"),
        (b"{\"a\": \"\xff\"}", "must be UTF-8"),
    ] {
        assert_eq!(outcome(body, None), format!("unreadable: body {message}"), "{body:?}");
    }
}

#[test]
fn other_encodings_and_byte_order_marks_are_refused() {
    let good = chirpstack().to_string();
    let little: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = good.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let marked = [b"\xef\xbb\xbf", good.as_bytes()].concat();
    for body in [little, big, marked] {
        assert!(outcome(&body, None).starts_with("unreadable: body must be "), "{body:?}");
    }
}

#[test]
fn a_body_cut_short_is_never_an_object() {
    for body in [chirpstack(), things_stack(), normalized()] {
        let body = with(body, "/extra", Some(json!("ü\n[\"💧\"]"))).to_string();
        for length in 0..body.len() {
            let told = outcome(&body.as_bytes()[..length], None);
            assert!(told.starts_with("unreadable: "), "{length}: {told}");
        }
    }
}

#[test]
fn depth_overflows_nothing() {
    for (open, close) in [("[", "]"), ("{\"object\":", "}"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(DEEP), close.repeat(DEEP));
        let unclosed = open.repeat(DEEP);
        for body in [&deep, &unclosed] {
            let told = outcome(body.as_bytes(), None);
            assert!(
                told.starts_with("unreadable: ") || told.starts_with("unknown: "),
                "{told:.80}"
            );
        }
        // Under an unknown key anything goes, at every level.
        for around in ["", "/deviceInfo", "/object"] {
            let told = replaced(&with(chirpstack(), &format!("{around}/extra"), here()), &deep);
            assert_eq!(told, outcome_of(&chirpstack()));
        }
        let told = replaced(&with(chirpstack(), "/object/cumulativeFlowM3", here()), &deep);
        let kind = if open == "[" { "an array" } else { "an object" };
        assert_eq!(
            told,
            format!("fields: body.object.cumulativeFlowM3 must be a number, not {kind}")
        );
        let path = "/uplink_message/normalized_payload/0/metering/water/total";
        let told = replaced(&with(normalized(), path, here()), &deep);
        assert!(told.ends_with(&format!("total must be a number, not {kind}")), "{told}");
    }
    let deep = format!("{}{}", "[".repeat(DEEP), "]".repeat(DEEP));
    for path in ["/object", "/deviceInfo"] {
        let told = replaced(&with(chirpstack(), path, here()), &deep);
        assert!(told.ends_with("must be an object, not an array"), "{told}");
    }
}

fn here() -> Option<serde_json::Value> {
    Some(json!("(here)"))
}

fn replaced(body: &serde_json::Value, written: &str) -> String {
    outcome(body.to_string().replace("\"(here)\"", written).as_bytes(), None)
}

#[test]
fn unknown_keys_may_hold_anything_that_is_json() {
    let digits = "9".repeat(400);
    for written in
        [&digits, "1e99999", "-0e-0", r#""\ud800""#, r#""\udc00\ud800""#, r#"{"a":1,"a":2}"#]
    {
        for around in ["", "/end_device_ids", "/uplink_message", "/uplink_message/decoded_payload"]
        {
            let told = replaced(&with(things_stack(), &format!("{around}/extra"), here()), written);
            assert_eq!(told, outcome_of(&things_stack()), "{written}");
        }
    }
    let body = chirpstack().to_string().replacen('{', r#"{"\ud800": 1, "": 2, "a": 3, "a": 4,"#, 1);
    assert_eq!(outcome(body.as_bytes(), None), outcome_of(&chirpstack()));
}

#[test]
fn half_of_a_surrogate_pair_is_no_text() {
    for path in ["/deviceInfo/tenantName", "/deviceInfo/deviceName", "/deviceInfo/devEui", "/time"]
    {
        let told = replaced(&with(chirpstack(), path, here()), r#""0123456789\ud800""#);
        let named =
            format!(": body{} must not contain half of a surrogate pair", path.replace('/', "."));
        assert!(told.ends_with(&named), "{told}");
    }
}

#[test]
fn control_characters_are_dropped_from_the_device_name() {
    for (written, name) in [
        (r#""Me\u0000ter""#, "Meter"),
        (r#""\u0000\u0007""#, "(no name)"),
        (r#"" ""#, "(no name)"),
        (r#""  M\u0065ter\n""#, "Meter"),
    ] {
        let told = replaced(&with(chirpstack(), "/deviceInfo/deviceName", here()), written);
        assert_eq!(told, outcome_of(&chirpstack()).replace("Meter", name));
    }
    // But a character that JSON does not allow in a string makes it no JSON.
    let told = replaced(&with(chirpstack(), "/deviceInfo/deviceName", here()), "\"Me\u{0}ter\"");
    assert!(told.starts_with("unreadable: "), "{told}");
}

#[test]
fn escapes_in_known_keys_are_undone() {
    let body =
        chirpstack().to_string().replace("devEui", r"dev\u0045ui").replace("time", r"\u0074ime");
    assert_eq!(outcome(body.as_bytes(), None), outcome_of(&chirpstack()));
}

#[test]
fn a_known_key_given_twice_is_refused_by_name() {
    for (body, key, place) in [
        (chirpstack(), "deviceInfo", "deviceInfo"),
        (chirpstack(), "tenantName", "deviceInfo.tenantName"),
        (chirpstack(), "deviceName", "deviceInfo.deviceName"),
        (chirpstack(), "devEui", "deviceInfo.devEui"),
        (chirpstack(), "time", "time"),
        (chirpstack(), "object", "object"),
        (chirpstack(), "cumulativeFlowM3", "object.cumulativeFlowM3"),
        (chirpstack(), "batteryVoltage", "object.batteryVoltage"),
        (chirpstack(), "altitude", "object.altitude"),
        (things_stack(), "application_ids", "end_device_ids.application_ids"),
        (things_stack(), "application_id", "end_device_ids.application_ids.application_id"),
        (things_stack(), "dev_eui", "end_device_ids.dev_eui"),
        (things_stack(), "received_at", "received_at"),
        (things_stack(), "simulated", "simulated"),
        (things_stack(), "uplink_message", "uplink_message"),
        (things_stack(), "decoded_payload", "uplink_message.decoded_payload"),
        (things_stack(), "cumulativeFlowM3", "uplink_message.decoded_payload.cumulativeFlowM3"),
        (normalized(), "normalized_payload", "uplink_message.normalized_payload"),
    ] {
        let written = body.to_string();
        for value in ["null", "1"] {
            let twice =
                written.replace(&format!("\"{key}\":"), &format!("\"{key}\":{value},\"{key}\":"));
            let told = outcome(twice.as_bytes(), None);
            let named = format!(": body.{place} must not be given more than once");
            assert!(told.ends_with(&named), "{key}: {told}");
        }
    }
}
