//! Customers.

mod register_unregistered;

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

fn path(id: &str) -> String {
    format!("{CUSTOMERS}/{id}")
}

on_both_stores!(
    a_customer_lives_and_goes,
    the_list_is_by_name_and_counts_what_belongs,
    what_is_referred_to_stays,
    values_that_do_not_fit_are_refused,
    anothers_customers_are_not_found,
);

async fn a_customer_lives_and_goes(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let whole = json!({ "name": " Riverside ", "email": "Office@Riverside.example.org",
        "phone": "+31 20 555 0123", "address": "Quay 1\nAmsterdam", "timezone": "Europe/Amsterdam" });
    let answer = acme.post(CUSTOMERS, whole).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("Riverside"));
    let created = answer.ok();
    let expected = json!({ "id": created["id"], "name": "Riverside",
        "email": "Office@Riverside.example.org", "phone": "+31 20 555 0123",
        "address": "Quay 1\nAmsterdam", "timezone": "Europe/Amsterdam",
        "device_count": 0, "end_user_count": 0, "created_at": "2026-03-29T12:00:00+00:00" });
    assert_eq!(created, expected);
    let path = path(&id(&created));
    assert_eq!(acme.get(&path).await.ok(), created);

    let change = json!({ "name": "Lakeside", "phone": null, "more": 1 });
    let changed = acme.put(&path, change).await.ok();
    let mut expected = created.clone();
    expected["name"] = json!("Lakeside");
    expected["phone"] = json!(null);
    assert_eq!(changed, expected);
    assert_eq!(acme.get(&path).await.ok(), expected);
    let emptied = json!({ "email": null, "address": null, "timezone": null });
    acme.put(&path, emptied).await.ok();
    let bare = acme.get(&path).await.ok();
    for field in ["email", "phone", "address", "timezone"] {
        assert_eq!(bare[field], json!(null), "{field}");
    }
    assert_eq!(bare["name"], "Lakeside");

    let deleted = acme.delete(&path).await;
    assert!(deleted.json()["message"].is_string());
    assert_eq!(deleted.ok(), json!({ "id": created["id"] }));
    acme.get(&path).await.refused(404, "CUSTOMER_NOT_FOUND");
    acme.delete(&path).await.refused(404, "CUSTOMER_NOT_FOUND");
    acme.put(&path, json!({ "name": "x" })).await.refused(404, "CUSTOMER_NOT_FOUND");
}

async fn the_list_is_by_name_and_counts_what_belongs(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    for name in ["b 10%", "C", "a", "B 10_", "ä"] {
        customer(&acme, name).await;
    }
    customer(&globex, "a of another").await;
    let listed = acme.get(CUSTOMERS).await;
    assert_eq!(listed.header("x-total-count"), "5");
    let names = each(&listed.ok(), "name");
    assert_eq!(names[..4], ["a", "b 10%", "B 10_", "C"]);
    let found = |query: &'static str| {
        let acme = acme.clone();
        async move { each(&acme.get(&format!("{CUSTOMERS}?search={query}")).await.ok(), "name") }
    };
    assert_eq!(found("10%25").await, ["b 10%"]);
    assert_eq!(found("10_").await, ["B 10_"]);
    assert_eq!(found("%C3%84").await, ["ä"]);
    assert_eq!(found("of+another").await, [""; 0]);
    let page = acme.get(&format!("{CUSTOMERS}?limit=2&offset=1&search=b")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(texts(&page.ok(), "name"), ["B 10_"]);
    assert_eq!(page.header("link"), "</api/v1/customers?search=b&limit=2&offset=0>; rel=\"prev\"");

    let north = customer(&acme, "North").await;
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    let (by_user, by_itself) = (acme.register(EUI).await, acme.register("70b3d57ed02a3601").await);
    assign(&acme, &by_user, Some(&ada)).await;
    give(&acme, &by_itself, &north).await;
    let counts = |shown: &Value| (shown["device_count"].clone(), shown["end_user_count"].clone());
    let shown = acme.get(&format!("{CUSTOMERS}?search=north")).await.ok()[0].clone();
    assert_eq!(counts(&shown), (json!(2), json!(1)));
    assert_eq!(
        acme.put(&format!("{CUSTOMERS}/{north}"), json!({ "name": "N" })).await.ok()["device_count"],
        2
    );
    delete(&acme, &by_user).await.ok();
    let shown = acme.get(&format!("{CUSTOMERS}/{north}")).await.ok();
    assert_eq!(counts(&shown), (json!(1), json!(1)));
}

async fn what_is_referred_to_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    let device = acme.register(EUI).await;
    assign(&acme, &device, Some(&ada)).await;
    let refused = acme.delete(&path(&north)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"], json!({ "device_count": 0, "end_user_count": 1 }));
    assign(&acme, &device, None).await;
    delete(&acme, &device).await.ok();
    let refused = acme.delete(&path(&north)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"], json!({ "device_count": 1, "end_user_count": 1 }));
    acme.delete(&format!("/api/v1/end-users/{ada}")).await.ok();
    let refused = acme.delete(&path(&north)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"], json!({ "device_count": 1, "end_user_count": 0 }));
    assert_eq!(acme.get(&path(&north)).await.ok()["name"], "North");
}

async fn values_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = path(&customer(&acme, "North").await);
    let schema = "SCHEMA_VALIDATION_ERROR";
    let with = |field: &str, value: Value| {
        let mut body = json!({ "name": "South" });
        body[field] = value;
        body
    };
    for (field, value) in [
        ("name", json!(null)),
        ("name", json!(7)),
        ("name", json!("a".repeat(256))),
        ("name", json!("a\u{7}b")),
        ("email", json!("nobody")),
        ("email", json!("")),
        ("email", json!("a@b@c")),
        ("email", json!("a b@c")),
        ("email", json!(format!("{}@b", "a".repeat(253)))),
        ("email", json!(["a@b"])),
        ("phone", json!("1".repeat(65))),
        ("phone", json!(5_550_123)),
        ("phone", json!("\u{0}")),
        ("address", json!("a".repeat(501))),
        ("address", json!({})),
        ("timezone", json!(1)),
    ] {
        let loc = [format!("body.{field}")];
        let body = with(field, value);
        assert_eq!(acme.post(CUSTOMERS, body.clone()).await.fields(), loc, "{body}");
        assert_eq!(acme.put(&north, body.clone()).await.fields(), loc, "{body}");
    }
    for zone in ["Mars/Olympus", "", "+02:00", "a\u{0}"] {
        let body = with("timezone", json!(zone));
        let refused = acme.post(CUSTOMERS, body.clone()).await.refused(400, "VALIDATION_ERROR");
        assert_eq!(refused["details"]["errors"][0]["loc"], json!(["body", "timezone"]));
        acme.put(&north, body).await.refused(400, "VALIDATION_ERROR");
    }
    let both = json!({ "name": 7, "timezone": "Mars/Olympus" });
    assert_eq!(acme.post(CUSTOMERS, both).await.fields(), ["body.name"]);
    assert_eq!(acme.post(CUSTOMERS, json!({})).await.fields(), ["body.name"]);
    acme.post(CUSTOMERS, json!({ "name": " " })).await.refused(422, schema);
    acme.put(&north, json!({ "name": " " })).await.refused(400, "VALIDATION_ERROR");
    acme.put(&north, json!({})).await.refused(400, "VALIDATION_ERROR");
    acme.put(&north, json!({ "id": NOBODY })).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(acme.put(&path("x"), json!({})).await.fields(), ["path.id"]);
    assert_eq!(acme.get(&path("x")).await.fields(), ["path.id"]);
    assert_eq!(acme.get(&format!("{CUSTOMERS}?limit=0")).await.fields(), ["query.limit"]);
    let shown = acme.get(CUSTOMERS).await.ok();
    assert_eq!(texts(&shown, "name"), ["North"], "nothing was created or changed");
    assert_eq!(keys(&shown[0]).len(), 9);
}

async fn anothers_customers_are_not_found(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let north = path(&customer(&acme, "North").await);
    globex.get(&north).await.refused(404, "CUSTOMER_NOT_FOUND");
    globex.put(&north, json!({ "name": "x" })).await.refused(404, "CUSTOMER_NOT_FOUND");
    globex.delete(&north).await.refused(404, "CUSTOMER_NOT_FOUND");
    assert_eq!(globex.get(CUSTOMERS).await.ok(), json!([]));
    assert_eq!(acme.get(&north).await.ok()["name"], "North");
    let stranger = app.stranger();
    stranger.get(CUSTOMERS).await.refused(401, "INVALID_API_KEY");
    stranger.get(&north).await.refused(401, "INVALID_API_KEY");
    stranger.post(CUSTOMERS, json!({ "name": "x" })).await.refused(401, "INVALID_API_KEY");
    stranger.put(&north, json!({})).await.refused(401, "INVALID_API_KEY");
    stranger.delete(&north).await.refused(401, "INVALID_API_KEY");
    let bearer = stranger.with_header("authorization", "Bearer token");
    bearer.get(CUSTOMERS).await.refused(401, "INVALID_TOKEN");
}
