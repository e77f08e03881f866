//! What a device consumed per day.

use serde_json::{Value, json};
use weir_app::resellers::NewReseller;
use weir_domain::Timestamp;
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

const PATH: &str = "/api/v1/devices/70b3d57ed02a3654/consumption-per-day";

async fn read(acme: &Actor, readings: &[(&str, f64)]) {
    for (time, cubic_metres) in readings {
        acme.ingest(chirpstack("Acme", EUI, time, *cubic_metres)).await.ok();
    }
}

fn column(data: &Value, field: &str) -> Vec<Value> {
    data["days"].as_array().unwrap().iter().map(|day| day[field].clone()).collect()
}

on_both_stores!(
    days_are_whole_and_today_is_the_last,
    days_follow_the_clocks_of_their_zone,
    the_zone_is_the_customers_else_the_resellers,
    a_deleted_device_still_tells,
    what_does_not_fit_is_refused,
);

async fn days_are_whole_and_today_is_the_last(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    let data = acme.get(PATH).await.ok();
    assert_eq!(data["device_id"], json!(id));
    assert_eq!(data["timezone"], "UTC");
    assert_eq!(column(&data, "date").len(), 7);
    assert_eq!(
        data["days"][6],
        json!({
            "date": "2026-03-29",
            "consumption_m3": null,
            "is_offline": true,
            "last_reading_m3": null,
            "is_reset": false,
        })
    );
    assert_eq!(
        data["summary"],
        json!({
            "total_m3": 0.0,
            "average_m3": null,
            "max_m3": null,
            "min_m3": null,
            "days_with_data": 0,
            "offline_days": 7,
        })
    );
    // Late, twice and in no order.
    read(
        &acme,
        &[
            ("2026-03-29T11:00:00Z", 0.5),
            ("2026-03-27T08:00:00Z", 123.457),
            ("2026-03-20T08:00:00Z", 120.0),
            ("2026-03-27T08:00:00Z", 123.457),
            ("2026-03-27T07:00:00Z", 123.0),
            ("2026-03-29T01:00:00Z", 0.1),
            ("2026-03-27T09:00:00Z", 123.407),
        ],
    )
    .await;
    let data = acme.get(&format!("/api/v1/devices/{id}/consumption-per-day?days=4")).await.ok();
    assert_eq!(column(&data, "date"), ["2026-03-26", "2026-03-27", "2026-03-28", "2026-03-29"]);
    let consumed = [json!(null), json!(3.407), json!(null), json!(0.4)];
    assert_eq!(column(&data, "consumption_m3"), consumed);
    let last = [json!(120.0), json!(123.407), json!(123.407), json!(0.5)];
    assert_eq!(column(&data, "last_reading_m3"), last);
    assert_eq!(column(&data, "is_reset"), [false, false, false, true]);
    assert_eq!(column(&data, "is_offline"), [true, false, true, false]);
    assert_eq!(
        data["summary"],
        json!({
            "total_m3": 3.807,
            "average_m3": 1.9035,
            "max_m3": 3.407,
            "min_m3": 0.4,
            "days_with_data": 2,
            "offline_days": 2,
        })
    );
    assert_eq!(
        acme.get(&format!("{PATH}?days=365")).await.ok()["days"].as_array().unwrap().len(),
        365
    );
}

async fn days_follow_the_clocks_of_their_zone(app: TestApp) {
    // Clocks in Madrid went forward at 01:00 UTC; in New York it is still the morning.
    app.clock.set(Timestamp::parse("2026-03-30T12:00:00Z").unwrap());
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    read(
        &acme,
        &[
            ("2026-03-28T22:59:59Z", 1.0),
            ("2026-03-28T23:00:00Z", 1.25),
            ("2026-03-29T21:59:59Z", 2.0),
            ("2026-03-29T22:00:00Z", 2.5),
            ("2026-03-30T04:00:00Z", 3.0),
        ],
    )
    .await;
    let days = async |zone: &str| {
        let data = acme.get(&format!("{PATH}?days=3&timezone={zone}")).await.ok();
        assert_eq!(data["timezone"], zone);
        column(&data, "consumption_m3")
    };
    assert_eq!(days("Europe/Madrid").await, [0.0, 1.0, 1.0]);
    assert_eq!(days("UTC").await, [0.25, 1.25, 0.5]);
    assert_eq!(days("America/New_York").await, [0.25, 1.25, 0.5]);

    app.clock.set(Timestamp::parse("2026-10-26T12:00:00Z").unwrap());
    read(
        &acme,
        &[
            ("2026-10-24T21:59:59Z", 10.0),
            ("2026-10-24T22:00:00Z", 10.5),
            ("2026-10-25T22:59:59Z", 12.5),
            ("2026-10-25T23:00:00Z", 13.0),
        ],
    )
    .await;
    assert_eq!(days("Europe/Madrid").await, [7.0, 2.5, 0.5]);
}

async fn the_zone_is_the_customers_else_the_resellers(app: TestApp) {
    let new = NewReseller { timezone: Some("America/Lima".into()), ..reseller("Acme") };
    let acme = app.reseller_as(new).await;
    acme.register(EUI).await;
    let zone = async || acme.get(PATH).await.ok()["timezone"].clone();
    assert_eq!(zone().await, "America/Lima");
    let north = customer(&acme, "North").await;
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    assign(&acme, EUI, Some(&ada)).await;
    assert_eq!(zone().await, "America/Lima");
    let body = json!({ "name": "North", "timezone": "Asia/Kathmandu" });
    acme.put(&format!("/api/v1/customers/{north}"), body).await.ok();
    assert_eq!(zone().await, "Asia/Kathmandu");
    let asked = acme.get(&format!("{PATH}?timezone=Europe/Lisbon")).await.ok();
    assert_eq!(asked["timezone"], "Europe/Lisbon");
}

async fn a_deleted_device_still_tells(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    read(&acme, &[("2026-03-29T08:00:00Z", 1.0), ("2026-03-29T09:00:00Z", 1.5)]).await;
    delete(&acme, &id).await.ok();
    for device in [EUI, &id] {
        let data = acme.get(&format!("/api/v1/devices/{device}/consumption-per-day")).await.ok();
        assert_eq!(data["summary"]["total_m3"], 0.5);
    }
}

async fn what_does_not_fit_is_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    for days in ["0", "-1", "366", "x", "1.5", ""] {
        assert_eq!(
            acme.get(&format!("{PATH}?days={days}")).await.fields(),
            ["query.days"],
            "{days}"
        );
    }
    for zone in ["Mars/Olympus", "", "+02:00", "Etc/Unknown"] {
        let answer = acme.get(&format!("{PATH}?timezone={zone}")).await;
        let body = answer.refused(400, "VALIDATION_ERROR");
        assert_eq!(body["details"]["errors"][0]["loc"], json!(["query", "timezone"]));
    }
    assert_eq!(acme.get(&format!("{PATH}?days=0&timezone=x")).await.status, 422);
    acme.get("/api/v1/devices/x/consumption-per-day").await.refused(422, "SCHEMA_VALIDATION_ERROR");
    acme.get("/api/v1/devices/70b3d57ed02a3655/consumption-per-day")
        .await
        .refused(404, "DEVICE_NOT_FOUND");
    app.reseller("Globex").await.get(PATH).await.refused(404, "DEVICE_NOT_FOUND");
    app.stranger().get(PATH).await.refused(401, "INVALID_API_KEY");
    let bearer = app.stranger().with_header("authorization", "Bearer x");
    bearer.get(PATH).await.refused(401, "INVALID_TOKEN");
}
