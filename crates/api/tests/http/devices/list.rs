//! Listing devices.

mod filters;

use std::time::Duration;

use serde_json::{Value, json};
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use super::register::CORE;
use crate::support::*;

/// What the list shows beside the core fields.
const LISTED: &[&str] = &[
    "end_user_id",
    "latitude",
    "longitude",
    "altitude",
    "customer_name",
    "first_seen_at",
    "last_seen_at",
    "message_count",
    "last_consumption_m3",
    "consumption_trend",
];

/// The EUIs of a page, and its total and links.
async fn page(actor: &Actor, query: &str) -> (Vec<String>, String, String) {
    let answer = actor.get(&format!("{DEVICES}{query}")).await;
    let devices = answer.ok();
    let euis = texts(&devices, "dev_eui").into_iter().map(str::to_owned);
    (euis.collect(), answer.header("x-total-count").to_owned(), answer.header("link").to_owned())
}

/// The EUIs with these numbers.
fn euis(numbers: impl IntoIterator<Item = usize>) -> Vec<String> {
    numbers.into_iter().map(eui).collect()
}

on_both_stores!(
    an_empty_fleet_is_an_empty_list,
    a_device_shows_its_customer_and_its_activity,
    consumption_can_be_left_out,
    a_trend_is_the_newest_24_cumulative_values_oldest_first,
    the_newest_come_first_and_ties_by_id,
    pages_have_50_devices_unless_asked_otherwise,
    limits_and_offsets_are_whole_numbers_in_range,
);

async fn an_empty_fleet_is_an_empty_list(app: TestApp) {
    let acme = app.reseller("Acme").await;
    assert_eq!(page(&acme, "").await, (vec![], "0".to_owned(), String::new()));
}

async fn a_device_shows_its_customer_and_its_activity(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let registered = acme.post(REGISTER, meter(EUI)).await.ok();
    let listed = acme.get(DEVICES).await.ok()[0].clone();
    assert_eq!(keys(&listed), names(CORE.iter().chain(LISTED)));
    for field in CORE {
        assert_eq!(listed[field], registered[field], "{field}");
    }
    for empty in ["end_user_id", "customer_name", "first_seen_at", "last_seen_at", "latitude"] {
        assert_eq!(listed[empty], Value::Null, "{empty}");
    }
    assert_eq!(listed["message_count"], 0);
    assert_eq!(listed["last_consumption_m3"], 0.0, "before the first reading");
    assert_eq!(listed["consumption_trend"], json!([]));
}

async fn consumption_can_be_left_out(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for no in ["false", "0", "False"] {
        let listed = acme.get(&format!("{DEVICES}?include_consumption={no}")).await.ok()[0].clone();
        let shown = LISTED.iter().filter(|field| !field.contains("consumption"));
        assert_eq!(keys(&listed), names(CORE.iter().chain(shown)));
    }
    for yes in ["true", "1", "TRUE"] {
        let listed =
            acme.get(&format!("{DEVICES}?include_consumption={yes}")).await.ok()[0].clone();
        assert_eq!(listed["consumption_trend"], json!([]));
    }
    for bad in ["", "yes", "2", "null"] {
        let answer = acme.get(&format!("{DEVICES}?include_consumption={bad}")).await;
        assert_eq!(answer.fields(), ["query.include_consumption"]);
    }
}

async fn a_trend_is_the_newest_24_cumulative_values_oldest_first(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    acme.register(&eui(1)).await;
    // They come in no order; 30 of them, an hour apart, the newest with the value 30.
    for number in (1..=30_u64).map(|number| number * 7 % 31) {
        let time = app.clock.ago(hours(30 - number));
        acme.ingest(chirpstack("Acme", EUI, &time, number as f64)).await.ok();
    }
    let same_time = chirpstack("Acme", EUI, &app.clock.ago(hours(0)), 29.5);
    acme.ingest(same_time).await.ok();
    let listed = acme.get(DEVICES).await.ok();
    assert_eq!(listed[0]["consumption_trend"], json!([]), "of another device");
    let device = &listed[1];
    let mut expected: Vec<f64> = (8..=29).map(f64::from).collect();
    expected.extend([29.5, 30.0]);
    assert_eq!(device["consumption_trend"], json!(expected));
    assert_eq!(device["last_consumption_m3"], 30.0, "of two at one time the larger is last");
    assert_eq!(device["message_count"], 31);
}

async fn the_newest_come_first_and_ties_by_id(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for number in 0..4 {
        acme.register(&eui(number)).await;
    }
    app.clock.advance(Duration::from_micros(1));
    acme.register(&eui(4)).await;
    app.clock.advance(Duration::from_micros(1));
    acme.register(&eui(5)).await;
    let devices = acme.get(DEVICES).await.ok();
    let order = texts(&devices, "created_at").into_iter().zip(texts(&devices, "id"));
    let order: Vec<_> = order.collect();
    assert!(order.is_sorted_by(|one, next| one > next), "{order:?}");
    assert_eq!(page(&acme, "").await.0, euis((0..6).rev()));
}

async fn pages_have_50_devices_unless_asked_otherwise(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for number in 0..53 {
        acme.register(&eui(number)).await;
    }
    let (first, total, link) = page(&acme, "").await;
    assert_eq!((first, total.as_str()), (euis((3..53).rev()), "53"));
    assert_eq!(link, r#"</api/v1/devices?limit=50&offset=50>; rel="next""#);
    let (second, total, link) = page(&acme, "?limit=50&offset=50").await;
    assert_eq!((second, total.as_str()), (euis((0..3).rev()), "53"));
    assert_eq!(link, r#"</api/v1/devices?limit=50&offset=0>; rel="prev""#);

    let (middle, _, link) = page(&acme, "?include_consumption=0&limit=2&offset=3").await;
    assert_eq!(middle, euis([49, 48]));
    let next = r#"</api/v1/devices?include_consumption=0&limit=2&offset=5>; rel="next""#;
    let prev = r#"</api/v1/devices?include_consumption=0&limit=2&offset=1>; rel="prev""#;
    assert_eq!(link, format!("{next}, {prev}"));

    let (beyond, total, _) = page(&acme, "?offset=53").await;
    assert_eq!((beyond.len(), total.as_str()), (0, "53"));
    for whole in ["?limit=53", "?limit=1000", "?limit=1001", "?limit=9223372036854775808"] {
        let (all, _, link) = page(&acme, whole).await;
        assert_eq!((all.len(), link.as_str()), (53, ""), "{whole}");
    }
    assert_eq!(page(&acme, "?limit=1").await.0, euis([52]));
    let far = page(&acme, "?limit=7&offset=9223372036854775807").await;
    assert_eq!((far.0.len(), far.1.as_str()), (0, "53"));
    assert_eq!(far.2, r#"</api/v1/devices?limit=7&offset=49>; rel="prev""#);
}

async fn limits_and_offsets_are_whole_numbers_in_range(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for path in [DEVICES, UNREGISTERED] {
        for bad in ["0", "-1", "ten", "1.5", "1e2", "", "-9223372036854775809"] {
            assert_eq!(acme.get(&format!("{path}?limit={bad}")).await.fields(), ["query.limit"]);
        }
        for bad in ["-1", "x", "0.5", ""] {
            assert_eq!(acme.get(&format!("{path}?offset={bad}")).await.fields(), ["query.offset"]);
        }
        acme.get(&format!("{path}?limit=1&offset=0&limit=7&more=less")).await.ok();
    }
}
