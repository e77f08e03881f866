//! The orders of the list.

use serde_json::json;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    heads_sort_the_list,
    an_order_is_kept,
    what_is_not_known_comes_last,
    pages_of_an_order_join_to_the_whole,
);

/// The names on a page, in their order.
fn names(page: &str) -> Vec<String> {
    let rows = page.split("<th scope=\"row\">").skip(1);
    let name = |row: &str| {
        let (_, name) = row.split_once("\">").expect("a link");
        name.split_once("</a>").expect("a name").0.to_owned()
    };
    rows.map(name).collect()
}

async fn heads_sort_the_list(app: TestApp) {
    let (acme, ada, vera) = acme(&app).await;
    for (number, name) in [(3, "beta"), (1, "Äther"), (2, "ALPHA"), (4, "alpha")] {
        meter(&acme, number, name).await;
    }
    let page = ada.page("/devices").await;
    assert_eq!(names(&page), ["alpha", "ALPHA", "Äther", "beta"]);
    shows(&page, &["Newest first.", "<a href=\"/devices?sort=name\">Name</a>"]);
    shows(&page, &["aria-sort=\"descending\"><a href=\"/devices?sort=created\">Registered</a>"]);
    for (sort, expected, there) in [
        ("name", ["alpha", "ALPHA", "beta", "Äther"], "By name."),
        ("-name", ["Äther", "beta", "alpha", "ALPHA"], "By name, last ones first."),
        ("dev_eui", ["Äther", "ALPHA", "beta", "alpha"], "By EUI."),
        ("-dev_eui", ["alpha", "beta", "ALPHA", "Äther"], "By EUI, highest first."),
        ("created", ["beta", "Äther", "ALPHA", "alpha"], "Oldest first."),
    ] {
        let page = vera.page(&format!("/devices?sort={sort}")).await;
        assert_eq!(names(&page), expected, "{sort}");
        shows(&page, &[there]);
        assert_eq!(page.matches("aria-sort").count(), 1);
    }
    let page = ada.page("/devices?sort=-name").await;
    shows(&page, &["aria-sort=\"descending\"><a href=\"/devices?sort=name\">Name</a>"]);
    shows(&page, &["href=\"/devices\">Registered</a>"]);
    let page = ada.page("/devices?sort=%3Cb%3E").await;
    shows(&page, &["The filter cannot be read: sort must be the name of a column."]);
    hides(&page, &["<b>"]);
}

async fn an_order_is_kept(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let mut ids = Vec::new();
    for (number, name) in [(1, "Meter C"), (2, "Meter A"), (3, "Street"), (4, "Meter B")] {
        ids.push(meter(&acme, number, name).await);
    }
    let page = ada.page("/devices?search=meter&sort=name").await;
    assert_eq!(names(&page), ["Meter A", "Meter B", "Meter C"]);
    // The filter's form sends it along, and every way on keeps both.
    shows(&page, &["<input type=\"hidden\" name=\"sort\" value=\"name\">"]);
    shows(&page, &["\"/devices?search=meter&#38;sort=battery\"", "?sort=name\">Clear filter"]);
    shows(&page, &["/devices/export.csv?search=meter&#38;sort=name"]);
    let export = ada.get("/devices/export.csv?search=meter&sort=-name").await.text();
    let exported: Vec<&str> =
        export.lines().skip(1).map(|line| line.split(',').nth(2).unwrap()).collect();
    assert_eq!(exported, ["Meter C", "Meter B", "Meter A"]);
    // What is done with several leads back to the list as it was.
    let back = "search=meter&sort=name&offset=0";
    shows(&page, &["name=\"back\" value=\"search=meter&#38;sort=name&#38;offset=0\""]);
    let both = [("ids", &*ids[0]), ("ids", &*ids[1]), ("action", "maintenance"), ("back", back)];
    let asked = ada.submit("/devices/bulk", &both).await.text();
    let way = "href=\"/devices?search=meter&#38;sort=name&#38;offset=0\"";
    shows(&asked, &[way, "name=\"back\" value=\"search=meter&#38;sort=name&#38;offset=0\""]);
    let done: Vec<_> = both.into_iter().chain([("step", "do")]).collect();
    shows(&ada.submit("/devices/bulk", &done).await.text(), &[way, "2 meters taken into"]);
    let one = [("ids", &*ids[3]), ("action", "auto"), ("step", "do"), ("back", back)];
    assert_eq!(ada.submit("/devices/bulk", &one).await.sent_on(), format!("/devices?{back}"));
    // Nothing but such a list is led back to.
    let evil = [("ids", &*ids[3]), ("action", "auto"), ("step", "do"), ("back", "//evil.example")];
    assert_eq!(ada.submit("/devices/bulk", &evil).await.sent_on(), "/devices?offset=0");
}

async fn what_is_not_known_comes_last(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    for (number, name) in [(1, "Late"), (2, "Never"), (3, "Early")] {
        meter(&acme, number, name).await;
    }
    reading(&acme, 1, "29T10:00", 1.0).await;
    reading(&acme, 3, "28T10:00", 1.0).await;
    let river = customer(&acme, "Riverside").await;
    let given = json!({ "customer_id": river });
    acme.put(&format!("/api/v1/devices/{}/assign-customer", eui(2)), given).await.ok();
    for (sort, expected) in [
        ("last_reading", ["Early", "Late", "Never"]),
        ("-last_reading", ["Late", "Early", "Never"]),
        ("battery", ["Early", "Late", "Never"]),
        ("-battery", ["Early", "Late", "Never"]),
        ("customer", ["Never", "Early", "Late"]),
        ("-customer", ["Never", "Early", "Late"]),
    ] {
        let page = ada.page(&format!("/devices?sort={sort}")).await;
        assert_eq!(names(&page), expected, "{sort}");
        shows(&page, &["3.60 V"]);
    }
}

async fn pages_of_an_order_join_to_the_whole(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    for number in 0..53 {
        meter(&acme, number, &format!("Meter {}", number % 2)).await;
    }
    for sort in ["name", "-name", "last_reading", "-customer"] {
        let first = ada.page(&format!("/devices?sort={sort}")).await;
        shows(&first, &["1–50 of 53", &format!("/devices?sort={sort}&#38;offset=50")]);
        let second = ada.page(&format!("/devices?sort={sort}&offset=50")).await;
        let euis = |page: &str| -> Vec<String> {
            let cells = page.split("<td class=\"eui\">").skip(1);
            cells.map(|cell| cell[..16].to_owned()).collect()
        };
        let mut all = euis(&first);
        all.extend(euis(&second));
        all.sort();
        assert_eq!(all, (0..53).map(eui).collect::<Vec<_>>(), "{sort}");
    }
}
