//! What is done with many devices at once.

use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::meters::*;

on_both_stores!(
    everything_is_asked_once_more,
    each_device_stands_for_itself,
    giving_is_done_for_all_or_none,
    meters_are_hung_below_another,
    forms_without_a_token_change_nothing,
);

const BULK: &str = "/devices/bulk";

async fn everything_is_asked_once_more(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, HOSTILE).await;
    for (action, question) in [
        ("assign", "Assign to an end user?"),
        ("customer", "Give to a customer?"),
        ("parent", "Hang below a meter?"),
        ("maintenance", "Take into maintenance?"),
        ("auto", "Back to automatic status?"),
        ("delete", "Delete?"),
    ] {
        let answer = ada.submit(BULK, &[("ids", &id), ("action", action)]).await;
        assert_eq!(answer.status, 200);
        shows(&answer.text(), &[question, "1 meter is selected", ESCAPED, &id]);
    }
    assert_eq!(look(&acme, &id).await["status"], "offline");
    assert_eq!(ada.submit(BULK, &[("action", "delete")]).await.sent_on(), "/devices");
    assert_eq!(ada.submit(BULK, &[("ids", &id), ("action", "paint")]).await.status, 404);
    // It has to be said for whom.
    let vague = ada.submit(BULK, &[("ids", &id), ("action", "assign"), ("step", "do")]).await;
    assert_eq!(vague.status, 422);
    shows(&vague.text(), &["Choose one of these."]);
}

async fn each_device_stands_for_itself(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let (a, b) = (meter(&acme, 1, "Left").await, meter(&acme, 2, "Right").await);
    let foreign = meter(&globex, 3, "Not yours").await;
    let (bob, _) = (end_user(&acme, "Bob").await, end_user(&acme, "Carol").await);

    let search = [("ids", &*a), ("action", "assign"), ("search", "bo"), ("step", "search")];
    let found = ada.submit(BULK, &search).await.text();
    shows(&found, &["Bob", "Nobody (unassign)"]);
    hides(&found, &["Carol"]);

    let all = [("ids", a.as_str()), ("ids", &b), ("ids", &foreign), ("ids", &a), ("step", "do")];
    let assign: Vec<_> = all.into_iter().chain([("action", "assign"), ("to", &bob)]).collect();
    let done = ada.submit(BULK, &assign).await.text();
    shows(&done, &["2 meters assigned, 1 failed.", "Left", "Right", &foreign, "No such device."]);
    hides(&done, &["Not yours"]);
    assert_eq!(look(&acme, &a).await["end_user_id"], bob.as_str());

    let delete: Vec<_> = all.into_iter().chain([("action", "delete")]).collect();
    shows(&ada.submit(BULK, &delete).await.text(), &["2 meters deleted, 1 failed."]);
    shows(&ada.page("/devices").await, &["There are no meters yet."]);
    assert_eq!(look(&globex, &foreign).await["is_active"], true);
}

async fn giving_is_done_for_all_or_none(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let (a, b) = (meter(&acme, 1, "Left").await, meter(&acme, 2, "Right").await);
    let foreign = meter(&globex, 3, "Not yours").await;
    let river = customer(&acme, "Riverside").await;
    let give = [("action", "customer"), ("to", river.as_str()), ("step", "do"), ("ids", &a)];

    let failed: Vec<_> = give.into_iter().chain([("ids", foreign.as_str())]).collect();
    let page = ada.submit(BULK, &failed).await.text();
    shows(&page, &["0 meters given to the customer, 2 failed.", "No such device."]);
    assert!(look(&acme, &a).await["customer_id"].is_null());

    let given: Vec<_> = give.into_iter().chain([("ids", b.as_str())]).collect();
    shows(&ada.submit(BULK, &given).await.text(), &["2 meters given to the customer."]);
    // One alone goes back to its page.
    let answer = ada.submit(BULK, &[("ids", &a), ("action", "maintenance"), ("step", "do")]).await;
    assert_eq!(answer.sent_on(), format!("/devices/{a}"));
    assert_eq!(look(&acme, &a).await["status"], "maintenance");
    assert_eq!(look(&acme, &a).await["customer_id"], river.as_str());
}

async fn meters_are_hung_below_another(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let globex = app.reseller("Globex").await;
    let (a, b) = (meter(&acme, 1, "Left").await, meter(&acme, 2, "Right").await);
    let top = principal(&acme, 3, "Street").await;
    let foreign = meter(&globex, 4, "Not yours").await;
    let search = [("ids", &*a), ("action", "parent"), ("search", "str"), ("step", "search")];
    let found = ada.submit(BULK, &search).await.text();
    shows(&found, &["Street", &eui(3), "No meter (to the top)", &format!("value=\"{top}\"")]);
    hides(&found, &["Right", "Not yours"]);

    let ids = format!("{a} {b} {top} {foreign}");
    let hang = [("ids", &*ids), ("action", "parent"), ("step", "do"), ("to", &*top)];
    let done = ada.submit(BULK, &hang).await.text();
    shows(&done, &["2 meters moved, 2 failed.", "No such device."]);
    assert_eq!(look(&acme, &a).await["parent_device_id"], top.as_str());
    assert_eq!(look(&acme, &b).await["parent_device_id"], top.as_str());
    assert!(look(&acme, &top).await["parent_device_id"].is_null());
    let up = [("ids", &*ids), ("action", "parent"), ("step", "do"), ("to", "nobody")];
    shows(&ada.submit(BULK, &up).await.text(), &["3 meters moved, 1 failed."]);
    assert!(look(&acme, &a).await["parent_device_id"].is_null());
    let lost = [("ids", &*ids), ("action", "parent"), ("step", "do"), ("to", &*foreign)];
    shows(&ada.submit(BULK, &lost).await.text(), &["0 meters moved, 4 failed.", "No such parent"]);
}

async fn forms_without_a_token_change_nothing(app: TestApp) {
    let (acme, ada, _) = acme(&app).await;
    let id = meter(&acme, 1, "Main").await;
    let body = format!("ids={id}&action=delete&step=do&token=AAAA");
    let kind = Some("application/x-www-form-urlencoded");
    let answer = ada.send(http::Method::POST, BULK, kind, body.into()).await;
    assert_eq!(answer.status, 403);
    assert_eq!(look(&acme, &id).await["is_active"], true);
}
