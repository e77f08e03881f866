//! Filters of the list.

use std::time::Duration;

use serde_json::{Value, json};
use weir_app::resellers::NewReseller;
use weir_domain::Timestamp;
use weir_testkit::app::{Actor, TestApp, chirpstack};
use weir_testkit::on_both_stores;

use crate::support::*;

/// The names of the devices that a query finds, in order.
async fn found(actor: &Actor, query: &str) -> Vec<String> {
    let answer = actor.get(&format!("/api/v1/devices?include_consumption=false&{query}")).await;
    let data = answer.ok();
    let names: Vec<String> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|device| device["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(answer.header("x-total-count"), names.len().to_string(), "{query}");
    let mut sorted = names;
    sorted.sort();
    sorted
}

async fn register(actor: &Actor, n: usize, name: &str) -> String {
    let id = actor.register(&eui(n)).await;
    actor.put(&at(&id), json!({ "name": name })).await.ok();
    id
}

on_both_stores!(
    every_filter_and_all_of_them_together,
    a_silent_device_is_found_among_those_offline,
    days_are_those_of_the_resellers_time_zone,
    parameters_are_refused_at_their_limits,
);

async fn every_filter_and_all_of_them_together(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let (north, south) = (customer(&acme, "North").await, customer(&acme, "South").await);
    let ada = end_user(&acme, "Ada", Some(&north)).await;
    let cyd = end_user(&acme, "Cyd", None).await;
    let mut ids = Vec::new();
    for (n, name) in ["p", "q", "r", "s", "t"].into_iter().enumerate() {
        ids.push(register(&acme, 0xabc0 + n, name).await);
    }
    // p and q are North's: p through its end user, q by itself; r is South's and has an end user of
    // no customer; s and t are nobody's.
    acme.put(&at(&ids[0]), json!({ "is_principal": true, "device_name": "Küche 100%" })).await.ok();
    assign(&acme, &ids[0], Some(&ada)).await;
    for (id, customer) in [(&ids[1], &north), (&ids[2], &south)] {
        give(&acme, id, customer).await;
    }
    assign(&acme, &ids[2], Some(&cyd)).await;
    acme.ingest(chirpstack("Acme", &eui(0xabc3), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    acme.put(&(at(&ids[4]) + "/status"), json!({ "status": "maintenance" })).await.ok();
    let gone = register(&acme, 0xabcf, "z").await;
    delete(&acme, &gone).await.ok();

    for (query, expected) in [
        ("".to_owned(), "p q r s t"),
        ("is_principal=true".into(), "p"),
        ("is_principal=0".into(), "q r s t"),
        (format!("customer={north}"), "p q"),
        (format!("customer_id={north}"), "p q"),
        (format!("customer={}", north.to_uppercase()), "p q"),
        (format!("customer_id={south}"), "r"),
        (format!("customer_id={south}&customer={north}"), ""),
        (format!("customer_id={north}&customer=unassociated"), ""),
        (format!("customer={NOBODY}"), ""),
        ("customer=unassociated".into(), "s t"),
        ("user=assigned".into(), "p r"),
        ("user=unassigned".into(), "q s t"),
        ("status=online".into(), "s"),
        ("status=offline".into(), "p q r"),
        ("status=maintenance".into(), "t"),
        ("search=ABC2".into(), "r"),
        ("search=abc".into(), "p q r s t"),
        ("search=K%C3%9CCHE".into(), "p"),
        ("search=100%25".into(), "p"),
        ("search=0_".into(), ""),
        ("search=Q".into(), "q"),
        ("search=".into(), "p q r s t"),
        ("first_seen=today".into(), "s"),
        (format!("customer={north}&user=assigned&is_principal=true&status=offline&search=k"), "p"),
        (format!("customer={north}&user=assigned&is_principal=false"), ""),
        ("unknown=1&status=online".into(), "s"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(found(&acme, &query).await, expected, "{query}");
    }
    let globex = app.reseller("Globex").await;
    assert_eq!(found(&globex, &format!("customer={north}")).await, [""; 0]);

    // Pages and their links keep the filters.
    let page = acme.get("/api/v1/devices?user=unassigned&limit=1&offset=1").await;
    assert_eq!(page.header("x-total-count"), "3");
    assert!(page.header("link").contains("user=unassigned&limit=1&offset=2"));
}

async fn a_silent_device_is_found_among_those_offline(app: TestApp) {
    let acme = app.reseller("Acme").await;
    register(&acme, 1, "a").await;
    acme.ingest(chirpstack("Acme", &eui(1), "2026-03-29T11:00:00Z", 5.0)).await.ok();
    app.clock.advance(hours(48) - Duration::from_micros(1));
    assert_eq!(found(&acme, "status=online").await, ["a"]);
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(found(&acme, "status=online").await, [""; 0]);
    assert_eq!(found(&acme, "status=offline").await, ["a"]);
}

async fn days_are_those_of_the_resellers_time_zone(app: TestApp) {
    let new = |name: &str, timezone: &str| NewReseller {
        timezone: Some(timezone.into()),
        ..reseller(name)
    };
    let here = app.reseller_as(new("Here", "UTC")).await;
    let there = app.reseller_as(new("There", "America/New_York")).await;
    // Half past three in the morning of the 29th in UTC is half past eleven the evening before.
    app.clock.set(Timestamp::parse("2026-03-29T03:30:00Z").unwrap());
    for (n, actor, tenant) in [(1, &here, "Here"), (2, &there, "There")] {
        register(actor, n, "heard").await;
        register(actor, n + 10, "silent").await;
        actor.ingest(chirpstack(tenant, &eui(n), "2026-03-29T03:00:00Z", 5.0)).await.ok();
    }
    for (now, query, in_utc, in_new_york) in [
        ("2026-03-29T03:59:00Z", "today", true, true),
        ("2026-03-29T04:00:00Z", "today", true, false),
        ("2026-03-30T00:00:00Z", "today", false, false),
        ("2026-03-30T00:00:00Z", "2026-03-29", true, false),
        ("2026-03-30T00:00:00Z", "2026-03-28", true, true),
        ("2026-03-30T00:00:00Z", "2026-03-30", false, false),
        ("2026-04-05T03:30:00Z", "week", true, true),
        ("2026-04-05T03:30:00.000001Z", "week", false, false),
        ("2026-04-28T03:30:00Z", "month", true, true),
        ("2026-04-28T03:30:00.000001Z", "month", false, false),
        ("2026-04-28T03:30:00Z", "0001-01-01", true, true),
        ("2026-04-28T03:30:00Z", "9999-12-31", false, false),
    ] {
        app.clock.set(Timestamp::parse(now).unwrap());
        for (actor, expected) in [(&here, in_utc), (&there, in_new_york)] {
            let names = found(actor, &format!("first_seen={query}")).await;
            let expected: &[&str] = if expected { &["heard"] } else { &[] };
            assert_eq!(names, expected, "{now} {query}");
        }
    }
}

async fn parameters_are_refused_at_their_limits(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let long = "x".repeat(256);
    for path in [DEVICES, "/api/v1/devices/stats"] {
        for (query, field) in [("customer_id=x", "customer_id"), ("customer_id=", "customer_id")] {
            let fields = acme.get(&format!("{path}?{query}")).await.fields();
            assert_eq!(fields, [format!("query.{field}")], "{query}");
        }
        for query in ["customer=x", "customer=", "customer=Unassociated"] {
            let body = acme.get(&format!("{path}?{query}")).await.refused(400, "VALIDATION_ERROR");
            assert_eq!(
                body["details"]["errors"][0]["loc"],
                json!(["query", "customer"]),
                "{query}"
            );
        }
    }
    for (query, field) in [
        ("is_principal=maybe", "is_principal"),
        ("is_principal=", "is_principal"),
        ("include_consumption=2", "include_consumption"),
        (&format!("search={long}"), "search"),
        ("search=a%00b", "search"),
        ("limit=0", "limit"),
        ("offset=-1", "offset"),
        // The schema comes first.
        ("status=broken&limit=0", "limit"),
    ] {
        let fields = acme.get(&format!("/api/v1/devices?{query}")).await.fields();
        assert_eq!(fields, [format!("query.{field}")], "{query}");
    }
    for (query, field) in [
        ("user=somebody", "user"),
        ("user=", "user"),
        ("status=broken", "status"),
        ("status=Online", "status"),
        ("status=auto", "status"),
        ("first_seen=year", "first_seen"),
        ("first_seen=2026-02-30", "first_seen"),
        ("first_seen=2026-3-1", "first_seen"),
        ("first_seen=2026-03-01T00:00:00Z", "first_seen"),
    ] {
        let body =
            acme.get(&format!("/api/v1/devices?{query}")).await.refused(400, "VALIDATION_ERROR");
        let locs: Vec<Value> = body["details"]["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| e["loc"].clone())
            .collect();
        assert_eq!(locs, [json!(["query", field])], "{query}");
    }
    let fits = "x".repeat(255);
    acme.get(&format!("/api/v1/devices?search={fits}")).await.ok();
}
