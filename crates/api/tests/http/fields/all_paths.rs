//! What every operation says to a path that names nothing.

use axum::body::Body;
use weir_testkit::app::{Store, TestApp};

use super::table::Place;
use super::tables;
use crate::support::*;

/// Neither a UUID nor an EUI.
const NEITHER: &[&str] = &[
    "x",
    "%20",
    "%ff",
    "%00",
    "%2F",
    "null",
    "70b3d57ed02a365",
    "70b3d57ed02a36544",
    "70b3d57ed02a365g",
    "00000000000070008000000000000000",
    "%7b00000000-0000-7000-8000-000000000000%7d",
    "00000000-0000-7000-8000-00000000000g",
];

#[tokio::test]
async fn a_path_that_names_nothing_is_told_as_its_position_asks() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let own = Belongings::of(&app, &acme).await;
    let (tables, mut count) = (tables(), 0);
    for operation in operations() {
        let name = unnamed(&operation.name);
        let of = |place| {
            tables.iter().find(|table| table.place == place && unnamed(table.operation) == name)
        };
        let body = of(Place::Body).map(|table| own.fill(&table.good.to_string()));
        for parameter in operation.parameters("path") {
            // Positions that are called an EUI say so; what is no device has no EUI at all.
            let is_eui = parameter == "dev_eui"
                || operation.name.starts_with("GET") && name.ends_with("devices/{}");
            let eui = (!["device_id", "dev_eui"].contains(&parameter)).then_some(EUI);
            for bad in NEITHER.iter().copied().chain(eui) {
                let path = operation.path.replace(&format!("{{{parameter}}}"), bad);
                let named = Operation { path, ..operation.clone() };
                let path = own.fill(&named.path_of_belongings());
                let sent = Body::from(body.clone().unwrap_or_default());
                let json = body.as_ref().map(|_| "application/json");
                let answer = acme.send(operation.method.clone(), &path, json, sent).await;
                let context = format!("{} {path}", operation.name);
                match is_eui {
                    true => {
                        assert_eq!(answer.status, 400, "{context}");
                        answer.refused(400, "INVALID_DEVICE_ID");
                    }
                    false => {
                        assert_eq!(answer.status, 422, "{context}");
                        assert_eq!(answer.fields(), [format!("path.{parameter}")], "{context}");
                    }
                }
                count += 1;
            }
        }
    }
    assert!(count > 200, "{count}");
}
