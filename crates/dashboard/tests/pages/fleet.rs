//! The list of the fleet.

mod bulk;
mod import;
mod order;
mod register;
mod size;

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    the_list_shows_what_is_there,
    filters_narrow_the_list,
    long_lists_have_pages,
    a_viewer_sees_no_changes,
    what_is_shown_can_be_exported,
);

async fn the_list_shows_what_is_there(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    shows(&ada.page("/devices").await, &["There are no meters yet.", "href=\"/devices/register\""]);
    let globex = app.reseller("Globex").await;
    meter(&globex, 9, "Not yours").await;
    let id = principal(&acme, 1, HOSTILE).await;
    for (day, value) in [("27T10:00", 1.0), ("28T10:00", 1.25), ("29T10:00", 2.0)] {
        reading(&acme, 1, day, value).await;
    }
    let page = ada.page("/devices").await;
    let link = format!("href=\"/devices/{id}\"");
    shows(
        &page,
        &[ESCAPED, &link, &eui(1), "Online", "2.000 m³", "29 Mar 2026, 10:00", "1 meter."],
    );
    shows(&page, &["<polyline points=\"0,15.7 96,1\"/>", "Principal meter"]);
    hides(&page, &[HOSTILE, "Not yours"]);
}

async fn filters_narrow_the_list(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    meter(&acme, 1, "Cellar").await;
    principal(&acme, 2, "Street").await;
    reading(&acme, 2, "29T10:00", 1.0).await;
    let river = customer(&acme, "Riverside").await;
    let given = serde_json::json!({ "customer_id": river });
    acme.put(&format!("/api/v1/devices/{}/assign-customer", eui(1)), given).await.ok();
    for (query, there, missing) in [
        ("search=cell", "Cellar", "Street"),
        ("search=00000002", "Street", "Cellar"),
        ("status=online", "Street", "Cellar"),
        ("status=offline", "Cellar", "Street"),
        ("is_principal=true", "Street", "Cellar"),
        ("is_principal=false", "Cellar", "Street"),
        ("customer=unassociated", "Street", "Cellar"),
        (&format!("customer={river}"), "Cellar", "Street"),
        ("first_seen=today", "Street", "Cellar"),
        ("since=2026-03-01", "Street", "Cellar"),
    ] {
        let page = ada.page(&format!("/devices?{query}")).await;
        shows(&page, &[&format!(">{there}</a>"), "1 meter."]);
        hides(&page, &[&format!(">{missing}</a>")]);
    }
    let page = ada.page("/devices?user=unassigned&search=").await;
    shows(&page, &["2 meters."]);
    shows(&ada.page("/devices?user=assigned").await, &["No meter fits this filter."]);
    let page = ada.page("/devices?status=%3Cb%3E").await;
    shows(&page, &["The filter cannot be read: status must be one of"]);
    hides(&page, &["<b>", ">Cellar</a>"]);
}

async fn long_lists_have_pages(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    for number in 0..51 {
        meter(&acme, number, &format!("Meter {number:02}")).await;
    }
    let page = ada.page("/devices?search=meter").await;
    shows(&page, &["51 meters.", "1–50 of 51", "/devices?search=meter&#38;offset=50", "Meter 50"]);
    hides(&page, &["Meter 00", "rel=\"prev\""]);
    let page = ada.page("/devices?search=meter&offset=50").await;
    shows(&page, &["Meter 00", "51–51 of 51", "rel=\"prev\""]);
    hides(&page, &["Meter 50", "rel=\"next\""]);
    let page = ada.page("/devices?offset=4294967295").await;
    shows(&page, &["Meter 00", "51–51 of 51"]);
}

async fn a_viewer_sees_no_changes(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    let page = vera.page("/devices").await;
    shows(&page, &["Main"]);
    hides(&page, &["type=\"checkbox\"", "/devices/import", "/devices/register", "name=\"action\""]);
    for path in ["/devices/register", "/devices/import"] {
        assert_eq!(vera.get(path).await.status, 403, "{path}");
        assert_eq!(vera.submit(path, &[]).await.status, 403, "{path}");
    }
    let delete = [("ids", id.as_str()), ("action", "delete"), ("step", "do")];
    assert_eq!(vera.submit("/devices/bulk", &delete).await.status, 403);
    assert_eq!(look(&acme, &id).await["deleted_at"], serde_json::Value::Null);
}

async fn what_is_shown_can_be_exported(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    meter(&acme, 1, "=HYPERLINK(\"x\")").await;
    meter(&acme, 2, "Street").await;
    reading(&acme, 1, "29T10:00", 1.25).await;
    let answer = vera.get("/devices/export.csv?status=online").await;
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"devices.csv\"");
    let text = answer.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("device_id,dev_eui,name,"), "{text}");
    shows(lines[1], &[&eui(1), "\"'=HYPERLINK(\"\"x\"\")\"", ",online,", ",1.25,3.6,"]);
    assert_eq!(vera.get("/devices/export.csv?status=nothing").await.status, 400);
}
