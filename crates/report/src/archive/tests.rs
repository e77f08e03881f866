use std::collections::HashMap;
use std::sync::Mutex;

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use uuid::Uuid;
use weir_domain::OwnershipId;

use super::*;
use crate::testing::facts;

fn report() -> Report {
    let facts = facts(3);
    let record = OwnershipId::from_uuid(Uuid::from_u128(9));
    Report { device: facts.device, record, facts }
}

fn bucket(endpoint: String) -> Bucket {
    Bucket {
        name: "reports-of-weir".into(),
        endpoint: Some(endpoint),
        region: "eu-south-2".into(),
        access_key_id: "id".into(),
        secret_access_key: "hunter2".into(),
    }
}

async fn keeps_what_is_put(archive: &Archive) {
    let report = report();
    assert_eq!(archive.get(&report, Format::Csv).await.unwrap(), None);
    archive.put(&report, Format::Csv, Bytes::from_static(b"a,b")).await.unwrap();
    assert_eq!(archive.get(&report, Format::Csv).await.unwrap().unwrap(), "a,b");
    assert_eq!(archive.get(&report, Format::Pdf).await.unwrap(), None);
}

#[tokio::test]
async fn a_directory_keeps_reports_where_their_records_say() {
    let directory = tempfile::tempdir().unwrap();
    let archive = Archive::in_directory(&directory.path().join("data")).unwrap();
    keeps_what_is_put(&archive).await;
    let path = reports::path(report().facts.reseller, report().record);
    let file = directory.path().join("data").join(format!("{path}.csv"));
    assert_eq!(std::fs::read(file).unwrap(), b"a,b");
}

/// What a bucket holds, by path.
type Objects = Arc<Mutex<HashMap<String, Bytes>>>;

async fn stored(State(objects): State<Objects>, UrlPath(path): UrlPath<String>) -> Response {
    let found = objects.lock().unwrap().get(&path).cloned();
    let headers = [("etag", "\"1\""), ("last-modified", "Sun, 29 Mar 2026 12:00:00 GMT")];
    match found {
        Some(content) => (headers, content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn store(
    State(objects): State<Objects>,
    UrlPath(path): UrlPath<String>,
    content: Bytes,
) -> Response {
    objects.lock().unwrap().insert(path, content);
    [("etag", "\"1\"")].into_response()
}

#[tokio::test]
async fn a_bucket_keeps_reports_under_the_same_names() {
    let objects = Objects::default();
    let server =
        Router::new().route("/{*path}", get(stored).put(store)).with_state(objects.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move { axum::serve(listener, server).await });
    keeps_what_is_put(&Archive::in_bucket(&bucket(endpoint)).unwrap()).await;
    serving.abort();
    let path = reports::path(report().facts.reseller, report().record);
    let kept: Vec<String> = objects.lock().unwrap().keys().cloned().collect();
    assert_eq!(kept, [format!("reports-of-weir/{path}.csv")]);
}

#[test]
fn a_bucket_keeps_its_key_to_itself() {
    let bucket = bucket("http://127.0.0.1:9".into());
    assert!(!format!("{bucket:?}").contains("hunter2"));
    assert!(!format!("{:?}", Archive::in_bucket(&bucket).unwrap()).contains("hunter2"));
}
