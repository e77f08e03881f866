//! What members may do.

use axum::body::Body;
use http::Method;
use serde_json::json;
use weir_testkit::app::{Actor, Answer, TestApp};
use weir_testkit::on_both_stores;

use super::{join, with_address};
use crate::support::*;

on_both_stores!(
    a_viewer_looks_and_changes_nothing,
    an_admin_may_what_a_key_may,
    operations_for_keys_alone_take_no_token,
);

/// Asks for an operation with a body that fits none.
async fn ask(actor: &Actor, operation: &Operation) -> Answer {
    let path = operation.path.replace("{dev_eui}", EUI);
    let path = path.split('/').map(|step| if step.starts_with('{') { NOBODY } else { step });
    let path = path.collect::<Vec<_>>().join("/");
    let body = Body::from("{}");
    actor.send(operation.method.clone(), &path, Some("application/json"), body).await
}

async fn a_viewer_looks_and_changes_nothing(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "vera@example.org", "role": "viewer" })).await;
    let vera = with_address(&app, "vera@example.org");
    let (mut refused, mut seen) = (0, 0);
    for operation in operations().into_iter().filter(|operation| operation.takes_tokens) {
        let answer = ask(&vera, &operation).await;
        if operation.method == Method::GET {
            assert_ne!(answer.status, 403, "{}", operation.name);
            assert_ne!(answer.status, 401, "{}", operation.name);
            seen += 1;
        } else {
            assert_eq!(answer.status, 403, "{}", operation.name);
            answer.refused(403, "FORBIDDEN");
            refused += 1;
        }
    }
    assert!(refused > 14 && seen > 10, "{refused} {seen}");
    acme.register(EUI).await;
    assert_eq!(vera.get(DEVICES).await.ok().as_array().unwrap().len(), 1);
}

async fn an_admin_may_what_a_key_may(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "ada@example.org", "role": "admin" })).await;
    let ada = with_address(&app, "ada@example.org");
    let customer = ada.post(CUSTOMERS, json!({ "name": "Riverside" })).await.ok();
    assert_eq!(acme.get(CUSTOMERS).await.ok()[0]["id"], customer["id"]);
    for operation in operations().into_iter().filter(|operation| operation.takes_tokens) {
        let (by_token, by_key) = (ask(&ada, &operation).await, ask(&acme, &operation).await);
        assert_eq!(by_token.status, by_key.status, "{}", operation.name);
    }
}

async fn operations_for_keys_alone_take_no_token(app: TestApp) {
    let acme = app.reseller("Acme").await;
    join(&acme, json!({ "email": "ada@example.org", "role": "admin" })).await;
    let ada = with_address(&app, "ada@example.org");
    let alone: Vec<_> = operations().into_iter().filter(|it| !it.takes_tokens).collect();
    for operation in &alone {
        ask(&ada, operation).await.refused(401, "INVALID_API_KEY");
    }
    assert_eq!(
        alone.len(),
        10,
        "ingestion, register, lookup, delete, assign, status, parent, children, restore, owners"
    );
}
