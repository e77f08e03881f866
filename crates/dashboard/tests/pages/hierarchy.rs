//! The tree of meters.

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    a_loss_is_seen,
    a_meter_is_moved,
    what_is_refused_is_told,
    a_viewer_moves_nothing,
    a_large_tree_is_closed,
    trees_reach_through_deleted_meters,
);

async fn a_loss_is_seen(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    shows(&ada.page("/hierarchy").await, &["There are no principal meters yet."]);
    let top = principal(&acme, 1, HOSTILE).await;
    let (left, _) = (below(&acme, &top, 2, "Left").await, below(&acme, &top, 3, "Right").await);
    below(&acme, &left, 4, "Silent").await;
    for (number, used) in [(1, 10.0), (2, 5.0), (3, 3.0)] {
        reading(&acme, number, "20T10:00", 100.0).await;
        reading(&acme, number, "29T10:00", 100.0 + used).await;
    }
    let page = ada.page("/hierarchy").await;
    shows(&page, &[ESCAPED, "10.000 m³", "8.000 m³", "2.000 m³ (20 %)", "depth-2", "notable"]);
    shows(&page, &["No readings", "1 without readings", "id=\"move-dialog\""]);
    hides(&page, &[HOSTILE]);
    // A part of it by itself.
    let page = ada.page(&format!("/hierarchy?root={left}")).await;
    shows(&page, &["Left", "Silent", "All principal meters"]);
    hides(&page, &["Right"]);
    let globex = app.reseller("Globex").await;
    let foreign = meter(&globex, 9, "Not yours").await;
    assert_eq!(ada.get(&format!("/hierarchy?root={foreign}")).await.status, 404);
}

async fn a_meter_is_moved(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let top = principal(&acme, 1, "Street").await;
    let id = meter(&acme, 2, "Flat").await;
    meter(&acme, 3, "Garden").await;
    // One that hangs nowhere is found, to be dragged to its place.
    let page = ada.page("/hierarchy?search=flat").await;
    shows(&page, &[&format!("data-meter=\"{id}\" data-name=\"Flat\""), "Street"]);
    hides(&page, &["Garden"]);
    shows(&ada.page("/hierarchy?search=%3Cb%3E").await, &["No meter fits.", "&#60;b&#62;"]);
    let form = format!("/hierarchy/move?device={id}");
    shows(&ada.page(&form).await, &["Move Flat", "Street", "Garden", "value=\"\" checked"]);
    let found = ada.page(&format!("{form}&search=stre")).await;
    shows(&found, &["Street"]);
    hides(&found, &["Garden"]);
    let moved = ada.submit("/hierarchy/move", &[("device", &id), ("parent", &top)]).await;
    assert_eq!(moved.sent_on(), format!("/devices/{id}"));
    assert_eq!(look(&acme, &id).await["parent_device_id"], top.as_str());
    let dragged = [("device", id.as_str()), ("parent", ""), ("back", "tree")];
    assert_eq!(ada.submit("/hierarchy/move", &dragged).await.sent_on(), "/hierarchy");
    assert!(look(&acme, &id).await["parent_device_id"].is_null());
}

async fn what_is_refused_is_told(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let top = principal(&acme, 1, "Street").await;
    let id = below(&acme, &top, 2, "Flat").await;
    let foreign = meter(&globex, 3, "Not yours").await;
    let circle = ada.submit("/hierarchy/move", &[("device", &top), ("parent", &id)]).await;
    assert_eq!(circle.status, 422);
    shows(&circle.text(), &["A device cannot be its own parent or ancestor."]);
    let strange = ada.submit("/hierarchy/move", &[("device", &id), ("parent", &foreign)]).await;
    assert_eq!(strange.status, 422);
    shows(&strange.text(), &["No such parent device."]);
    for (device, parent) in [(&foreign, &top), (&"x".to_owned(), &top), (&id, &"x".to_owned())] {
        let answer = ada.submit("/hierarchy/move", &[("device", device), ("parent", parent)]).await;
        assert_eq!(answer.status, 404);
    }
    assert_eq!(look(&acme, &id).await["parent_device_id"], top.as_str());
}

async fn a_viewer_moves_nothing(app: TestApp) {
    let (acme, _, vera) = acme(&app).await;
    let top = principal(&acme, 1, "Street").await;
    let id = below(&acme, &top, 2, "Flat").await;
    let page = vera.page("/hierarchy").await;
    shows(&page, &["Flat"]);
    hides(&page, &["/hierarchy/move", "move-dialog", "hierarchy.js"]);
    assert_eq!(vera.get(&format!("/hierarchy/move?device={id}")).await.status, 403);
    let moved = vera.submit("/hierarchy/move", &[("device", &id), ("parent", "")]).await;
    assert_eq!(moved.status, 403);
}

async fn a_large_tree_is_closed(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let top = principal(&acme, 1, "Street").await;
    for number in 0..150 {
        below(&acme, &top, 100 + number, "Flat").await;
    }
    let page = ada.page("/hierarchy").await;
    assert_eq!(page.matches("depth-1").count(), 150);
    assert!(page.len() < 150_000, "{}", page.len());
    below(&acme, &top, 99, "Flat").await;
    let page = ada.page("/hierarchy").await;
    shows(&page, &["Street", "151 below"]);
    hides(&page, &["Flat"]);
    for (offset, shown) in [(0, 100), (100, 51), (200, 51)] {
        let page = ada.page(&format!("/hierarchy?root={top}&offset={offset}")).await;
        assert_eq!(page.matches("depth-1").count(), shown, "from {offset}");
        shows(&page, &["Street", "of 151"]);
    }
}

async fn trees_reach_through_deleted_meters(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let top = principal(&acme, 1, "Street").await;
    let gone = below(&acme, &top, 2, "Gone").await;
    below(&acme, &gone, 3, "Flat").await;
    acme.delete(&format!("/api/v1/devices/{gone}")).await.ok();
    let page = ada.page("/hierarchy").await;
    shows(&page, &["Street", "Flat", "depth-1"]);
    hides(&page, &["Gone", "depth-2"]);
}
