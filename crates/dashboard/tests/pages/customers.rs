//! Customers.

use serde_json::{Value, json};
use weir_domain::member::Role;
use weir_testkit::app::{Actor, TestApp};
use weir_testkit::on_both_stores;

on_both_stores!(
    an_empty_list_says_what_to_do,
    a_customer_is_created_changed_and_deleted,
    what_makes_no_sense_is_told_beside_its_field,
    what_is_still_referred_to_stays,
    names_are_shown_as_text,
    long_lists_have_pages,
    anothers_customer_is_not_there,
    a_viewer_looks_and_changes_nothing,
);

const EDGE: &str = "<script>alert(1)</script>";

/// The customers, as the API shows them.
async fn customers(acme: &Actor) -> Vec<Value> {
    acme.get("/api/v1/customers?limit=1000").await.ok().as_array().unwrap().clone()
}

async fn create(acme: &Actor, name: &str) -> String {
    let created = acme.post("/api/v1/customers", json!({ "name": name })).await.ok();
    created["id"].as_str().unwrap().to_owned()
}

async fn an_empty_list_says_what_to_do(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let page = ada.page("/customers").await;
    assert!(page.contains("There are no customers yet") && page.contains("/customers/new"));
    assert!(page.contains(r#"<a href="/customers" aria-current="page">"#));
}

async fn a_customer_is_created_changed_and_deleted(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    assert!(ada.page("/customers/new").await.contains(r#"name="timezone""#));
    let fields = [("name", "Quay"), ("phone", "+31 20"), ("timezone", "europe/amsterdam")];
    let sent = ada.submit("/customers/new", &fields).await;
    assert_eq!(sent.sent_on(), "/customers");
    assert!(!sent.cookie("weir_flash").is_empty());
    let kept = &customers(&acme).await[0];
    assert_eq!((&kept["name"], &kept["timezone"]), (&json!("Quay"), &json!("Europe/Amsterdam")));
    assert_eq!((&kept["phone"], &kept["email"]), (&json!("+31 20"), &Value::Null));

    let path = format!("/customers/{}", kept["id"].as_str().unwrap());
    assert!(ada.page(&path).await.contains(r#"value="Europe/Amsterdam""#));
    let fields = [("name", "Quay 2"), ("address", "Quay 2\r\n1000 AA"), ("timezone", "")];
    assert_eq!(ada.submit(&path, &fields).await.sent_on(), "/customers");
    let kept = &customers(&acme).await[0];
    assert_eq!((&kept["name"], &kept["phone"]), (&json!("Quay 2"), &Value::Null));
    assert_eq!((&kept["address"], &kept["timezone"]), (&json!("Quay 2\r\n1000 AA"), &Value::Null));

    assert_eq!(ada.submit(&format!("{path}/delete"), &[]).await.sent_on(), "/customers");
    assert!(customers(&acme).await.is_empty());
    assert_eq!(ada.get(&path).await.status, 404);
}

async fn what_makes_no_sense_is_told_beside_its_field(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let fields = [("name", " "), ("email", "ada"), ("timezone", "Mars"), ("phone", "12")];
    let path = format!("/customers/{}", create(&acme, "Quay").await);
    for path in ["/customers/new", &path] {
        let answer = ada.submit(path, &fields).await;
        assert_eq!(answer.status, 422);
        let page = answer.text();
        for field in ["name", "email", "timezone"] {
            assert!(page.contains(&format!(r#"id="{field}-complaint""#)), "{field}: {page}");
        }
        assert!(!page.contains("phone-complaint"));
        assert!(page.contains(r#"value="Mars""#) && page.contains(r#"value="12""#), "kept: {page}");
    }
    assert_eq!(customers(&acme).await.len(), 1);
}

async fn what_is_still_referred_to_stays(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let quay = create(&acme, "Quay").await;
    let tenant = json!({ "name": "Ida", "customer_id": quay });
    acme.post("/api/v1/end-users", tenant).await.ok();
    let refused = ada.submit(&format!("/customers/{quay}/delete"), &[]).await;
    assert_eq!(refused.sent_on(), format!("/customers/{quay}"));
    let cookie = format!("weir_flash={}", refused.cookie("weir_flash"));
    let told = ada.with_header("cookie", cookie).page(&format!("/customers/{quay}")).await;
    assert!(told.contains("1 end user(s) still refer to it"), "{told}");
}

async fn names_are_shown_as_text(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let id = create(&acme, EDGE).await;
    for path in ["/customers", &format!("/customers/{id}"), "/customers?search=%3Cscript%3E"] {
        let page = ada.page(path).await;
        assert!(page.contains("&#60;script&#62;") && !page.contains("<script>"), "{path}: {page}");
    }
}

async fn long_lists_have_pages(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    for number in 0..51 {
        create(&acme, &format!("Block {number:02}")).await;
    }
    let first = ada.page("/customers").await;
    assert!(first.contains("1–50 of 51") && first.contains("/customers?offset=50"));
    assert!(first.contains("Block 49") && !first.contains("Block 50"));
    let last = ada.page("/customers?offset=50").await;
    assert!(last.contains("51–51 of 51") && last.contains("Block 50"));
    let found = ada.page("/customers?search=block+07").await;
    assert!(found.contains("Block 07") && found.contains("1–1 of 1"));
    assert!(ada.page("/customers?search=nobody").await.contains("Nothing fits that search."));
}

async fn anothers_customer_is_not_there(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let theirs = create(&globex, "Theirs").await;
    let path = format!("/customers/{theirs}");
    assert_eq!(ada.get(&path).await.status, 404);
    assert_eq!(ada.submit(&path, &[("name", "Mine")]).await.status, 404);
    assert_eq!(ada.submit(&format!("{path}/delete"), &[]).await.status, 404);
    assert_eq!(ada.get("/customers/7").await.status, 404);
    assert!(!ada.page("/customers").await.contains("Theirs"));
    assert_eq!(customers(&globex).await[0]["name"], "Theirs");
}

async fn a_viewer_looks_and_changes_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let vera = app.visitor(&acme, "vera@example.org", Role::Viewer).await;
    let path = format!("/customers/{}", create(&acme, "Quay").await);
    assert!(!vera.page("/customers").await.contains("/customers/new"));
    let page = vera.page(&path).await;
    assert!(page.contains("Quay") && !page.contains(&format!(r#"action="{path}"#)));
    assert_eq!(vera.get("/customers/new").await.status, 403);
    for path in ["/customers/new", &path, &format!("{path}/delete")] {
        assert_eq!(vera.submit(path, &[("name", "Mine")]).await.status, 403, "{path}");
    }
    assert_eq!(customers(&acme).await[0]["name"], "Quay");
}
