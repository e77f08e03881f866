//! The monthly quota.

use std::time::Duration;

use serde_json::{Value, json};
use weir_app::resellers::{NewReseller, ResellerChange};
use weir_domain::Timestamp;
use weir_testkit::app::{Actor, Answer, TestApp, chirpstack, things_stack};
use weir_testkit::on_both_stores;

use super::{device, history};
use crate::support::*;

/// When the month of the test clock ends.
const APRIL: &str = "2026-04-01T00:00:00Z";

async fn limited(app: &TestApp, monthly_quota: i64) -> Actor {
    let new = NewReseller { monthly_quota: Some(monthly_quota), ..reseller("Acme") };
    let acme = app.reseller_as(new).await;
    acme.register(EUI).await;
    acme
}

fn uplink(app: &TestApp, volume: f64) -> Value {
    chirpstack("Acme", EUI, &app.clock.ago(hours(1)), volume)
}

/// The limit, what remains and when it ends, as the headers tell.
fn standing(answer: &Answer) -> (&str, &str, &str) {
    let header = |name| answer.header(name);
    (header("x-ratelimit-limit"), header("x-ratelimit-remaining"), header("x-ratelimit-reset"))
}

on_both_stores!(
    the_last_request_of_a_month_is_taken_and_the_next_is_not,
    what_fails_or_is_ignored_does_not_count,
    it_is_exact_under_concurrency,
    two_nodes_together_do_not_pass_it,
    a_new_month_begins_anew,
    another_limit_counts_at_once,
    one_resellers_quota_is_no_others,
);

async fn the_last_request_of_a_month_is_taken_and_the_next_is_not(app: TestApp) {
    let acme = limited(&app, 3).await;
    let reset = Timestamp::parse(APRIL).unwrap().epoch_seconds().to_string();
    for remaining in ["2", "1", "0"] {
        let answer = acme.ingest(uplink(&app, 1.0)).await;
        answer.ok();
        assert_eq!(standing(&answer), ("3", remaining, reset.as_str()));
        assert_eq!(answer.header("retry-after"), "");
    }
    let answer = acme.ingest(uplink(&app, 2.0)).await;
    answer.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(standing(&answer), ("3", "0", reset.as_str()));
    let wait = Timestamp::parse(APRIL).unwrap().epoch_seconds() - app.clock.now().epoch_seconds();
    assert_eq!(answer.header("retry-after"), wait.to_string());
    assert_eq!(history(&acme).await, [1.0], "nothing of it was stored");
    assert_eq!(device(&acme).await["message_count"], 3);
    acme.get(DEVICES).await.ok();
}

async fn what_fails_or_is_ignored_does_not_count(app: TestApp) {
    let acme = limited(&app, 10).await;
    let good = uplink(&app, 1.0);
    for (answer, status) in [
        (acme.post_raw(INGEST, "{").await, 422),
        (acme.ingest(json!({})).await, 400),
        (acme.ingest(with(good.clone(), "/deviceInfo/tenantName", json!("Globex"))).await, 403),
        (acme.ingest(with(good.clone(), "/deviceInfo/devEui", json!("x"))).await, 400),
        (acme.ingest(with(good.clone(), "/object/cumulativeFlowM3", json!(-1))).await, 422),
        (acme.ingest(with(good.clone(), "/deviceInfo/devEui", json!(eui(1)))).await, 404),
        (acme.post(&format!("{INGEST}?event=join"), good.clone()).await, 200),
        (acme.post_raw(INGEST, " ".repeat(300_000)).await, 413),
        (acme.send(http::Method::POST, INGEST, Some("text/plain"), "x".into()).await, 415),
    ] {
        assert_eq!(answer.status, status);
        assert_eq!(
            (answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-remaining")),
            ("10", "10")
        );
        assert!(!answer.header("x-ratelimit-reset").is_empty());
    }
    // A repeat counts, and a message with several readings counts once.
    assert_eq!(acme.ingest(good.clone()).await.header("x-ratelimit-remaining"), "9");
    assert_eq!(acme.ingest(good).await.header("x-ratelimit-remaining"), "8");
    let total = |litres| json!({ "metering": { "water": { "total": litres } } });
    let several = json!({ "normalized_payload": [total(1), total(2), total(3)] });
    let several =
        with(things_stack("Acme", EUI, &app.clock.ago(hours(1)), 0.0), "/uplink_message", several);
    let answer = acme.ingest(several).await;
    assert_eq!(
        (&answer.ok()["readings"], answer.header("x-ratelimit-remaining")),
        (&json!(3), "7")
    );
}

async fn it_is_exact_under_concurrency(app: TestApp) {
    let acme = limited(&app, 10).await;
    let posts: Vec<_> = (0..50)
        .map(|number| {
            let (acme, uplink) = (acme.clone(), uplink(&app, f64::from(number)));
            tokio::spawn(async move { acme.ingest(uplink).await })
        })
        .collect();
    let mut taken = 0;
    for post in posts {
        let answer = post.await.unwrap();
        match answer.status.as_u16() {
            200 => taken += 1,
            _ => drop(answer.refused(429, "RATE_LIMIT_EXCEEDED")),
        }
    }
    assert_eq!(taken, 10);
    assert_eq!(history(&acme).await.len(), 10);
    acme.ingest(uplink(&app, 99.0)).await.refused(429, "RATE_LIMIT_EXCEEDED");
}

async fn two_nodes_together_do_not_pass_it(app: TestApp) {
    let acme = limited(&app, 10).await;
    let other = app.another_node().await;
    let nodes = [acme.clone(), other.actor(&acme)];
    let mut taken = 0;
    for number in 0..30 {
        let answer = nodes[number % 2].ingest(uplink(&app, number as f64)).await;
        taken += usize::from(answer.status == 200);
    }
    assert!(taken <= 10, "{taken}");
    assert!(taken >= 9, "at most one request is held by a node that has no use for it: {taken}");
    other.stop().await;
}

async fn a_new_month_begins_anew(app: TestApp) {
    let acme = limited(&app, 2).await;
    let april = Timestamp::parse(APRIL).unwrap();
    app.clock.set(april.minus(Duration::from_micros(1)));
    acme.ingest(uplink(&app, 1.0)).await.ok();
    acme.ingest(uplink(&app, 2.0)).await.ok();
    let last = acme.ingest(uplink(&app, 3.0)).await;
    last.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(last.header("retry-after"), "1");
    app.clock.set(april);
    let first = acme.ingest(uplink(&app, 3.0)).await;
    first.ok();
    let may = Timestamp::parse("2026-05-01T00:00:00Z").unwrap().epoch_seconds().to_string();
    assert_eq!(standing(&first), ("2", "1", may.as_str()));
    acme.ingest(uplink(&app, 4.0)).await.ok();
    acme.ingest(uplink(&app, 5.0)).await.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(history(&acme).await, [1.0, 2.0, 3.0, 4.0]);
}

async fn another_limit_counts_at_once(app: TestApp) {
    let acme = limited(&app, 2).await;
    let limit = async |limit| {
        app.change(&acme, ResellerChange { monthly_quota: Some(limit), ..Default::default() })
            .await;
    };
    acme.ingest(uplink(&app, 1.0)).await.ok();
    acme.ingest(uplink(&app, 2.0)).await.ok();
    acme.ingest(uplink(&app, 3.0)).await.refused(429, "RATE_LIMIT_EXCEEDED");
    limit(4).await;
    let raised = acme.ingest(uplink(&app, 3.0)).await;
    raised.ok();
    assert_eq!(
        (raised.header("x-ratelimit-limit"), raised.header("x-ratelimit-remaining")),
        ("4", "1")
    );
    limit(1).await;
    let lowered = acme.ingest(uplink(&app, 4.0)).await;
    lowered.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(
        (lowered.header("x-ratelimit-limit"), lowered.header("x-ratelimit-remaining")),
        ("1", "0")
    );
    limit(0).await;
    acme.ingest(uplink(&app, 4.0)).await.refused(429, "RATE_LIMIT_EXCEEDED");
    limit(100_000).await;
    assert_eq!(acme.ingest(uplink(&app, 4.0)).await.header("x-ratelimit-remaining"), "99996");
}

async fn one_resellers_quota_is_no_others(app: TestApp) {
    let acme = limited(&app, 1).await;
    let globex = app.reseller("Globex").await;
    globex.register(&eui(1)).await;
    acme.ingest(uplink(&app, 1.0)).await.ok();
    acme.ingest(uplink(&app, 2.0)).await.refused(429, "RATE_LIMIT_EXCEEDED");
    let answer = globex.ingest(chirpstack("Globex", &eui(1), &app.clock.ago(hours(1)), 1.0)).await;
    assert_eq!(standing(&answer).1, "99999", "100,000 where nothing else is said");
}
