//! End users.

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp};
use weir_testkit::on_both_stores;

on_both_stores!(
    an_end_user_is_created_changed_and_deleted,
    the_list_is_narrowed_down_by_customer,
    what_makes_no_sense_is_told_beside_its_field,
    anothers_are_not_there,
    a_viewer_looks_and_changes_nothing,
);

async fn end_users(acme: &Actor) -> Vec<Value> {
    acme.get("/api/v1/end-users").await.ok().as_array().unwrap().clone()
}

async fn create(acme: &Actor, path: &str, body: Value) -> String {
    acme.post(path, body).await.ok()["id"].as_str().unwrap().to_owned()
}

async fn customer(acme: &Actor, name: &str) -> String {
    create(acme, "/api/v1/customers", json!({ "name": name })).await
}

async fn an_end_user_is_created_changed_and_deleted(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    assert!(ada.page("/end-users").await.contains("There are no end users yet"));
    let quay = customer(&acme, "Quay <b>").await;
    let blank = ada.page(&format!("/end-users/new?customer={quay}")).await;
    assert!(blank.contains(&format!(r#"<option value="{quay}" selected>Quay &#60;b&#62;"#)));
    let fields = [("name", "Ida <i>"), ("email", "ida@example.org"), ("customer", &quay)];
    assert_eq!(ada.submit("/end-users/new", &fields).await.sent_on(), "/end-users");
    let kept = &end_users(&acme).await[0];
    assert_eq!((&kept["name"], &kept["customer_id"]), (&json!("Ida <i>"), &json!(quay)));
    let list = ada.page("/end-users").await;
    assert!(list.contains("Ida &#60;i&#62;") && list.contains("<td>Quay &#60;b&#62;</td>"));

    let path = format!("/end-users/{}", kept["id"].as_str().unwrap());
    assert!(ada.page(&path).await.contains(r#"value="ida@example.org""#));
    let fields = [("name", "Ida"), ("email", ""), ("customer", "")];
    assert_eq!(ada.submit(&path, &fields).await.sent_on(), "/end-users");
    let kept = &end_users(&acme).await[0];
    assert_eq!((&kept["email"], &kept["customer_id"]), (&Value::Null, &Value::Null));
    assert_eq!(ada.submit(&format!("{path}/delete"), &[]).await.sent_on(), "/end-users");
    assert!(end_users(&acme).await.is_empty());
}

async fn the_list_is_narrowed_down_by_customer(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let quay = customer(&acme, "Quay").await;
    create(&acme, "/api/v1/end-users", json!({ "name": "Inside", "customer_id": quay })).await;
    create(&acme, "/api/v1/end-users", json!({ "name": "Outside" })).await;
    let shown = async |query: &str| {
        let page = ada.page(&format!("/end-users?{query}")).await;
        (page.contains("Inside"), page.contains("Outside"))
    };
    assert_eq!(shown("").await, (true, true));
    assert_eq!(shown(&format!("customer={quay}")).await, (true, false));
    assert_eq!(shown("customer=none").await, (false, true));
    assert_eq!(shown("search=ins").await, (true, false));
    assert!(ada.page("/end-users?search=x").await.contains("Nothing fits that search."));
}

async fn what_makes_no_sense_is_told_beside_its_field(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let answer = ada.submit("/end-users/new", &[("name", ""), ("email", "x")]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("name-complaint") && answer.text().contains("email-complaint"));
    let theirs = customer(&globex, "Theirs").await;
    let ida = create(&acme, "/api/v1/end-users", json!({ "name": "Ida" })).await;
    for path in ["/end-users/new", &format!("/end-users/{ida}")] {
        let answer = ada.submit(path, &[("name", "Ida"), ("customer", &theirs)]).await;
        assert_eq!(answer.status, 422);
        assert!(answer.text().contains("No such customer.") && !answer.text().contains("Theirs"));
    }
    assert_eq!(end_users(&acme).await.len(), 1);
}

async fn anothers_are_not_there(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let theirs = create(&globex, "/api/v1/end-users", json!({ "name": "Theirs" })).await;
    let path = format!("/end-users/{theirs}");
    assert_eq!(ada.get(&path).await.status, 404);
    assert_eq!(ada.submit(&path, &[("name", "Mine")]).await.status, 404);
    assert_eq!(ada.submit(&format!("{path}/delete"), &[]).await.status, 404);
    assert_eq!(end_users(&globex).await[0]["name"], "Theirs");
}

async fn a_viewer_looks_and_changes_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let vera = app.visitor(&acme, "vera@example.org", Role::Viewer).await;
    let ida = create(&acme, "/api/v1/end-users", json!({ "name": "Ida" })).await;
    let path = format!("/end-users/{ida}");
    let page = vera.page(&path).await;
    assert!(page.contains("Ida") && !page.contains(&format!(r#"action="{path}"#)));
    assert!(!vera.page("/end-users").await.contains("/end-users/new"));
    for path in ["/end-users/new", &path, &format!("{path}/delete")] {
        assert_eq!(vera.submit(path, &[("name", "Mine")]).await.status, 403, "{path}");
    }
    assert_eq!(end_users(&acme).await[0]["name"], "Ida");
}
