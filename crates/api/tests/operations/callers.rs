//! Who may call which operation on devices.

use axum::body::Body;
use http::Method;
use serde_json::json;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::fleet::{at, eui};

on_both_stores!(
    strangers_and_other_resellers_get_nowhere,
    a_path_that_names_no_device_is_told_as_its_operation_asks,
);

async fn strangers_and_other_resellers_get_nowhere(app: TestApp) {
    let (acme, globex) = (app.reseller("Acme").await, app.reseller("Globex").await);
    let id = acme.register(&eui(1)).await;
    let device = at(&id);
    let bearer = app.stranger().with_header("authorization", "Bearer x.y.z");
    let key_only = [
        (Method::DELETE, device.clone()),
        (Method::PUT, format!("{device}/status")),
        (Method::PUT, format!("{device}/parent")),
        (Method::GET, format!("{device}/children")),
        (Method::PUT, format!("{device}/restore")),
    ];
    let either = [
        (Method::PUT, device.clone()),
        (Method::GET, "/api/v1/devices".into()),
        (Method::GET, "/api/v1/devices/stats".into()),
        (Method::PATCH, "/api/v1/devices/hierarchy-batch".into()),
        (Method::POST, "/api/v1/devices/bulk-status".into()),
        (Method::POST, "/api/v1/devices/bulk-delete".into()),
        (Method::GET, "/api/v1/reseller/billing".into()),
    ];
    for (method, path) in &key_only {
        app.stranger().ask(method.clone(), path).await.refused(401, "INVALID_API_KEY");
        bearer.ask(method.clone(), path).await.refused(401, "INVALID_API_KEY");
    }
    for (method, path) in &either {
        app.stranger().ask(method.clone(), path).await.refused(401, "INVALID_API_KEY");
        let refused = bearer.ask(method.clone(), path).await;
        refused.refused(401, "INVALID_TOKEN");
        assert_eq!(refused.header("www-authenticate"), "Bearer");
    }
    let body = json!({ "name": "x", "status": "auto", "parent_device_id": null }).to_string();
    for (method, path) in key_only.iter().chain(&either[..1]) {
        let json = Some("application/json");
        let by_id = globex.send(method.clone(), path, json, Body::from(body.clone())).await;
        by_id.refused(404, "DEVICE_NOT_FOUND");
        let path = path.replace(&id, &eui(1));
        let by_eui = globex.send(method.clone(), &path, json, Body::from(body.clone())).await;
        by_eui.refused(404, "DEVICE_NOT_FOUND");
    }
    acme.get(&device).await.ok();
}

async fn a_path_that_names_no_device_is_told_as_its_operation_asks(app: TestApp) {
    let acme = app.reseller("Acme").await;
    acme.get(&at("nonsense")).await.refused(400, "INVALID_DEVICE_ID");
    let deleted = acme.ask(Method::DELETE, &at("nonsense")).await;
    assert_eq!(deleted.fields(), ["path.device_id"]);
    let other = acme.ask(Method::PATCH, &at(&eui(1))).await;
    other.refused(405, "METHOD_NOT_ALLOWED");
    assert_eq!(other.header("allow"), "GET,HEAD,PUT,DELETE");
    acme.ask(Method::PUT, "/api/v1/devices/stats").await.refused(405, "METHOD_NOT_ALLOWED");
    acme.get("/api/v1/devices/hierarchy-batch").await.refused(405, "METHOD_NOT_ALLOWED");
}
