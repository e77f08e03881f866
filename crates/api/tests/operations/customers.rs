//! Customers.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::support::{EUI, NOBODY, assign, customer, delete, each, end_user, id, keys, put};

const PATH: &str = "/api/v1/customers";

fn path(id: &str) -> String {
    format!("{PATH}/{id}")
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
    let answer = acme.post(PATH, whole).await;
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
    let changed = put(&acme, &path, change).await.ok();
    let mut expected = created.clone();
    expected["name"] = json!("Lakeside");
    expected["phone"] = json!(null);
    assert_eq!(changed, expected);
    assert_eq!(acme.get(&path).await.ok(), expected);
    let emptied = json!({ "email": null, "address": null, "timezone": null });
    put(&acme, &path, emptied).await.ok();
    let bare = acme.get(&path).await.ok();
    for field in ["email", "phone", "address", "timezone"] {
        assert_eq!(bare[field], json!(null), "{field}");
    }
    assert_eq!(bare["name"], "Lakeside");

    let deleted = delete(&acme, &path).await;
    assert!(deleted.json()["message"].is_string());
    assert_eq!(deleted.ok(), json!({ "id": created["id"] }));
    acme.get(&path).await.refused(404, "CUSTOMER_NOT_FOUND");
    delete(&acme, &path).await.refused(404, "CUSTOMER_NOT_FOUND");
    put(&acme, &path, json!({ "name": "x" })).await.refused(404, "CUSTOMER_NOT_FOUND");
}

async fn the_list_is_by_name_and_counts_what_belongs(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    for name in ["b 10%", "C", "a", "B 10_", "ä"] {
        customer(&acme, name).await;
    }
    customer(&globex, "a of another").await;
    let listed = acme.get(PATH).await;
    assert_eq!(listed.header("x-total-count"), "5");
    let names = each(&listed.ok(), "name");
    assert_eq!(names[..4], ["a", "b 10%", "B 10_", "C"]);
    let found = |query: &'static str| {
        let acme = acme.clone();
        async move { each(&acme.get(&format!("{PATH}?search={query}")).await.ok(), "name") }
    };
    assert_eq!(found("10%25").await, ["b 10%"]);
    assert_eq!(found("10_").await, ["B 10_"]);
    assert_eq!(found("%C3%84").await, ["ä"]);
    assert_eq!(found("of+another").await, [""; 0]);
    let page = acme.get(&format!("{PATH}?limit=2&offset=1&search=b")).await;
    assert_eq!(page.header("x-total-count"), "2");
    assert_eq!(each(&page.ok(), "name"), ["B 10_"]);
    assert_eq!(page.header("link"), "</api/v1/customers?search=b&limit=2&offset=0>; rel=\"prev\"");

    let north = customer(&acme, "North").await;
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    let (by_user, by_itself) = (acme.register(EUI).await, acme.register("70b3d57ed02a3601").await);
    assign(&acme, &by_user, Some(&ada)).await;
    let path = format!("/api/v1/devices/{by_itself}/assign-customer");
    put(&acme, &path, json!({ "customer_id": north })).await.ok();
    let counts = |shown: &Value| (shown["device_count"].clone(), shown["end_user_count"].clone());
    let shown = acme.get(&format!("{PATH}?search=north")).await.ok()[0].clone();
    assert_eq!(counts(&shown), (json!(2), json!(1)));
    assert_eq!(
        put(&acme, &format!("{PATH}/{north}"), json!({ "name": "N" })).await.ok()["device_count"],
        2
    );
    delete(&acme, &format!("/api/v1/devices/{by_user}")).await.ok();
    let shown = acme.get(&format!("{PATH}/{north}")).await.ok();
    assert_eq!(counts(&shown), (json!(1), json!(1)));
}

async fn what_is_referred_to_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    let device = acme.register(EUI).await;
    assign(&acme, &device, Some(&ada)).await;
    let refused = delete(&acme, &path(&north)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"], json!({ "device_count": 0, "end_user_count": 1 }));
    assign(&acme, &device, None).await;
    delete(&acme, &format!("/api/v1/devices/{device}")).await.ok();
    let refused = delete(&acme, &path(&north)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"], json!({ "device_count": 1, "end_user_count": 1 }));
    delete(&acme, &format!("/api/v1/end-users/{ada}")).await.ok();
    let refused = delete(&acme, &path(&north)).await.refused(400, "VALIDATION_ERROR");
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
        assert_eq!(acme.post(PATH, body.clone()).await.fields(), loc, "{body}");
        assert_eq!(put(&acme, &north, body.clone()).await.fields(), loc, "{body}");
    }
    for zone in ["Mars/Olympus", "", "+02:00", "a\u{0}"] {
        let body = with("timezone", json!(zone));
        let refused = acme.post(PATH, body.clone()).await.refused(400, "VALIDATION_ERROR");
        assert_eq!(refused["details"]["errors"][0]["loc"], json!(["body", "timezone"]));
        put(&acme, &north, body).await.refused(400, "VALIDATION_ERROR");
    }
    let both = json!({ "name": 7, "timezone": "Mars/Olympus" });
    assert_eq!(acme.post(PATH, both).await.fields(), ["body.name"]);
    assert_eq!(acme.post(PATH, json!({})).await.fields(), ["body.name"]);
    acme.post(PATH, json!({ "name": " " })).await.refused(422, schema);
    put(&acme, &north, json!({ "name": " " })).await.refused(400, "VALIDATION_ERROR");
    put(&acme, &north, json!({})).await.refused(400, "VALIDATION_ERROR");
    put(&acme, &north, json!({ "id": NOBODY })).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(put(&acme, &path("x"), json!({})).await.fields(), ["path.id"]);
    assert_eq!(acme.get(&path("x")).await.fields(), ["path.id"]);
    assert_eq!(acme.get("/api/v1/customers?limit=0").await.fields(), ["query.limit"]);
    let shown = acme.get(PATH).await.ok();
    assert_eq!(each(&shown, "name"), ["North"], "nothing was created or changed");
    assert_eq!(keys(&shown[0]).len(), 9);
}

async fn anothers_customers_are_not_found(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let north = path(&customer(&acme, "North").await);
    globex.get(&north).await.refused(404, "CUSTOMER_NOT_FOUND");
    put(&globex, &north, json!({ "name": "x" })).await.refused(404, "CUSTOMER_NOT_FOUND");
    delete(&globex, &north).await.refused(404, "CUSTOMER_NOT_FOUND");
    assert_eq!(globex.get(PATH).await.ok(), json!([]));
    assert_eq!(acme.get(&north).await.ok()["name"], "North");
    let stranger = app.stranger();
    stranger.get(PATH).await.refused(401, "INVALID_API_KEY");
    stranger.get(&north).await.refused(401, "INVALID_API_KEY");
    stranger.post(PATH, json!({ "name": "x" })).await.refused(401, "INVALID_API_KEY");
    put(&stranger, &north, json!({})).await.refused(401, "INVALID_API_KEY");
    delete(&stranger, &north).await.refused(401, "INVALID_API_KEY");
    let bearer = stranger.with_header("authorization", "Bearer token");
    bearer.get(PATH).await.refused(401, "INVALID_TOKEN");
}
