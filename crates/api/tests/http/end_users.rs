//! End users.

use serde_json::{Value, json};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

fn path(id: &str) -> String {
    format!("{END_USERS}/{id}")
}

on_both_stores!(
    an_end_user_lives_and_goes,
    devices_follow_their_end_user,
    the_list_is_by_name_and_filtered,
    whom_devices_are_assigned_to_stays,
    values_that_do_not_fit_are_refused,
    anothers_end_users_and_customers_are_not_found,
);

async fn an_end_user_lives_and_goes(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let north = customer(&acme, "North").await;
    let body = json!({ "name": "Ada", "email": "ada@example.org", "customer_id": north });
    let answer = acme.post(END_USERS, body).await;
    assert!(answer.json()["message"].as_str().unwrap().contains("Ada"));
    let created = answer.ok();
    let expected = json!({ "id": created["id"], "name": "Ada", "email": "ada@example.org",
        "customer_id": north, "device_count": 0, "created_at": "2026-03-29T12:00:00+00:00" });
    assert_eq!(created, expected);
    let path = path(&id(&created));
    assert_eq!(acme.get(&path).await.ok(), created);
    let bare = acme.post(END_USERS, json!({ "name": "Ada" })).await.ok();
    assert_eq!((&bare["email"], &bare["customer_id"]), (&json!(null), &json!(null)));

    let changed = acme.put(&path, json!({ "name": "Ada L.", "email": null })).await.ok();
    assert_eq!((&changed["name"], &changed["email"]), (&json!("Ada L."), &json!(null)));
    assert_eq!(changed["customer_id"], json!(north));
    let changed = acme.put(&path, json!({ "customer_id": null })).await.ok();
    assert_eq!((&changed["name"], &changed["customer_id"]), (&json!("Ada L."), &json!(null)));
    assert_eq!(acme.get(&path).await.ok(), changed);

    assert_eq!(acme.delete(&path).await.ok(), json!({ "id": created["id"] }));
    acme.get(&path).await.refused(404, "USER_NOT_FOUND");
    acme.delete(&path).await.refused(404, "USER_NOT_FOUND");
    acme.put(&path, json!({ "name": "x" })).await.refused(404, "USER_NOT_FOUND");
}

async fn devices_follow_their_end_user(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let (north, south) = (customer(&acme, "North").await, customer(&acme, "South").await);
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    acme.register(EUI).await;
    assign(&acme, EUI, Some(&ada)).await;
    acme.put(&path(&ada), json!({ "customer_id": south })).await.ok();
    assert_eq!(look(&acme, EUI).await["customer_id"], json!(south));
    assert_eq!(acme.get(&path(&ada)).await.ok()["device_count"], 1);
    let counts = acme.get(CUSTOMERS).await.ok();
    assert_eq!((&counts[0]["device_count"], &counts[1]["device_count"]), (&json!(0), &json!(1)));
}

async fn the_list_is_by_name_and_filtered(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let north = customer(&acme, "North").await;
    end_user(&acme, "cyd", None).await;
    end_user(&acme, "Bob", Some(&north)).await;
    end_user(&acme, "ada", Some(&north)).await;
    end_user(&globex, "Eve", None).await;
    let found =
        async |query: &str| each(&acme.get(&format!("{END_USERS}?{query}")).await.ok(), "name");
    assert_eq!(found("").await, ["ada", "Bob", "cyd"]);
    assert_eq!(found(&format!("customer={north}")).await, ["ada", "Bob"]);
    assert_eq!(found("customer=unassociated").await, ["cyd"]);
    assert_eq!(found(&format!("customer={NOBODY}")).await, [""; 0]);
    assert_eq!(found("search=BOB@").await, ["Bob"]);
    assert_eq!(found("search=d&customer=unassociated").await, ["cyd"]);
    assert_eq!(found("search=%25").await, [""; 0]);
    let page = acme.get(&format!("{END_USERS}?limit=1&offset=1")).await;
    assert_eq!((page.header("x-total-count"), texts(&page.ok(), "name")), ("3", vec!["Bob"]));
    assert!(page.header("link").contains("offset=2>; rel=\"next\""));
    acme.get(&format!("{END_USERS}?customer=north")).await.refused(400, "VALIDATION_ERROR");
    let odd = acme.get(&format!("{END_USERS}?customer=north&limit=0")).await;
    assert_eq!(odd.fields(), ["query.limit"]);
}

async fn whom_devices_are_assigned_to_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = end_user(&acme, "Ada", None).await;
    let id = acme.register(EUI).await;
    assign(&acme, &id, Some(&ada)).await;
    let refused = acme.delete(&path(&ada)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"]["device_count"], 1);
    delete(&acme, &id).await.ok();
    let refused = acme.delete(&path(&ada)).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(refused["details"]["device_count"], 1, "a soft-deleted device counts");
}

async fn values_that_do_not_fit_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = path(&end_user(&acme, "Ada", None).await);
    let with = |field: &str, value: Value| {
        let mut body = json!({ "name": "Bob" });
        body[field] = value;
        body
    };
    for (field, value) in [
        ("name", json!(null)),
        ("name", json!("a".repeat(256))),
        ("email", json!("nobody")),
        ("email", json!("a@\u{0}")),
        ("email", json!(7)),
        ("customer_id", json!("north")),
        ("customer_id", json!(7)),
    ] {
        let loc = [format!("body.{field}")];
        let body = with(field, value);
        assert_eq!(acme.post(END_USERS, body.clone()).await.fields(), loc, "{body}");
        assert_eq!(acme.put(&ada, body.clone()).await.fields(), loc, "{body}");
    }
    let all = json!({ "email": "x", "customer_id": "x" });
    assert_eq!(
        acme.post(END_USERS, all).await.fields(),
        ["body.name", "body.email", "body.customer_id"]
    );
    acme.post(END_USERS, json!({ "name": "" })).await.refused(422, "SCHEMA_VALIDATION_ERROR");
    acme.put(&ada, json!({ "name": "" })).await.refused(400, "VALIDATION_ERROR");
    acme.put(&ada, json!({ "device_count": 3 })).await.refused(400, "VALIDATION_ERROR");
    assert_eq!(acme.get(&path("x")).await.fields(), ["path.id"]);
}

async fn anothers_end_users_and_customers_are_not_found(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let foreign = customer(&globex, "East").await;
    let ada = path(&end_user(&acme, "Ada", None).await);
    for customer in [NOBODY, &foreign] {
        let body = json!({ "name": "Bob", "customer_id": customer });
        acme.post(END_USERS, body.clone()).await.refused(404, "CUSTOMER_NOT_FOUND");
        acme.put(&ada, body).await.refused(404, "CUSTOMER_NOT_FOUND");
    }
    assert_eq!(acme.get(&ada).await.ok()["name"], "Ada", "nothing was changed");
    globex.get(&ada).await.refused(404, "USER_NOT_FOUND");
    globex.put(&ada, json!({ "name": "x" })).await.refused(404, "USER_NOT_FOUND");
    globex.delete(&ada).await.refused(404, "USER_NOT_FOUND");
    assert_eq!(globex.get(END_USERS).await.ok(), json!([]));
    let stranger = app.stranger();
    stranger.get(END_USERS).await.refused(401, "INVALID_API_KEY");
    stranger.get(&ada).await.refused(401, "INVALID_API_KEY");
    stranger.post(END_USERS, json!({})).await.refused(401, "INVALID_API_KEY");
    stranger.put(&ada, json!({})).await.refused(401, "INVALID_API_KEY");
    stranger.delete(&ada).await.refused(401, "INVALID_API_KEY");
}
