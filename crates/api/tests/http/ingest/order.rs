//! The order of checks: credentials, quota, JSON object, format, tenant, EUI, fields, device. Requests
//! that fail in several ways show which one wins.

use serde_json::{Value, json};
use weir_app::resellers::NewReseller;
use weir_testkit::app::{Answer, TestApp};
use weir_testkit::on_both_stores;

use super::{FORMATS, Format, loc};
use crate::support::*;

/// Ways to spoil an uplink of a device that is not registered, from the last check to the first, each
/// with the error that it then gives.
type Spoil = fn(&Format, Value) -> String;
const SPOILS: &[(Spoil, u16, &str)] = &[
    (|_, body| body.to_string(), 404, "DEVICE_NOT_FOUND"),
    (|form, body| with(body, form.flow, json!("1")).to_string(), 422, "SCHEMA_VALIDATION_ERROR"),
    (|form, body| with(body, form.eui, json!("x")).to_string(), 400, "INVALID_DEVICE_ID"),
    (|form, body| with(body, form.tenant, json!("Globex")).to_string(), 403, "TENANT_MISMATCH"),
    (
        |form, body| without(body, &format!("/{}", form.told_by[1])).to_string(),
        400,
        "INVALID_PAYLOAD_FORMAT",
    ),
    (|_, body| body.to_string() + "]", 422, "SCHEMA_VALIDATION_ERROR"),
];

/// The uplink with the first so many spoils done to it.
fn spoiled(form: &Format, body: &Value, count: usize) -> String {
    let spoils = SPOILS[..count].iter();
    spoils.fold(body.to_string(), |body, (spoil, ..)| {
        spoil(form, serde_json::from_str(&body).unwrap())
    })
}

fn assert_limited(answer: &Answer) {
    answer.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(answer.header("x-ratelimit-remaining"), "0");
}

on_both_stores!(
    each_check_comes_before_those_after_it,
    the_quota_comes_before_everything_but_the_credentials,
    all_bad_fields_are_named_but_a_bad_eui_or_tenant_stands_alone,
);

async fn each_check_comes_before_those_after_it(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for form in &FORMATS {
        for (count, &(_, status, code)) in (1..).zip(SPOILS) {
            let body =
                spoiled(form, &(form.uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0), count);
            acme.post_raw(INGEST, body.clone()).await.refused(status, code);
            app.stranger().post_raw(INGEST, body).await.refused(401, "INVALID_API_KEY");
        }
    }
}

async fn the_quota_comes_before_everything_but_the_credentials(app: TestApp) {
    let acme = app.reseller_as(NewReseller { monthly_quota: Some(1), ..reseller("Acme") }).await;
    acme.register(EUI).await;
    let good = (FORMATS[0].uplink)("Acme", EUI, &app.clock.ago(hours(1)), 1.0);
    acme.ingest(good.clone()).await.ok();
    for form in &FORMATS {
        for count in 1..=SPOILS.len() {
            let body =
                spoiled(form, &(form.uplink)("Acme", &eui(1), "2026-03-29T00:00:00Z", 1.0), count);
            assert_limited(&acme.post_raw(INGEST, body).await);
        }
    }
    assert_limited(&acme.ingest(good.clone()).await);
    assert_limited(&acme.post(&format!("{INGEST}?event=join"), json!({})).await);
    assert_limited(&acme.post_raw(INGEST, " ".repeat(300_000)).await);
    let method = http::Method::POST;
    assert_limited(&acme.send(method, INGEST, Some("text/plain"), "x".into()).await);
    app.stranger().ingest(good).await.refused(401, "INVALID_API_KEY");
    let uplinks = acme.get(UNREGISTERED).await.ok();
    assert_eq!(uplinks, json!([]), "nothing is remembered either");
}

async fn all_bad_fields_are_named_but_a_bad_eui_or_tenant_stands_alone(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for form in &FORMATS {
        let good = || (form.uplink)("Acme", EUI, "2026-03-29T00:00:00Z", 1.0);
        let bad = with(with(good(), form.time, json!("soon")), form.flow, json!(-1));
        let answer = acme.ingest(bad.clone()).await;
        assert_eq!(answer.fields(), [loc(form.time), loc(form.flow)]);
        let malformed = acme.ingest(with(bad.clone(), form.eui, json!("70b3"))).await;
        let told = malformed.refused(400, "INVALID_DEVICE_ID");
        assert_eq!(told["details"]["errors"].as_array().unwrap().len(), 1);
        let foreign =
            with(with(bad.clone(), form.eui, json!("70b3")), form.tenant, json!("Globex"));
        assert_eq!(
            acme.ingest(foreign).await.refused(403, "TENANT_MISMATCH")["details"],
            json!({ "tenant_names": ["acme"] })
        );
        // An EUI that is no text, or not there, is a field like the others.
        for bad_eui in [json!(7), Value::Null] {
            let answer = acme.ingest(with(bad.clone(), form.eui, bad_eui)).await;
            assert_eq!(answer.fields(), [loc(form.eui), loc(form.time), loc(form.flow)]);
        }
        let tenant = with(bad, form.tenant, json!(7));
        assert_eq!(
            acme.ingest(tenant).await.fields(),
            [loc(form.tenant), loc(form.time), loc(form.flow)]
        );
    }
}
