//! A long history is written while it is read, page by page.
//!
//! On SQLite alone: both stores are asked for the same pages. How long a history is plays no part in how
//! much of it lies in memory, so a month shows what holds for a year.

use axum::body::Body;
use http_body_util::BodyExt;
use serde_json::Value;
use weir_app::devices::{self, DeviceRef, HISTORY_CHUNK};
use weir_domain::{Reading, Volume};
use weir_store::Purpose;
use weir_testkit::app::{Actor, Store, TestApp};

use crate::support::*;

const PAGE: usize = HISTORY_CHUNK as usize;
const YEAR: &str = "/api/v1/devices/70b3d57ed02a3654/consumption?days=365";

/// Gives a device a reading for each of so many minutes, the last of them now.
async fn read_minutes(app: &TestApp, acme: &Actor, count: usize) {
    let (reseller, now) = (acme.reseller().id, app.clock.now());
    let stored = app.db.system(Purpose::Settle, move |tx| {
        let tx = tx.scoped(reseller)?;
        let device = DeviceRef::parse(EUI).expect("an EUI");
        let key = devices::find(tx, device).expect("a device").key;
        let minutes = (0..count).map(|number| {
            let time = now.minus(seconds(60 * (count - 1 - number) as u64));
            let volume = Volume::from_millilitres(number as i64 * 1000);
            (key, Reading { time, volume, battery: None })
        });
        tx.readings_append(&minutes.collect::<Vec<_>>())
    });
    stored.await.unwrap();
}

/// The next piece of a body; an error where it breaks off.
async fn piece(body: &mut Body) -> Option<Result<Vec<u8>, axum::Error>> {
    let frame = body.frame().await?;
    Some(frame.map(|frame| frame.into_data().unwrap().to_vec()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_month_of_minutes_comes_in_pieces_of_one_page() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    let count = 30 * 24 * 60;
    read_minutes(&app, &acme, count).await;
    let mut body = acme.open(YEAR).await.into_body();
    let (mut readings, mut pieces) = (0, 0);
    while let Some(text) = piece(&mut body).await.transpose().unwrap() {
        let here = text.windows(13).filter(|window| window == b"consumption_m").count();
        assert!(here <= PAGE, "{here} readings in one piece");
        readings += here;
        pieces += usize::from(here > 0);
    }
    assert_eq!((readings, pieces), (count, count.div_ceil(PAGE)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_read_when_the_one_before_it_was_taken() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    acme.register(EUI).await;
    read_minutes(&app, &acme, 4 * PAGE).await;
    let mut body = acme.open(YEAR).await.into_body();
    let begun = piece(&mut body).await.unwrap().unwrap();
    assert_eq!(begun, b"{\"data\":[");
    piece(&mut body).await.unwrap().unwrap();
    // The page after the one that was taken is there; what comes then is still in the store alone.
    let db = app.db.clone();
    tokio::task::spawn_blocking(move || db.close()).await.unwrap();
    let next = piece(&mut body).await.unwrap().unwrap();
    let next: Value = serde_json::from_slice(&[b"[", &next[1..], b"]"].concat()).unwrap();
    assert_eq!(next.as_array().unwrap().len(), PAGE);
    assert!(
        piece(&mut body).await.unwrap().is_err(),
        "the body breaks off, and is no shorter list"
    );
}
