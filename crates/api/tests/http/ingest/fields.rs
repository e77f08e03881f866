//! Every field of a payload at its limits.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{FORMATS, Format, device, history, loc};
use crate::support::*;

fn good(form: &Format) -> Value {
    (form.uplink)("Acme", EUI, "2026-03-29T00:00:00Z", 1.0)
}

on_both_stores!(
    tenant_eui_time_and_flow_are_required,
    volumes_are_numbers_from_0_to_a_thousand_million,
    euis_are_told_apart_by_their_form,
    times_are_iso_8601_with_any_offset_or_utc,
    optional_fields_may_be_absent_or_null_but_not_of_another_type,
    unknown_keys_may_hold_anything,
);

async fn tenant_eui_time_and_flow_are_required(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        for field in [form.tenant, form.eui, form.time, form.flow] {
            assert_eq!(acme.ingest(without(good(form), field)).await.fields(), [loc(field)]);
            assert_eq!(
                acme.ingest(with(good(form), field, Value::Null)).await.fields(),
                [loc(field)]
            );
            for wrong in [json!(true), json!([]), json!({ "x": 1 })] {
                assert_eq!(
                    acme.ingest(with(good(form), field, wrong)).await.fields(),
                    [loc(field)]
                );
            }
        }
    }
    assert_eq!(device(&acme).await["message_count"], 0);
}

async fn volumes_are_numbers_from_0_to_a_thousand_million(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        for (cubic_metres, litres) in [
            (json!(0), 0.0),
            (json!(-0.0), 0.0),
            (json!(1000.0), 1_000_000.0),
            (json!(123.457), 123_457.0),
            (json!(0.001), 1.0),
            (json!(0.000_001), 0.001),
            (json!(0.000_000_4), 0.0),
            (json!(987_654_321.123_456), 987_654_321_123.456),
            (json!(1_000_000_000), 1e12),
        ] {
            let stored = acme.ingest(with(good(form), form.flow, cubic_metres.clone())).await.ok();
            assert_eq!(stored["consumption_liters"], litres, "{cubic_metres}");
        }
        for bad in [
            json!(-1),
            json!(-0.001),
            json!(1_000_000_000.001),
            json!(1e300),
            json!("1"),
            json!("1.5"),
        ] {
            assert_eq!(
                acme.ingest(with(good(form), form.flow, bad)).await.fields(),
                [loc(form.flow)]
            );
        }
    }
    let history = history(&acme).await;
    let expected = [0.0, 0.000_001, 0.001, 123.457, 1000.0, 987_654_321.123_456, 1e9];
    assert_eq!(history, expected, "as they came, each once");
}

async fn euis_are_told_apart_by_their_form(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        for own in [EUI.to_owned(), EUI.to_uppercase()] {
            let stored = acme.ingest(with(good(form), form.eui, json!(own))).await.ok();
            assert_eq!(stored["dev_eui"], EUI, "as it was registered");
        }
        for bad in [
            "",
            "70b3d57ed02a365",
            "70b3d57ed02a36540",
            "70b3d57ed02a365g",
            " 70b3d57ed02a3654",
            "70:b3:d5:7e",
        ] {
            let told = acme
                .ingest(with(good(form), form.eui, json!(bad)))
                .await
                .refused(400, "INVALID_DEVICE_ID");
            assert_eq!(
                told["details"]["errors"][0]["loc"].as_array().unwrap().len(),
                loc(form.eui).split('.').count()
            );
        }
        assert_eq!(
            acme.ingest(with(good(form), form.eui, json!(7))).await.fields(),
            [loc(form.eui)]
        );
    }
}

async fn times_are_iso_8601_with_any_offset_or_utc(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        for (given, shown) in [
            ("2026-03-29T00:59:58Z", "2026-03-29T00:59:58+00:00"),
            ("2026-03-29T00:59:58", "2026-03-29T00:59:58+00:00"),
            ("2026-03-29 00:59:58", "2026-03-29T00:59:58+00:00"),
            ("2026-03-29T02:59:58+02:00", "2026-03-29T00:59:58+00:00"),
            ("2026-03-28T13:29:58.5-11:30", "2026-03-29T00:59:58.500000+00:00"),
            ("2026-03-29T00:59:58.123456789Z", "2026-03-29T00:59:58.123456+00:00"),
            ("2026-03-29T00:59:58.999999999Z", "2026-03-29T00:59:58.999999+00:00"),
            ("2026-03-29T00:59:58.000000001+00:00", "2026-03-29T00:59:58+00:00"),
        ] {
            let stored = acme.ingest(with(good(form), form.time, json!(given))).await.ok();
            assert_eq!(stored["timestamp"], shown, "{given}");
        }
        for bad in [
            "",
            "now",
            "2026-03-29",
            "2026-02-30T00:00:00Z",
            "2026-03-29T25:00:00Z",
            "1774785600",
            "29.03.2026 12:00",
            "2026-03-29T00:59:58Z extra",
            "+999999999-01-01T00:00:00Z",
        ] {
            assert_eq!(
                acme.ingest(with(good(form), form.time, json!(bad))).await.fields(),
                [loc(form.time)],
                "{bad}"
            );
        }
        assert_eq!(
            acme.ingest(with(good(form), form.time, json!(1_774_785_600))).await.fields(),
            [loc(form.time)]
        );
    }
}

async fn optional_fields_may_be_absent_or_null_but_not_of_another_type(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        let position =
            ["latitude", "longitude", "altitude"].map(|name| format!("{}/{name}", form.decoded));
        let numbers = [form.battery, &position[0], &position[1], &position[2]];
        for field in numbers.into_iter().chain([form.device_name]) {
            acme.ingest(without(good(form), field)).await.ok();
            acme.ingest(with(good(form), field, Value::Null)).await.ok();
            assert_eq!(
                acme.ingest(with(good(form), field, json!([1]))).await.fields(),
                [loc(field)]
            );
        }
        for field in numbers {
            assert_eq!(
                acme.ingest(with(good(form), field, json!("3.6"))).await.fields(),
                [loc(field)]
            );
        }
        assert_eq!(
            acme.ingest(with(good(form), form.device_name, json!(7))).await.fields(),
            [loc(form.device_name)]
        );
        for bad in [1000.5, -1000.5, 1e300] {
            assert_eq!(
                acme.ingest(with(good(form), form.battery, json!(bad))).await.fields(),
                [loc(form.battery)]
            );
        }
    }
}

async fn unknown_keys_may_hold_anything(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for form in &FORMATS {
        for value in [
            Value::Null,
            json!("x"),
            json!([[[]]]),
            json!({ "deviceInfo": { "devEui": 7 } }),
            json!(1e300),
        ] {
            let body = with(good(form), "/unknown", value.clone());
            let body = with(body, &format!("/{}/unknown", form.told_by[0]), value.clone());
            acme.ingest(with(body, &format!("/{}/unknown", form.told_by[1]), value)).await.ok();
        }
    }
}
