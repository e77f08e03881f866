//! Names of all scripts and intents come back as they went in.

use serde_json::json;
use weir_app::resellers::NewReseller;
use weir_testkit::app::{TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use crate::support::{self, *};

const NAMES: &[&str] = &[
    "Zähler Süd",
    "水表 №7",
    "عداد المياه",
    "מד מים",
    "💧🚰 👨‍👩‍👧",
    "e\u{301} is not é",
    "\u{202e}tfel-ot-thgir",
    "zero\u{200b}width",
    "Robert'); DROP TABLE device;--",
    "\" OR 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} %s %n",
    "../../etc/passwd",
    "back\\slash \\u0000 \\n",
    "=HYPERLINK(\"http://x\")",
    "null",
    "NaN",
    "1e999",
    "\u{fffd}\u{fffe}\u{10ffff}",
];

on_both_stores!(of_devices, of_unregistered_devices, of_tenants,);

async fn of_devices(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let time = app.clock.ago(hours(1));
    for (number, name) in NAMES.iter().enumerate() {
        let body = with(meter(&eui(number)), "/name", json!(name));
        assert_eq!(acme.post(REGISTER, body).await.ok()["name"], *name);
        let uplink = match number % 2 {
            0 => with(
                chirpstack("Acme", &eui(number), &time, 1.0),
                "/deviceInfo/deviceName",
                json!(name),
            ),
            _ => with(
                things_stack("Acme", &eui(number), &time, 1.0),
                "/end_device_ids/device_id",
                json!(name),
            ),
        };
        acme.ingest(uplink).await.ok();
        let device = acme.get(&format!("{DEVICES}/{}", eui(number))).await.ok();
        assert_eq!((&device["name"], &device["device_name"]), (&json!(name), &json!(name)));
        let taken = acme.post(REGISTER, meter(&eui(number))).await;
        assert_eq!(taken.refused(400, "DEVICE_ALREADY_EXISTS")["details"]["name"], *name);
    }
    let listed = acme.get(DEVICES).await.ok();
    let listed = texts(&listed, "name").into_iter().rev();
    assert_eq!(listed.collect::<Vec<_>>(), NAMES);
}

async fn of_unregistered_devices(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for (number, name) in NAMES.iter().enumerate() {
        let uplink = chirpstack("Acme", &eui(number), "2026-03-01T00:00:00Z", 1.0);
        let uplink = with(uplink, "/deviceInfo/deviceName", json!(name));
        acme.ingest(uplink).await.refused(404, "DEVICE_NOT_FOUND");
        app.clock.advance(seconds(1));
    }
    let listed = acme.get(UNREGISTERED).await.ok();
    let listed = texts(&listed, "device_name").into_iter().rev();
    assert_eq!(listed.collect::<Vec<_>>(), NAMES);
}

async fn of_tenants(app: TestApp) {
    for (number, name) in NAMES.iter().enumerate() {
        let new = NewReseller {
            aliases: vec![support::name(name)],
            ..support::reseller(&format!("Reseller {number}"))
        };
        let reseller = app.reseller_as(new).await;
        reseller.register(&eui(number)).await;
        let uplink = things_stack(name, &eui(number), &app.clock.ago(hours(1)), 1.0);
        reseller.ingest(uplink).await.ok();
    }
}
