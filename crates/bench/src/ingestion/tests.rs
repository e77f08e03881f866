//! The whole of it against a stand-in for the service.

use tokio::net::TcpListener;

use super::*;
use crate::testing::{Faults, serve};

/// More meters than a page of the list holds, and no multiple of the connections.
const DEVICES: u32 = 1_210;

fn plan() -> plan::Ingestion {
    plan::Ingestion {
        connections: 12,
        devices: DEVICES,
        rounds: Some(2),
        sustained: Some(Duration::from_millis(60)),
        paced: Some(plan::Paced { time: Duration::from_millis(30), per_second: None }),
    }
}

async fn measure_with(faults: Faults, plan: plan::Ingestion) -> Ingestion {
    let endpoint = serve(DEVICES, faults).await;
    let since = Timestamp::parse("2026-01-05T06:00:00Z").unwrap();
    measure(&endpoint, &plan, Kind::Sqlite, since, &|_| ()).await.unwrap()
}

#[tokio::test]
async fn a_good_service_has_what_it_acknowledged() {
    let figures = measure_with(Faults::default(), plan()).await;
    assert!(figures.findings.are_right(), "{figures:?}");
    let (burst, sustained) = (figures.burst.unwrap(), figures.sustained.unwrap());
    assert_eq!(burst.rounds.len(), 2);
    assert!(burst.ratio.figure > 0.0 && burst.refused.p99_ms >= burst.refused.p50_ms);
    assert!(sustained.ratio.figure > 0.0);
    // The stand-in tells a greater depth each time.
    assert!(sustained.depths.samples.len() > 1 && sustained.depths.end > sustained.depths.quarter);
    let paced = figures.paced.unwrap();
    assert_eq!(paced.due_per_second, sustained.acknowledged.per_second / 2.0);
    let in_bursts = u64::from(DEVICES) * 3;
    assert!(figures.findings.acknowledged_uplinks > in_bursts);
}

#[tokio::test]
async fn parts_are_left_out() {
    let paced = Some(plan::Paced { time: Duration::from_millis(30), per_second: Some(1_000.0) });
    let plan = plan::Ingestion { rounds: None, sustained: None, paced, ..plan() };
    let figures = measure_with(Faults::default(), plan).await;
    assert!(figures.burst.is_none() && figures.sustained.is_none());
    let paced = figures.paced.unwrap();
    assert_eq!(figures.findings.acknowledged_uplinks, u64::from(DEVICES) + 30);
    assert_eq!(paced.due_per_second, 1_000.0);
}

#[tokio::test]
async fn a_service_that_forgets_is_found_out() {
    let plan = plan::Ingestion { sustained: None, paced: None, ..plan() };
    let figures = measure_with(Faults { forgets: 1, ..Faults::default() }, plan).await;
    let findings = figures.findings;
    assert!(!findings.are_right());
    assert_eq!(findings.counted_messages + 1, findings.acknowledged_uplinks);
    assert!(findings.other_answers.is_empty());
}

#[tokio::test]
async fn other_answers_are_counted_and_are_no_acknowledgements() {
    let plan = plan::Ingestion { sustained: None, paced: None, ..plan() };
    let figures = measure_with(Faults { sheds: 3, ..Faults::default() }, plan).await;
    let findings = figures.findings;
    assert!(!findings.are_right());
    assert_eq!(findings.counted_messages, findings.acknowledged_uplinks);
    assert_eq!(findings.other_answers, [(503, 3)].into());
}

#[tokio::test]
async fn a_service_that_hangs_up_gives_no_figures() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = Endpoint { address: listener.local_addr().unwrap(), api_key: String::new() };
    tokio::spawn(async move { while listener.accept().await.is_ok() {} });
    let since = Timestamp::from_micros(0);
    let measured = measure(&endpoint, &plan(), Kind::Sqlite, since, &|_| ()).await;
    let failure = measured.unwrap_err();
    assert!(matches!(failure, Failure::Unreadable(_) | Failure::Io { .. }), "{failure}");
}
