//! Final reports of previous owners.

use serde_json::json;
use weir_domain::Timestamp;
use weir_testkit::app::{Actor, Answer, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

/// The values of a report, by field and day.
fn values(answer: &Answer, field: &str) -> Vec<(String, String)> {
    assert_eq!(answer.status, 200);
    let text = String::from_utf8(answer.body.clone()).unwrap();
    let rows = text.lines().map(|row| row.splitn(3, ',').collect::<Vec<_>>());
    rows.filter(|row| row[0] == field).map(|row| (row[1].to_owned(), row[2].to_owned())).collect()
}

fn value(answer: &Answer, field: &str) -> String {
    values(answer, field)[0].1.clone()
}

async fn read(acme: &Actor, readings: &[(&str, f64)]) {
    for (time, cubic_metres) in readings {
        acme.ingest(chirpstack("Acme", EUI, time, *cubic_metres)).await.ok();
    }
}

on_both_stores!(
    an_owner_gets_what_flowed_while_the_meter_was_theirs,
    a_report_stays_as_it_was_given_out,
    reports_are_rendered_behind_the_commit,
    a_report_is_its_resellers_alone,
);

async fn an_owner_gets_what_flowed_while_the_meter_was_theirs(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.register(EUI).await;
    let ada = end_user(&acme, "Ada", None).await;
    let bob = end_user(&acme, "Bob", None).await;
    read(&acme, &[("2026-03-28T10:00:00Z", 100.0), ("2026-03-29T12:00:00Z", 100.5)]).await;
    assign(&acme, EUI, Some(&ada)).await;
    app.clock.set(Timestamp::parse("2026-03-31T18:00:00Z").unwrap());
    read(
        &acme,
        &[
            ("2026-03-29T12:00:00.000001Z", 100.6),
            ("2026-03-31T09:00:00Z", 101.25),
            ("2026-03-31T18:00:00Z", 101.5),
            ("2026-03-31T18:00:00.000001Z", 102.0),
        ],
    )
    .await;
    assign(&acme, EUI, Some(&bob)).await;

    let records = ownership(&acme, &device).await;
    assert_eq!(records[0]["report_generated"], true);
    let url = records[0]["report_url"].as_str().unwrap();
    let record = id(&records[0]);
    assert!(url.contains(&record) && url.contains(&acme.reseller().id.to_string()));
    let path = format!("/api/v1/devices/{device}/ownership-history/{record}/report");

    let csv = acme.get(&format!("{path}?format=csv")).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    let name = format!("attachment; filename=\"water-report-{EUI}-2026-03-31.csv\"");
    assert_eq!(csv.header("content-disposition"), name);
    assert_eq!(value(&csv, "dev_eui"), EUI);
    assert_eq!(value(&csv, "owner"), "Ada");
    assert_eq!(value(&csv, "reseller"), "Acme");
    assert_eq!(value(&csv, "period_start"), "2026-03-29T12:00:00+00:00");
    assert_eq!(value(&csv, "period_end"), "2026-03-31T18:00:00+00:00");
    assert_eq!(value(&csv, "opening_m3"), "100.500");
    assert_eq!(value(&csv, "closing_m3"), "101.500");
    assert_eq!(value(&csv, "total_m3"), "1.000");
    let days = values(&csv, "consumption_m3");
    let expected = [("2026-03-29", "0.100"), ("2026-03-30", ""), ("2026-03-31", "0.900")];
    assert_eq!(days, expected.map(|(day, volume)| (day.to_owned(), volume.to_owned())));

    for asked in [path.clone(), format!("{path}?format=pdf")] {
        let pdf = acme.get(&asked).await;
        assert_eq!(pdf.status, 200);
        assert_eq!(pdf.header("content-type"), "application/pdf");
        assert!(pdf.header("content-disposition").ends_with(".pdf\""));
        assert!(pdf.body.starts_with(b"%PDF-"));
    }
    for extension in ["pdf", "csv"] {
        let file = app.directory.path().join(url).with_extension(extension);
        assert!(file.is_file(), "{file:?}");
    }
}

async fn a_report_stays_as_it_was_given_out(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.register(EUI).await;
    let ada = end_user(&acme, "=Ada", None).await;
    assign(&acme, EUI, Some(&ada)).await;
    read(&acme, &[("2026-03-29T12:00:00Z", 7.0)]).await;
    assign(&acme, EUI, None).await;
    let record = id(&ownership(&acme, &device).await[0]);
    let path = format!("/api/v1/devices/{EUI}/ownership-history/{record}/report?format=csv");
    let before = acme.get(&path).await;
    assert_eq!(value(&before, "owner"), "'=Ada");
    // The one value there is opens and closes the period.
    assert_eq!(value(&before, "opening_m3"), "7.000");
    assert_eq!(
        (value(&before, "closing_m3"), value(&before, "total_m3")),
        ("7.000".into(), "0.000".into())
    );

    read(&acme, &[("2026-03-29T11:00:00Z", 6.0)]).await;
    acme.put(&format!("/api/v1/end-users/{ada}"), json!({ "name": "Ada L." })).await.ok();
    delete(&acme, &device).await.ok();
    acme.delete(&format!("/api/v1/end-users/{ada}")).await;
    // Lost from the archive, it is made anew, the same.
    rendered(&app, ownership(&acme, &device).await[0]["report_url"].as_str().unwrap()).await;
    std::fs::remove_dir_all(app.directory.path().join("reports")).unwrap();
    assert_eq!(acme.get(&path).await.body, before.body);
}

async fn reports_are_rendered_behind_the_commit(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let device = acme.register(EUI).await;
    let ada = end_user(&acme, "Ada", None).await;
    assign(&acme, EUI, Some(&ada)).await;
    assign(&acme, EUI, None).await;
    let url = ownership(&acme, &device).await[0]["report_url"].as_str().unwrap().to_owned();
    rendered(&app, &url).await;
}

/// Waits until a report lies in the archive in both formats.
async fn rendered(app: &TestApp, url: &str) {
    let file = app.directory.path().join(url);
    let appear = async {
        while !["pdf", "csv"].iter().all(|format| file.with_extension(format).exists()) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(seconds(60), appear).await.unwrap();
}

async fn a_report_is_its_resellers_alone(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let device = acme.register(EUI).await;
    let other = acme.register("70b3d57ed02a3655").await;
    let ada = end_user(&acme, "Ada", None).await;
    assign(&acme, EUI, Some(&ada)).await;
    let given = id(&ownership(&acme, &device).await[0]);
    assign(&acme, EUI, None).await;
    let taken = id(&ownership(&acme, &device).await[0]);
    let path = |device: &str, record: &str| {
        format!("/api/v1/devices/{device}/ownership-history/{record}/report")
    };
    acme.get(&path(&device, &given)).await.refused(404, "REPORT_NOT_FOUND");
    acme.get(&path(&device, NOBODY)).await.refused(404, "REPORT_NOT_FOUND");
    acme.get(&path(&other, &taken)).await.refused(404, "REPORT_NOT_FOUND");
    acme.get(&path(NOBODY, &taken)).await.refused(404, "DEVICE_NOT_FOUND");
    globex.get(&path(&device, &taken)).await.refused(404, "DEVICE_NOT_FOUND");
    globex.register("70b3d57ed02a3656").await;
    globex.get(&path("70b3d57ed02a3656", &taken)).await.refused(404, "REPORT_NOT_FOUND");
    app.stranger().get(&path(&device, &taken)).await.refused(401, "INVALID_API_KEY");
    assert_eq!(acme.get(&path(&device, "x")).await.fields(), ["path.record_id"]);
    let wrong = acme.get(&format!("{}?format=doc", path(&device, &taken))).await;
    assert_eq!(wrong.fields(), ["query.format"]);
    assert_eq!(acme.get(&path(EUI, &taken)).await.status, 200);
}
