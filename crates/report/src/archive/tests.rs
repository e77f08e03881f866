use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
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

    archive.put(&report, Format::Pdf, Bytes::from_static(b"%PDF")).await.unwrap();
    let stranger = ResellerId::from_uuid(Uuid::from_u128(2));
    archive.forget(stranger).await.unwrap();
    assert!(archive.get(&report, Format::Pdf).await.unwrap().is_some());
    archive.forget(report.facts.reseller).await.unwrap();
    for format in Format::ALL {
        assert_eq!(archive.get(&report, format).await.unwrap(), None, "it is forgotten");
    }
    archive.put(&report, Format::Csv, Bytes::from_static(b"a,b")).await.unwrap();
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

/// An S3 server that keeps its objects in a directory and checks signatures.
async fn serve_buckets(root: &FilePath) -> String {
    let mut service = S3ServiceBuilder::new(FileSystem::new(root).unwrap());
    service.set_auth(SimpleAuth::from_single("id", "hunter2"));
    let service = service.build();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = service.clone();
            tokio::spawn(async move {
                let server = Builder::new(TokioExecutor::new());
                let _ = server.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    endpoint
}

#[tokio::test]
async fn a_bucket_keeps_reports_under_the_same_names() {
    let root = tempfile::tempdir().unwrap();
    let objects = root.path().join("reports-of-weir");
    std::fs::create_dir(&objects).unwrap();
    let bucket = bucket(serve_buckets(root.path()).await);
    keeps_what_is_put(&Archive::in_bucket(&bucket).unwrap()).await;
    let path = reports::path(report().facts.reseller, report().record);
    assert_eq!(std::fs::read(objects.join(format!("{path}.csv"))).unwrap(), b"a,b");

    let stranger = Bucket { secret_access_key: "hunter3".into(), ..bucket };
    let stranger = Archive::in_bucket(&stranger).unwrap();
    assert!(stranger.get(&report(), Format::Csv).await.is_err(), "a wrong key opens nothing");
    assert!(stranger.put(&report(), Format::Csv, Bytes::new()).await.is_err());
}

#[test]
fn a_bucket_keeps_its_key_to_itself() {
    let bucket = bucket("http://127.0.0.1:9".into());
    assert!(!format!("{bucket:?}").contains("hunter2"));
    assert!(!format!("{:?}", Archive::in_bucket(&bucket).unwrap()).contains("hunter2"));
}
