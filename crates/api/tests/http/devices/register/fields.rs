//! Every field of the body at its limits.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

on_both_stores!(
    names_have_1_to_255_characters_after_trimming,
    device_name_is_taken_as_the_name_where_that_is_absent,
    an_eui_is_exactly_16_hexadecimal_characters,
    other_fields_are_of_their_types,
    unknown_fields_are_ignored_and_given_ones_kept,
);

async fn names_have_1_to_255_characters_after_trimming(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let (longest, wide) = ("x".repeat(255), "💧".repeat(255));
    let good = [
        ("a", "a"),
        (longest.as_str(), longest.as_str()),
        (wide.as_str(), wide.as_str()),
        (" \u{a0}\t Main \n", "Main"),
        ("two  words", "two  words"),
    ];
    for (number, (name, kept)) in good.into_iter().enumerate() {
        let body = with(meter(&eui(number)), "/name", json!(name));
        assert_eq!(acme.post(REGISTER, body).await.ok()["name"], kept);
    }
    let padded = format!("  {longest}  ");
    let body = with(meter(&eui(90)), "/name", json!(padded));
    assert_eq!(acme.post(REGISTER, body).await.ok()["name"], json!(longest));
    let long = "x".repeat(256);
    for bad in [
        "",
        " \t\n",
        "\u{a0}",
        &long,
        &"ä".repeat(256),
        "a\u{0}b",
        "a\nb",
        "a\u{7f}b",
        "a\u{85}b",
        "a\u{1b}[0m",
    ] {
        let body = with(meter(&eui(91)), "/name", json!(bad));
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.name"], "{bad:?}");
    }
    for bad in [Value::Null, json!(7), json!(["Main"]), json!({ "name": "Main" }), json!(true)] {
        let body = with(meter(&eui(91)), "/name", bad);
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.name"]);
    }
}

async fn device_name_is_taken_as_the_name_where_that_is_absent(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let nameless = |number| without(meter(&eui(number)), "/name");
    let device =
        acme.post(REGISTER, with(nameless(1), "/device_name", json!(" Cellar "))).await.ok();
    assert_eq!((&device["name"], &device["device_name"]), (&json!("Cellar"), &Value::Null));
    let device =
        acme.post(REGISTER, with(meter(&eui(2)), "/device_name", json!("Cellar"))).await.ok();
    assert_eq!((&device["name"], &device["device_name"]), (&json!("Main meter"), &Value::Null));
    for bad in [json!(" "), json!("x".repeat(256)), Value::Null, json!(1)] {
        let body = with(nameless(3), "/device_name", bad);
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.device_name"]);
    }
    assert_eq!(acme.post(REGISTER, nameless(3)).await.fields(), ["body.name"]);
}

async fn an_eui_is_exactly_16_hexadecimal_characters(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for good in ["0000000000000000", "ffffffffffffffff", "0123456789abcdEF"] {
        assert_eq!(acme.post(REGISTER, meter(good)).await.ok()["dev_eui"], good);
    }
    let euis = [
        "",
        "70b3d57ed02a365",
        "70b3d57ed02a36544",
        "70b3d57ed02a365g",
        " 70b3d57ed02a3654",
        "70-B3-D5-7E-D0-2A-36",
        "0x70b3d57ed02a36",
        "70b3d57ed02a365\u{0}",
        "７0b3d57ed02a365",
    ];
    for bad in euis {
        assert_eq!(acme.post(REGISTER, meter(bad)).await.fields(), ["body.dev_eui"], "{bad:?}");
    }
    for bad in [Value::Null, json!(7_011_351_402_118_374_u64), json!([EUI])] {
        let body = with(meter(EUI), "/dev_eui", bad);
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.dev_eui"]);
    }
}

async fn other_fields_are_of_their_types(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for bad in ["gas_meter", "WATER_METER", "water_meter ", ""] {
        let body = with(meter(EUI), "/device_type", json!(bad));
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.device_type"]);
    }
    for bad in [Value::Null, json!(1)] {
        let body = with(meter(EUI), "/device_type", bad);
        assert_eq!(acme.post(REGISTER, body).await.fields(), ["body.device_type"]);
    }
    for field in ["is_principal", "adopt_readings"] {
        for bad in [json!("true"), json!(1), Value::Null, json!([])] {
            let body = with(meter(EUI), &format!("/{field}"), bad);
            assert_eq!(acme.post(REGISTER, body).await.fields(), [format!("body.{field}")]);
        }
    }
    let all_but = ["dev_eui", "name", "device_type"];
    for field in all_but {
        let body = without(meter(EUI), &format!("/{field}"));
        assert_eq!(acme.post(REGISTER, body).await.fields(), [format!("body.{field}")]);
    }
    assert_eq!(acme.get(DEVICES).await.ok(), json!([]), "nothing of all this was stored");
    let body = json!({ "dev_eui": "x", "name": "", "device_type": 1, "parent_device_id": "x", "is_principal": 0 });
    let all = [
        "body.dev_eui",
        "body.name",
        "body.device_type",
        "body.parent_device_id",
        "body.is_principal",
    ];
    assert_eq!(acme.post(REGISTER, body).await.fields(), all, "every one is named");
    assert_eq!(acme.post(REGISTER, json!({})).await.fields(), all[..3]);
}

async fn unknown_fields_are_ignored_and_given_ones_kept(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let body = with(meter(EUI), "/is_principal", json!(true));
    let body = with(body, "/status", json!("online"));
    let body = with(body, "/hierarchy_level", json!(7));
    let device = acme.post(REGISTER, with(body, "/parent_device_id", Value::Null)).await.ok();
    assert_eq!(device["is_principal"], true);
    assert_eq!(device["status"], "offline");
    assert_eq!(device["hierarchy_level"], 0);
}
