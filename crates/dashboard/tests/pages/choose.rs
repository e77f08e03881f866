//! Members of several resellers.

use weir_domain::member::Role;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

on_both_stores!(a_member_of_several_chooses, a_form_is_carried_out_where_it_was_filled_in);

async fn a_member_of_several_chooses(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let other = app.reseller("Initech").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    app.member(&globex, "ada@example.org", Role::Viewer).await;
    assert_eq!(ada.get("/").await.sent_on(), "/choose");
    let page = ada.page("/choose").await;
    assert!(page.contains("Acme") && page.contains("Globex") && !page.contains("Initech"));
    let foreign = other.reseller().id.to_string();
    assert_eq!(ada.submit("/choose", &[("reseller", &foreign)]).await.status, 404);
    let own = globex.reseller().id.to_string();
    let chosen = ada.submit("/choose", &[("reseller", &own)]).await;
    assert_eq!(chosen.sent_on(), "/");
    let with = |id: &str| ada.clone().with_header("cookie", format!("weir_reseller={id}"));
    let page = with(chosen.cookie("weir_reseller")).page("/").await;
    assert!(page.contains("Globex") && page.contains("View only") && page.contains("/choose"));
    assert_eq!(with(&foreign).get("/").await.sent_on(), "/choose", "a made-up choice");
}

/// Whoever chose another reseller in another window must not change that one by a form that is still open.
async fn a_form_is_carried_out_where_it_was_filled_in(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    app.member(&globex, "ada@example.org", Role::Admin).await;
    let at = |id: String| ada.clone().with_header("cookie", format!("weir_reseller={id}"));
    let at_acme = at(acme.reseller().id.to_string());
    let at_globex = at(globex.reseller().id.to_string());
    let page = at_acme.page("/customers/new").await;
    let token = page.split_once("name=\"token\" value=\"").unwrap().1.split('"').next().unwrap();
    let fields = [("name", "Riverside")];
    let sent =
        at_globex.clone().with_token(token.to_owned()).submit("/customers/new", &fields).await;
    assert_eq!(sent.status, 403);
    let customers = "/api/v1/customers";
    assert_eq!(globex.get(customers).await.ok(), serde_json::json!([]));
    let sent = at_acme.with_token(token.to_owned()).submit("/customers/new", &fields).await;
    sent.sent_on();
    assert_eq!(acme.get(customers).await.ok()[0]["name"], "Riverside");
}
