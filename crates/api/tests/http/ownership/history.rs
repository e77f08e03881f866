//! Reading who a device belonged to.

use serde_json::json;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const PATH: &str = "/api/v1/devices/70b3d57ed02a3654/ownership-history";
const DETAILED: &str = "/api/v1/devices/70b3d57ed02a3654/ownership-history?include_details=true";

on_both_stores!(
    records_have_the_fields_of_the_interface,
    details_name_the_end_users,
    the_history_outlives_the_device,
    what_cannot_be_read_is_refused,
);

async fn records_have_the_fields_of_the_interface(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    assert_eq!(acme.get(PATH).await.ok(), json!([]));
    let ada = end_user(&acme, "Ada", None).await;
    assign(&acme, EUI, Some(&ada)).await;
    let records = acme.get(PATH).await.ok();
    let record = &records[0];
    assert_eq!(
        keys(record),
        names(&[
            "changed_at",
            "changed_by",
            "created_at",
            "device_id",
            "id",
            "new_end_user_id",
            "notes",
            "previous_end_user_id",
            "report_generated",
            "report_url",
            "reseller_id",
        ])
    );
    assert_eq!(record["device_id"], json!(id));
    assert_eq!(record["reseller_id"], json!(acme.reseller().id));
    assert_eq!(record["changed_at"], "2026-03-29T12:00:00+00:00");
    assert_eq!(record["created_at"], record["changed_at"]);
    assert_eq!(record["changed_by"], "default");
    assert_eq!(record["notes"], json!(null));
}

async fn details_name_the_end_users(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let (ada, bob) = (end_user(&acme, "Ada", None).await, end_user(&acme, "Bob", None).await);
    for to in [Some(&ada), Some(&bob), None] {
        assign(&acme, EUI, to.map(String::as_str)).await;
        app.clock.advance(seconds(1));
    }
    acme.delete(&format!("/api/v1/end-users/{ada}")).await.ok();
    let records = acme.get(DETAILED).await.ok();
    assert_eq!(
        texts(&records, "changed_at"),
        ["2026-03-29T12:00:02+00:00", "2026-03-29T12:00:01+00:00", "2026-03-29T12:00:00+00:00"]
    );
    let shown = json!({ "id": bob, "name": "Bob", "email": "bob@example.org" });
    let deleted = json!({ "id": ada, "name": null, "email": null });
    for (record, previous, new) in [
        (&records[0], &shown, &json!(null)),
        (&records[1], &deleted, &shown),
        (&records[2], &json!(null), &deleted),
    ] {
        assert_eq!(record.get("previous_end_user"), Some(previous));
        assert_eq!(record.get("new_end_user"), Some(new));
    }
}

async fn the_history_outlives_the_device(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let id = acme.register(EUI).await;
    let ada = end_user(&acme, "Ada", None).await;
    assign(&acme, EUI, Some(&ada)).await;
    let before = acme.get(PATH).await.ok();
    delete(&acme, &id).await.ok();
    assert_eq!(acme.get(PATH).await.ok(), before);
    assert_eq!(acme.get(&PATH.replace(EUI, &id)).await.ok(), before);
    acme.register(EUI).await;
    assert_eq!(acme.get(PATH).await.ok(), json!([]), "the live device comes first");
}

async fn what_cannot_be_read_is_refused(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    acme.register(EUI).await;
    globex.get(PATH).await.refused(404, "DEVICE_NOT_FOUND");
    acme.get(&PATH.replace(EUI, NOBODY)).await.refused(404, "DEVICE_NOT_FOUND");
    assert_eq!(acme.get(&PATH.replace(EUI, "x")).await.fields(), ["path.device_id"]);
    let odd = acme.get(&DETAILED.replace("true", "yes")).await;
    assert_eq!(odd.fields(), ["query.include_details"]);
    app.stranger().get(PATH).await.refused(401, "INVALID_API_KEY");
    let bearer = app.stranger().with_header("authorization", "Bearer token");
    bearer.get(PATH).await.refused(401, "INVALID_API_KEY");
}
