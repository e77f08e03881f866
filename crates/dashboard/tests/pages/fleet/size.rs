//! That no page of the fleet is large, whatever is in it.

use serde_json::json;
use weir_testkit::app::{Actor, TestApp};
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    the_list_is_small,
    previews_and_their_results_are_small,
    bulk_pages_are_small,
    what_is_repeated_of_forms_is_small,
);

const IMPORT: &str = "/devices/import";
const BULK: &str = "/devices/bulk";

/// The longest name, each of whose letters takes as much room on a page as a letter can.
fn worst() -> String {
    "&".repeat(255)
}

#[track_caller]
fn is_small(page: &str) {
    assert!(page.len() < 150_000, "{} bytes: {}", page.len(), &page[..2_000]);
}

/// Registers meters of the worst names, and returns their ids.
async fn meters(ada: &Actor, acme: &Actor, count: usize) -> Vec<String> {
    for from in (0..count).step_by(200) {
        let row = |number| format!("{},{}", eui(number), worst());
        let rows: Vec<String> = (from..count.min(from + 200)).map(row).collect();
        let table = format!("dev_eui,name\n{}", rows.join("\n"));
        let done = ada.submit(IMPORT, &[("table", &table), ("step", "do")]).await.text();
        shows(&done, &[&format!("{} meters registered.", rows.len())]);
    }
    let all = acme.get("/api/v1/devices?limit=1000").await.ok();
    let id = |device: &serde_json::Value| device["id"].as_str().expect("an id").to_owned();
    all.as_array().expect("devices").iter().map(id).collect()
}

async fn the_list_is_small(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let mut last = String::new();
    for number in 0..202 {
        last = customer(&acme, &format!("{number:03}{}", &worst()[3..])).await;
    }
    let ids = meters(&ada, &acme, 51).await;
    let given = json!({ "device_ids": ids, "customer_id": last });
    acme.post("/api/v1/devices/bulk-assign-customer", given).await.ok();
    let search = "%26".repeat(255);
    let page = ada.page(&format!("/devices?search={search}&customer={last}&sort=-customer")).await;
    shows(&page, &["1–50 of 51", &format!("value=\"{last}\" selected"), "1 more customer</a>"]);
    // The trends of fifty meters that have sent something would add as much as this.
    assert!(page.len() + 50 * 300 < 150_000, "{}", page.len());
    let long = "%26".repeat(6_000);
    let page = ada.page(&format!("/devices?search={long}&status={long}&since={long}")).await;
    shows(&page, &["The filter cannot be read"]);
    is_small(&page);
}

async fn previews_and_their_results_are_small(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    for called in 0..2 {
        customer(&acme, &format!("{}{called}", &worst()[1..])).await;
    }
    let bad = "a meter without an EUI,70b3d57ed02a365\n".repeat(500);
    let page = ada.submit(IMPORT, &[("table", &format!("name,dev_eui\n{bad}"))]).await.text();
    shows(&page, &["0 of 500 rows can be imported; 500 will be passed over."]);
    let named = page.matches("must be exactly 16").count();
    assert!(named > 150, "{named}");
    shows(&page, &[&format!("… and {} more", 500 - named)]);
    is_small(&page);
    // As many bytes as there may be, in rows of which everything is wrong, and in good ones.
    let head = "dev_eui,name,parent_dev_eui,is_principal,customer,end_user\n";
    let wrong = "&".repeat(19);
    let everything = format!("{wrong},,{wrong},{wrong},{wrong},{wrong}\n");
    let cells = "&".repeat(40);
    let unknown = |number| format!("{},{cells},{},,{cells},{cells}\n", eui(number), eui(9_999));
    let good = |number| format!("{},{},{},yes,,\n", eui(number), "&".repeat(79), eui(0));
    let fill = |row: &dyn Fn(usize) -> String| {
        let mut table = head.to_owned();
        for number in 0..500 {
            if table.len() + row(number).len() <= 60_000 {
                table.push_str(&row(number));
            }
        }
        table
    };
    let mixed = |number: usize| match number % 2 {
        0 => good(number),
        _ => unknown(number),
    };
    for table in [fill(&|_| everything.clone()), fill(&unknown), fill(&mixed), fill(&good)] {
        assert!(table.len() > 50_000, "{}", table.len());
        is_small(&ada.submit(IMPORT, &[("table", &table)]).await.text());
        is_small(&ada.submit(IMPORT, &[("table", &table), ("step", "do")]).await.text());
    }
}

async fn bulk_pages_are_small(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let ids = meters(&ada, &acme, 1_000).await;
    for number in 0..51 {
        let email = format!("{}@example.org", "&".repeat(40));
        let body = json!({ "name": format!("{number:02}{}", &worst()[2..]), "email": email });
        acme.post("/api/v1/end-users", body).await.ok();
    }
    let (all, back) = (ids.join(" "), format!("search={}&sort=name", "%26".repeat(255)));
    let assign = [("ids", &*all), ("action", "assign"), ("search", ""), ("back", &back)];
    let page = ada.submit(BULK, &assign).await.text();
    shows(&page, &["1000 meters are selected", "… and 980 more", "1 more: find them by name."]);
    shows(&page, &[&ids[999]]);
    is_small(&page);
    let delete = [("ids", &*all), ("action", "delete"), ("step", "do"), ("back", &back)];
    let page = ada.submit(BULK, &delete).await.text();
    shows(&page, &["1000 meters deleted.", "… and 800 more"]);
    is_small(&page);
    // Now there is none of them, and each fails.
    let page = ada.submit(BULK, &delete).await.text();
    shows(&page, &["0 meters deleted, 1000 failed.", "… and 800 more"]);
    is_small(&page);
}

async fn what_is_repeated_of_forms_is_small(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    let long = "&".repeat(100_000);
    let fields = [("dev_eui", &*long), ("name", &*long), ("parent_dev_eui", &*long)];
    let fields = fields.into_iter().chain([("customer", &*long), ("end_user", &*long)]);
    is_small(&ada.submit("/devices/register", &fields.collect::<Vec<_>>()).await.text());
    for table in [&*long, &long[..59_000], &long[..20_000]] {
        is_small(&ada.submit(IMPORT, &[("table", table)]).await.text());
    }
    let search = [("ids", &*id), ("action", "assign"), ("search", &*long), ("step", "search")];
    is_small(&ada.submit(BULK, &search).await.text());
    let back = [("ids", &*id), ("action", "delete"), ("back", &*long)];
    is_small(&ada.submit(BULK, &back).await.text());
}
