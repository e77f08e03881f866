//! The page of a device.

use serde_json::json;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    a_device_shows_everything,
    days_are_drawn_and_told,
    a_foreign_device_is_not_found,
    a_viewer_changes_nothing,
    names_and_flags_are_edited,
    a_deleted_device_is_restored,
    readings_are_shown_by_day,
    final_reports_are_downloaded,
    many_owners_and_relatives_fit_on_a_page,
);

async fn a_device_shows_everything(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let top = principal(&acme, 1, HOSTILE).await;
    let id = below(&acme, &top, 2, "Flat").await;
    below(&acme, &id, 3, "Kitchen").await;
    shows(&ada.page(&format!("/devices/{id}")).await, &["Nothing was read in these days."]);
    reading(&acme, 2, "29T10:00", 1.25).await;
    let page = ada.page(&format!("/devices/{id}")).await;
    shows(&page, &["<h1>Flat</h1>", ESCAPED, &eui(2), "Kitchen", "3.60 V", "1.250 m³", "Online"]);
    shows(&page, &["29 Mar 2026, 10:00", "Never assigned to anybody."]);
    shows(&page, &[&format!("/hierarchy?root={top}"), "value=\"delete\"", "/edit\""]);
    hides(&page, &[HOSTILE]);
    // By EUI too.
    shows(&ada.page(&format!("/devices/{}", eui(2))).await, &["<h1>Flat</h1>"]);
}

async fn days_are_drawn_and_told(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    for (day, value) in [("25T10:00", 5.0), ("26T10:00", 5.5), ("28T10:00", 6.5), ("29T10:00", 0.1)]
    {
        reading(&acme, 1, day, value).await;
    }
    let page = ada.page(&format!("/devices/{id}?days=7")).await;
    shows(
        &page,
        &["<title>26 Mar 2026: 0.500 m³</title>", "<title>27 Mar 2026: no readings</title>"],
    );
    shows(&page, &["<title>29 Mar 2026: 0.000 m³, meter replaced</title>", "class=\"reset\""]);
    shows(&page, &["<td class=\"amount\">6.500 m³</td>", "No readings", "Meter replaced"]);
    assert_eq!(page.matches("<title>").count(), 7 + 1);
    for days in [30, 90, 365] {
        let page = ada.page(&format!("/devices/{id}?days={days}")).await;
        assert_eq!(page.matches("data-day").count(), days);
        assert!(page.len() < 150_000, "{days} days: {} bytes", page.len());
    }
}

async fn a_foreign_device_is_not_found(app: TestApp) {
    let (_, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let foreign = meter(&globex, 1, "Not yours").await;
    for path in ["", "/edit", "/readings"] {
        let answer = ada.get(&format!("/devices/{foreign}{path}")).await;
        assert_eq!(answer.status, 404, "{path}");
        hides(&answer.text(), &["Not yours"]);
    }
    for path in [format!("/devices/{}", eui(1)), "/devices/nothing".into()] {
        assert_eq!(ada.get(&path).await.status, 404, "{path}");
    }
    let edit = ada.submit(&format!("/devices/{foreign}/edit"), &[("name", "Mine")]).await;
    assert_eq!(edit.status, 404);
    assert_eq!(ada.submit(&format!("/devices/{foreign}/restore"), &[]).await.status, 404);
    assert_eq!(look(&globex, &foreign).await["name"], "Not yours");
}

async fn a_viewer_changes_nothing(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    let page = vera.page(&format!("/devices/{id}")).await;
    hides(&page, &["/edit\"", "name=\"action\"", "/hierarchy/move", "action=\"/devices/"]);
    assert_eq!(vera.get(&format!("/devices/{id}/edit")).await.status, 403);
    let edit = vera.submit(&format!("/devices/{id}/edit"), &[("name", "Mine")]).await;
    assert_eq!(edit.status, 403);
    acme.delete(&format!("/api/v1/devices/{id}")).await.ok();
    hides(&vera.page(&format!("/devices/{id}")).await, &["/restore\""]);
    assert_eq!(vera.submit(&format!("/devices/{id}/restore"), &[]).await.status, 403);
}

async fn names_and_flags_are_edited(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    let edit = format!("/devices/{id}/edit");
    let page = ada.page(&edit).await;
    shows(&page, &["value=\"Main\"", "name=\"is_active\" checked"]);
    let blank = ada.submit(&edit, &[("name", " ")]).await;
    assert_eq!(blank.status, 422);
    shows(&blank.text(), &["id=\"name-complaint\"", "must not be blank"]);
    let saved = [("name", HOSTILE), ("device_name", "m-1"), ("is_principal", "on")];
    assert_eq!(ada.submit(&edit, &saved).await.sent_on(), format!("/devices/{id}"));
    let device = look(&acme, &id).await;
    assert_eq!((&device["name"], &device["device_name"]), (&HOSTILE.into(), &"m-1".into()));
    assert_eq!((&device["is_principal"], &device["is_active"]), (&json!(true), &json!(false)));
    shows(&ada.page(&edit).await, &[ESCAPED]);
}

async fn a_deleted_device_is_restored(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    acme.delete(&format!("/api/v1/devices/{id}")).await.ok();
    let page = ada.page(&format!("/devices/{id}")).await;
    shows(&page, &["This meter was deleted on 29 Mar 2026, 12:00.", "/restore\""]);
    hides(&page, &["value=\"delete\"", "/hierarchy?root="]);
    let restore = format!("/devices/{id}/restore");
    assert_eq!(ada.submit(&restore, &[]).await.sent_on(), format!("/devices/{id}"));
    assert_eq!(look(&acme, &id).await["is_active"], true);
    assert_eq!(ada.submit(&restore, &[]).await.status, 404);
}

async fn readings_are_shown_by_day(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    reading(&acme, 1, "28T23:59", 1.0).await;
    reading(&acme, 1, "29T00:00", 1.5).await;
    let page = vera.page(&format!("/devices/{id}/readings")).await;
    shows(&page, &["00:00:00", "1.500 m³", "day=2026-03-28"]);
    hides(&page, &["23:59:00", "day=2026-03-30"]);
    let page = vera.page(&format!("/devices/{id}/readings?day=2026-03-28")).await;
    shows(&page, &["23:59:00", "1.000 m³", "day=2026-03-29"]);
    shows(
        &vera.page(&format!("/devices/{id}/readings?day=2020-01-01")).await,
        &["Nothing was read"],
    );
    assert_eq!(vera.get(&format!("/devices/{id}/readings?day=soon")).await.status, 404);
}

async fn final_reports_are_downloaded(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let id = meter(&acme, 1, "Main").await;
    let foreign = meter(&globex, 2, "Not yours").await;
    let (bob, carol) = (end_user(&acme, HOSTILE).await, end_user(&acme, "Carol").await);
    for to in [&bob, &carol] {
        let assign = json!({ "end_user_id": to });
        acme.put(&format!("/api/v1/devices/{id}/assign"), assign).await.ok();
    }
    let page = vera.page(&format!("/devices/{id}")).await;
    shows(&page, &[ESCAPED, "Carol", "Nobody"]);
    let path = page.split('"').find(|part| part.ends_with(".pdf")).expect("a report").to_owned();
    let pdf = vera.get(&path).await;
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert!(pdf.header("content-disposition").starts_with("attachment; filename=\"water-report-"));
    assert!(pdf.body.starts_with(b"%PDF"));
    shows(&vera.get(&path.replace(".pdf", ".csv")).await.text(), &["field,date,value", &eui(1)]);
    assert_eq!(vera.get(&path.replace(".pdf", ".exe")).await.status, 404);
    assert_eq!(vera.get(&path.replace(&id, &foreign)).await.status, 404);
}

async fn many_owners_and_relatives_fit_on_a_page(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let longest = "'".repeat(255);
    let id = principal(&acme, 1, &longest).await;
    for number in 2..=24 {
        below(&acme, &id, number, &longest).await;
    }
    let owners = [end_user(&acme, &longest).await, end_user(&acme, "Carol").await];
    for to in owners.iter().cycle().take(25) {
        let assign = json!({ "end_user_id": to });
        acme.put(&format!("/api/v1/devices/{id}/assign"), assign).await.ok();
    }
    let newest = vera.page(&format!("/devices/{id}?days=365")).await;
    let next = format!("/devices/{id}?days=365&#38;list=owners&#38;offset=10#owners");
    shows(&newest, &["1–10 of 25", &next, "3 more"]);
    assert!(newest.len() < 150_000, "{} bytes", newest.len());
    let oldest = vera.page(&format!("/devices/{id}?list=owners&offset=20")).await;
    shows(&oldest, &["21–25 of 25", "Nobody"]);
    hides(&newest, &["Nobody"]);
}
