//! A simulated fleet, and what the service makes of it.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::client::Client;
use crate::home::{Home, Ran};
use crate::patience::{soon, until};
use crate::server::Server;

const TENANT: &str = "Müller & Söhne";

/// Runs a simulation from a place of its own, which has no store and no settings.
async fn simulate(server: &Server, api_key: &str, options: &[&str]) -> Ran {
    let elsewhere = Home::bare();
    let url = format!("http://{}/", server.address);
    let arguments = [&["simulate", "--url", &url, "--api-key", api_key], options].concat();
    let ran = elsewhere.run(&arguments).await;
    assert_eq!(std::fs::read_dir(elsewhere.directory.path()).unwrap().count(), 0);
    ran
}

/// How many days of a meter look as if it had been replaced.
async fn resets(client: &mut Client, eui: &str) -> usize {
    let path = format!("/api/v1/devices/{eui}/consumption-per-day?days=30");
    let data = client.get(&path).await.data();
    data["days"].as_array().unwrap().iter().filter(|day| day["is_reset"] == true).count()
}

#[tokio::test]
async fn a_fleet_is_heard_and_goes_on_where_it_ended() {
    let home = Home::new();
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let options =
        ["--devices", "5", "--rate", "60", "--seconds", "2", "--repeats", "20", "--late", "20"];
    let summary = simulate(&server, &key, &[&options[..], &["--json"]].concat()).await.json();
    let number = |field: &str| summary[field].as_u64().unwrap();
    assert_eq!((number("devices"), number("registered")), (5, 5), "{summary}");
    assert!(number("sent") > 120, "{summary}");
    assert_eq!(number("acknowledged"), number("sent"), "{summary}");
    assert_eq!(number("duplicates"), number("sent") - 120, "{summary}");
    assert_eq!((&summary["refused"], &summary["unanswered"]["count"]), (&json!({}), &json!(0)));
    assert_eq!(summary["check"], json!({ "checked": 120, "missing": 0, "doubled": 0 }));
    let latency = ["p50", "p90", "p99", "max"].map(|it| summary["latency_ms"][it].as_f64());
    assert!(latency[0] > Some(0.0) && latency.is_sorted(), "{summary}");
    assert!(summary["seconds"].as_f64() > Some(1.9), "{summary}");

    let mut client = server.client(&key);
    let devices = client.get("/api/v1/devices").await.list();
    assert_eq!(devices.len(), 5);
    let counted: u64 = devices.iter().map(|it| it["message_count"].as_u64().unwrap()).sum();
    assert_eq!(counted, number("sent"));

    // Hourly readings of a day; then, moments later, as many more that do not look like a reset.
    let again = simulate(&server, &key, &options).await;
    assert!(again.said().contains("5 (0 of them new)"), "{again:?}");
    assert!(again.said().contains("120 readings checked, 0 missing, 0 more"), "{again:?}");
    for device in devices {
        let eui = device["dev_eui"].as_str().unwrap();
        let path = format!("/api/v1/devices/{eui}/consumption?days=30");
        let history = client.get(&path).await.list();
        assert_eq!(history.len(), 48);
        assert!(history.is_sorted_by_key(|it| it["consumption_m3"].as_f64()), "{history:?}");
        assert_eq!(resets(&mut client, eui).await, 0, "{eui}");
    }
}

#[tokio::test]
async fn bursts_end_at_the_quota() {
    let home = Home::new();
    let key = home.reseller(TENANT, &["--quota", "8"]).await;
    let server = home.serve().await;
    let options = ["--devices", "5", "--burst", "--every", "1", "--seconds", "2", "--json"];
    let summary = simulate(&server, &key, &options).await.json();
    assert_eq!((&summary["sent"], &summary["acknowledged"]), (&json!(10), &json!(8)));
    assert_eq!(summary["refused"]["429"]["count"], 2, "{summary}");
    assert_eq!(summary["refused"]["429"]["error_code"], "RATE_LIMIT_EXCEEDED");
    assert_eq!(summary["check"]["checked"], 8);
    let used_up = simulate(&server, &key, &options).await;
    assert!(used_up.refusal().contains("429"), "{used_up:?}");
}

#[tokio::test]
async fn who_cannot_simulate_is_told_why() {
    let home = Home::new();
    let (key, other) = (home.reseller(TENANT, &[]).await, home.reseller("Globex", &[]).await);
    let server = home.serve().await;
    let options = ["--devices", "1", "--rate", "5", "--seconds", "1"];
    let wrong_key = simulate(&server, "weir_wrong", &options).await;
    assert!(wrong_key.refusal().contains("INVALID_API_KEY"), "{wrong_key:?}");
    let no_rate = simulate(&server, &key, &["--devices", "1", "--seconds", "1"]).await;
    assert!(no_rate.refusal().contains("--rate"), "{no_rate:?}");

    simulate(&server, &key, &options).await.said();
    simulate(&server, &other, &options).await.said();
    let as_tenant = |name| [&options[..], &["--tenant", name]].concat();
    let taken = simulate(&server, &key, &as_tenant("Globex")).await;
    assert!(taken.refusal().contains("another reseller"), "{taken:?}");
    // A summary is printed all the same where everything was refused.
    let wrong_name = simulate(&server, &key, &as_tenant("Initech")).await;
    assert!(wrong_name.stdout().contains("5 with 403 TENANT_MISMATCH"), "{wrong_name:?}");
    assert!(wrong_name.stderr().contains("No uplink was acknowledged."), "{wrong_name:?}");
    let elsewhere = ["simulate", "--url", "http://127.0.0.1:1", "--api-key", "k"];
    let nobody = home.run(&[&elsewhere[..], &options].concat()).await;
    assert!(nobody.refusal().contains("http://127.0.0.1:1 did not answer"), "{nobody:?}");
}

#[tokio::test]
async fn an_interrupted_simulation_still_tells_how_it_went() {
    let home = Home::new();
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let url = format!("http://{}", server.address);
    let arguments = ["simulate", "--url", &url, "--api-key", &key, "--devices", "3", "--json"];
    let long = ["--rate", "50", "--seconds", "3600"];
    let mut command = home.command(&[&arguments[..], &long].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut client = server.client(&key);
    let heard = async || client.get("/api/v1/devices").await.list();
    until(heard, |devices| devices.iter().any(|it| it["message_count"] != 0)).await;
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed())).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let output = soon(child.wait_with_output()).await.unwrap();
    assert!(output.status.success(), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["sent"].as_u64() > Some(0), "{summary}");
    assert_eq!(summary["check"]["missing"], 0, "{summary}");
}
