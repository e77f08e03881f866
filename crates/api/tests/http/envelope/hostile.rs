//! JSON that is made to hurt.

use serde_json::{Value, json};
use weir_testkit::app::{Store, TestApp, chirpstack, things_stack};

use crate::support::*;

/// A body as text, with something put before its last brace.
fn plus(body: &Value, more: &str) -> String {
    let body = body.to_string();
    format!("{}, {more}}}", &body[..body.len() - 1])
}

#[tokio::test]
async fn a_hundred_kib_of_brackets_harm_nobody() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let nested = |length: usize, open: &str, close: &str| {
        let depth = length / (open.len() + close.len());
        open.repeat(depth) + &close.repeat(depth)
    };
    let deep = |open, close| nested(102_400, open, close);
    let time = app.clock.ago(hours(1));
    for path in [REGISTER, INGEST] {
        for body in
            [deep("[", "]"), "[".repeat(102_400), deep("{\"a\":", "}"), deep("{\"a\":[", "]}")]
        {
            let status = acme.post_raw(path, body).await.status.as_u16();
            assert!([400, 422].contains(&status), "{path}: {status}");
        }
        let inside = nested(80_000, "[", "]");
        let fields = format!("\"name\": {inside}, \"deviceInfo\": {inside}, \"object\": {inside}");
        let status = acme.post_raw(path, format!("{{{fields}}}")).await.status.as_u16();
        assert_eq!(status, 422, "{path}");
    }
    // In an uplink, what nobody asks for may hold anything that is JSON.
    let unknown = format!("\"unknown\": {}", deep("[", "]"));
    acme.post_raw(INGEST, plus(&chirpstack("Acme", EUI, &time, 1.0), &unknown)).await.ok();
    let broken = format!("\"unknown\": {}", "[".repeat(51_200));
    let answer = acme.post_raw(INGEST, plus(&chirpstack("Acme", EUI, &time, 2.0), &broken)).await;
    assert_eq!(answer.fields(), ["body"]);
}

#[tokio::test]
async fn keys_that_are_given_twice() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let twice = plus(&meter(EUI), "\"name\": \"First\", \"name\": \"Last\"");
    assert_eq!(acme.post_raw(REGISTER, twice).await.ok()["name"], "Last");

    let time = app.clock.ago(hours(1));
    let good = chirpstack("Acme", EUI, &time, 1.0);
    acme.post_raw(INGEST, plus(&good, "\"x\": 1, \"x\": {}")).await.ok();
    let other = plus(&good, &format!("\"time\": \"{time}\""));
    assert_eq!(acme.post_raw(INGEST, other).await.fields(), ["body.time"]);
    let other = plus(&good, "\"object\": {\"cumulativeFlowM3\": 2}");
    assert_eq!(acme.post_raw(INGEST, other).await.fields(), ["body.object"]);
    let inside = good
        .to_string()
        .replace("\"cumulativeFlowM3\"", "\"cumulativeFlowM3\":3,\"cumulativeFlowM3\"");
    assert_eq!(acme.post_raw(INGEST, inside).await.fields(), ["body.object.cumulativeFlowM3"]);
}

#[tokio::test]
async fn characters_that_are_none() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let named = |name: &str| meter(&eui(1)).to_string().replace("Main meter", name);
    assert_eq!(acme.post_raw(REGISTER, named("a\\u0000b")).await.fields(), ["body.name"]);
    assert_eq!(acme.post_raw(REGISTER, named("a\\ud800b")).await.fields(), ["body"]);
    assert_eq!(acme.post_raw(REGISTER, named("a\\udc00\\ud800")).await.fields(), ["body"]);
    acme.post_raw(REGISTER, plus(&meter(&eui(2)), "\"x\": \"\\u0000\"")).await.ok();

    let time = app.clock.ago(hours(1));
    let uplink =
        |from: &str, to: &str| chirpstack("Acme", EUI, &time, 1.0).to_string().replace(from, to);
    let nul = uplink("from-chirpstack", "from\\u0000\\u0007-\\u0085nul");
    acme.post_raw(INGEST, nul).await.ok();
    let device = acme.get(&format!("{DEVICES}/{EUI}")).await.ok();
    assert_eq!(device["device_name"], "from-nul", "control characters are dropped");
    let tenant = uplink("\"Acme\"", "\"Acme\\u0000\"");
    acme.post_raw(INGEST, tenant).await.refused(403, "TENANT_MISMATCH");
    let half = uplink("\"Acme\"", "\"Acme\\ud800\"");
    assert_eq!(acme.post_raw(INGEST, half).await.fields(), ["body.deviceInfo.tenantName"]);
    let unknown = plus(&chirpstack("Acme", EUI, &time, 1.0), "\"\\ud800\": \"\\udfff\\u0000\"");
    acme.post_raw(INGEST, unknown).await.ok();
    let keys = acme.post_raw(INGEST, "{\"\\u0000\": 1, \"ü\": 2}").await;
    let details = keys.refused(400, "INVALID_PAYLOAD_FORMAT")["details"].clone();
    assert_eq!(details["provided_keys"], json!(["\u{0}", "ü"]));
}

#[tokio::test]
async fn numbers_of_400_digits() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let (huge, time) = (format!("1{}", "0".repeat(400)), app.clock.ago(hours(1)));
    let tiny = format!("0.{}1", "0".repeat(400));
    let precise = format!("123.457{}1", "0".repeat(400));
    for (uplink, loc) in [
        (chirpstack("Acme", EUI, &time, 7.125), "body.object.cumulativeFlowM3"),
        (
            things_stack("Acme", EUI, &time, 7.125),
            "body.uplink_message.decoded_payload.cumulativeFlowM3",
        ),
    ] {
        let uplink = |number: &str| uplink.to_string().replace("7.125", number);
        for number in [&huge, &format!("-{huge}"), "1e999", "-1e999"] {
            assert_eq!(acme.post_raw(INGEST, uplink(number)).await.fields(), [loc]);
        }
        assert_eq!(acme.post_raw(INGEST, uplink(&tiny)).await.ok()["consumption_liters"], 0.0);
        let stored = acme.post_raw(INGEST, uplink(&precise)).await.ok();
        assert_eq!(stored["consumption_liters"], 123_457.0);
        let unknown = uplink("7.125").replacen('{', &format!("{{\"x\": {huge},"), 1);
        acme.post_raw(INGEST, unknown).await.ok();
    }
    let device = acme.post_raw(REGISTER, plus(&meter(&eui(1)), &format!("\"x\": {huge}"))).await;
    assert_eq!(device.fields(), ["body"]);
    let path = format!("{DEVICES}/{EUI}/consumption?days={huge}");
    assert_eq!(acme.get(&path).await.fields(), ["query.days"]);
    acme.get(&format!("{DEVICES}?limit={huge}&offset={huge}")).await.ok();
}
