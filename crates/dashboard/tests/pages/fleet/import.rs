//! Importing a table.

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(a_preview_names_each_bad_row, what_is_no_table_is_told);

const IMPORT: &str = "/devices/import";

async fn a_preview_names_each_bad_row(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    meter(&globex, 8, "Not yours").await;
    meter(&acme, 9, "Old").await;
    let table = format!(
        "dev_eui,name,parent_dev_eui,is_principal\n{},{HOSTILE},,true\n{},Flat,{},\n{},Again,,\n\
         {},Lost,{},\nxyz,,,maybe\n{},Taken,,\n",
        eui(1),
        eui(2),
        eui(1),
        eui(9),
        eui(3),
        eui(7),
        eui(8),
    );
    let page = ada.submit(IMPORT, &[("table", &table)]).await.text();
    shows(&page, &["3 of 6 rows can be imported; 3 will be passed over.", ESCAPED, "Flat"]);
    shows(&page, &["is registered already, as Old", &format!("has the parent {}", eui(7))]);
    shows(&page, &["dev_eui must be exactly 16", "name must not be blank", "is_principal must be"]);
    hides(&page, &[HOSTILE, "Not yours"]);
    shows(&ada.page("/devices").await, &["1 meter."]);

    // That an EUI is another reseller's shows only when it is tried, and says no more.
    let done = ada.submit(IMPORT, &[("table", &table), ("step", "do")]).await.text();
    shows(&done, &["2 meters registered, 4 rows passed over.", "is already registered."]);
    hides(&done, &["Not yours"]);
    let main = look(&acme, &eui(1)).await;
    let flat = look(&acme, &eui(2)).await;
    assert_eq!((&main["is_principal"], &main["name"]), (&true.into(), &HOSTILE.into()));
    assert_eq!(flat["parent_device_id"], main["id"]);
    assert_eq!(look(&globex, &eui(8)).await["name"], "Not yours");
}

async fn what_is_no_table_is_told(app: TestApp) {
    let (_, ada, _) = acme(&app).await;
    let bad = "a meter without an EUI,70b3d57ed02a365\n".repeat(500);
    let page = ada.submit(IMPORT, &[("table", &format!("name,dev_eui\n{bad}"))]).await.text();
    assert_eq!(page.matches("must be exactly 16").count(), 500);
    assert!(page.len() < 150_000, "{}", page.len());
    shows(&ada.page(IMPORT).await, &["enctype=\"multipart/form-data\"", "parent_dev_eui"]);
    for (table, reason) in [("", "There is nothing in it"), ("name\n1", "name the column dev_eui")]
    {
        let answer = ada.submit(IMPORT, &[("table", table)]).await;
        assert_eq!(answer.status, 422);
        shows(&answer.text(), &[reason]);
    }
}
