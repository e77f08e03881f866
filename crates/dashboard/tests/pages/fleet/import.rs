//! Importing a table.

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    a_preview_names_each_bad_row,
    rows_name_customers_and_end_users,
    a_preview_carries_its_table,
    what_is_no_table_is_told,
);

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

async fn rows_name_customers_and_end_users(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let foreign = customer(&globex, "Foreign").await;
    let (river, lake) = (customer(&acme, "Riverside").await, customer(&acme, "Lake").await);
    let (one, two) = (customer(&acme, "Twin").await, customer(&acme, "TWIN").await);
    let bob = end_user(&acme, "Bob").await;
    let of = |name: &'static str, id: &str| serde_json::json!({ "name": name, "customer_id": id });
    let ann = acme.post("/api/v1/end-users", of("Ann", &river)).await.ok()["id"].clone();
    acme.post("/api/v1/end-users", of("Ann", &lake)).await.ok();
    let rows = [
        ("riverSIDE".to_owned(), String::new(), None),
        (two.clone(), "bob".into(), None),
        ("Riverside".into(), "Ann".into(), None),
        (String::new(), bob.clone(), None),
        (String::new(), "Ann".into(), Some("end_user 2 are called Ann: write the id instead")),
        ("Twin".into(), String::new(), Some("customer 2 are called Twin: write the id instead")),
        ("River".into(), String::new(), Some("customer River is not known")),
        (foreign.clone(), String::new(), Some("is not known")),
        ("Foreign".into(), "Zoe".into(), Some("customer Foreign is not known; end_user Zoe is")),
        (one.clone(), "Ann".into(), Some("end_user Ann belongs to another customer")),
    ];
    let lines: Vec<String> = rows
        .iter()
        .enumerate()
        .map(|(number, (customer, end_user, _))| {
            format!("{};Meter {number};{customer};{end_user}", eui(number))
        })
        .collect();
    let table = format!("dev_eui;name;Customer;end_user\n{}", lines.join("\n"));
    let page = ada.submit(IMPORT, &[("table", &table)]).await.text();
    shows(&page, &["4 of 10 rows can be imported; 6 will be passed over.", "riverSIDE", "bob"]);
    shows(&page, &rows.iter().filter_map(|(.., reason)| *reason).collect::<Vec<_>>());

    let done = ada.submit(IMPORT, &[("table", &table), ("step", "do")]).await.text();
    shows(&done, &["4 meters registered, 6 rows passed over."]);
    let null = serde_json::Value::Null;
    for (number, customer, end_user) in [
        (0, river.as_str().into(), null.clone()),
        (1, two.as_str().into(), bob.as_str().into()),
        (2, river.as_str().into(), ann),
        (3, null, bob.as_str().into()),
    ] {
        let device = look(&acme, &eui(number)).await;
        assert_eq!((&device["customer_id"], &device["end_user_id"]), (&customer, &end_user));
    }
    let history = acme.get(&format!("/api/v1/devices/{}/ownership-history", eui(2))).await.ok();
    assert_eq!(history.as_array().map(Vec::len), Some(1), "{history}");
}

async fn a_preview_carries_its_table(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let table = format!("dev_eui,name\n{},{HOSTILE}\n{},Zähler \"\"\n", eui(1), eui(2));
    let page = ada.submit(IMPORT, &[("table", &table)]).await.text();
    hides(&page, &[HOSTILE, "<textarea"]);
    let (_, carried) = page.split_once("name=\"carried\" value=\"").expect("the table");
    let carried = carried.split_once('"').expect("its end").0;
    let done = ada.submit(IMPORT, &[("carried", carried), ("step", "do")]).await.text();
    shows(&done, &["2 meters registered."]);
    assert_eq!(look(&acme, &eui(1)).await["name"], HOSTILE);
    let broken = ada.submit(IMPORT, &[("carried", "%%%"), ("step", "do")]).await;
    assert_eq!(broken.status, 422);
}

async fn what_is_no_table_is_told(app: TestApp) {
    let (_, ada, _) = acme(&app).await;
    shows(&ada.page(IMPORT).await, &["enctype=\"multipart/form-data\"", "parent_dev_eui"]);
    for (table, reason) in [
        ("", "There is nothing in it"),
        ("name\n1", "name the column dev_eui"),
        (&*format!("dev_eui,name\n{}", "x".repeat(60_000)), "more than 60,000 bytes"),
    ] {
        let answer = ada.submit(IMPORT, &[("table", table)]).await;
        assert_eq!(answer.status, 422);
        shows(&answer.text(), &[reason]);
    }
}
