//! Commands beside a running service: what they do binds within a second.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::client::{Client, INGEST, REGISTER};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, STORES, Store};
use crate::patience::{A_SECOND, until};
use crate::traffic::Traffic;

const DEVICES: &str = "/api/v1/devices";

/// Waits until this is what is answered instead of that, and not for longer than was promised.
async fn within_a_second(ask: impl AsyncFnMut() -> u16, before: u16, after: u16) {
    let (answered, took) = until(ask, |answered| *answered != before).await;
    assert_eq!(answered, after);
    assert!(took < A_SECOND, "it took {took:?} until {after} was answered");
}

#[tokio::test]
async fn keys_begin_and_end_to_open_at_once() {
    for store in STORES {
        let home = Home::on(store);
        let first = home.reseller(TENANT, &[]).await;
        let server = home.serve().await;
        let status = async |key: &str| server.client(key).get(DEVICES).await.status;
        assert_eq!(status(&first).await, 200);
        let api_key = async |command: &str, name: &str| {
            let arguments = ["api-key", command, "--reseller", TENANT, "--name", name];
            home.run(&arguments).await.json()["api_key"].as_str().unwrap_or_default().to_owned()
        };
        let second = api_key("create", "second").await;
        assert_eq!(status(&second).await, 200);
        let rotated = api_key("rotate", "second").await;
        within_a_second(async || status(&second).await, 200, 401).await;
        assert_eq!((status(&rotated).await, status(&first).await), (200, 200));
        api_key("revoke", "default").await;
        within_a_second(async || status(&first).await, 200, 401).await;
        assert_eq!(status(&rotated).await, 200);
        let fresh = home.reseller("Another", &[]).await;
        assert_eq!(status(&fresh).await, 200);
    }
}

fn renamed(mut uplink: Value, tenant: &str) -> Value {
    uplink["deviceInfo"]["tenantName"] = json!(tenant);
    uplink
}

#[tokio::test]
async fn names_and_quotas_of_resellers_change_at_once() {
    for store in STORES {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &["--quota", "2"]).await;
        let server = home.serve().await;
        let fleet = Fleet::register(&mut server.client(&key), 1, 0).await;
        // The second posts as the tenant that it is told.
        let post = async |number: u64, tenant: &str| {
            let uplink = renamed(fleet.of_meter(0, number), tenant);
            server.client(&key).post(INGEST, &uplink).await.status
        };
        let update = async |options: &[&str]| {
            let arguments = [&["reseller", "update", "--reseller", TENANT], options].concat();
            home.run(&arguments).await.json()
        };
        assert_eq!(
            [post(1, TENANT).await, post(2, TENANT).await, post(4, TENANT).await],
            [200, 200, 429]
        );
        update(&["--quota", "4"]).await;
        within_a_second(async || post(4, TENANT).await, 429, 200).await;

        assert_eq!(post(4, "Wasserwerk").await, 403);
        update(&["--alias", "Wasserwerk"]).await;
        within_a_second(async || post(4, " wasserWERK ").await, 403, 200).await;
        assert_eq!(post(4, TENANT).await, 429);

        // So many that asking again and again does not use them up.
        update(&["--quota", "1000000"]).await;
        within_a_second(async || post(4, TENANT).await, 429, 200).await;
        update(&["--remove-alias", "Wasserwerk"]).await;
        within_a_second(async || post(4, "Wasserwerk").await, 200, 403).await;
        update(&["--quota", "5"]).await;
        within_a_second(async || post(4, TENANT).await, 200, 429).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reseller_is_deleted_from_under_a_busy_service() {
    for store in STORES {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &[]).await;
        let leaving = home.reseller("Leaving", &[]).await;
        let server = home.serve().await;
        let fleet = Arc::new(Fleet::register(&mut server.client(&key), 2, 0).await);
        let mut client = server.client(&leaving);
        let eui = "70b3d57eeeeeeeee";
        client.register(eui).await;
        let uplink = renamed(fleet.uplink(eui, 1), "Leaving");
        assert_eq!(client.post(INGEST, &uplink).await.status, 200);
        let traffic = Traffic::prepare(&fleet, &key, 4);
        traffic.post_to(&[server.address]);

        let deleted = home.run(&["reseller", "delete", "--reseller", "leaving"]).await.json();
        assert_eq!((&deleted["name"], &deleted["deleted"]), (&json!("Leaving"), &json!(true)));
        client.post(INGEST, &uplink).await.assert_error(401, "INVALID_API_KEY");
        // Its EUIs and its names are anybody's now.
        server.client(&key).register(eui).await;
        let key = home.reseller("Leaving", &[]).await;
        let devices = server.client(&key).get(DEVICES).await.list();
        assert_eq!(devices, [json!(null); 0]);

        traffic.more(50).await;
        let book = traffic.stop().await;
        assert_eq!(book.surprises, [""; 0]);
    }
}

#[tokio::test]
async fn a_reseller_whose_uplinks_wait_in_a_dead_spool_is_not_deleted() {
    let home = Home::on(Store::Sqlite);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    assert_eq!(client.post(INGEST, &fleet.of_meter(0, 1)).await.status, 200);
    server.kill().await;
    let delete = ["reseller", "delete", "--reseller", TENANT];
    let ran = home.run(&delete).await;
    assert!(ran.refusal().contains("spool"), "{ran:?}");

    let server = home.serve().await;
    assert_eq!(home.run(&delete).await.json()["deleted"], true);
    let set_aside = server.anybody().get("/health").await.data()["spool"]["set_aside"].clone();
    assert_eq!(set_aside, 0);
}

#[tokio::test]
async fn what_a_killed_process_had_leased_is_there_for_the_next_one() {
    for store in STORES {
        let home = Home::on(store);
        let key = home.reseller(TENANT, &["--quota", "2"]).await;
        let server = home.serve().await;
        let mut client = server.client(&key);
        let fleet = Fleet::register(&mut client, 1, 0).await;
        assert_eq!(client.post(INGEST, &fleet.of_meter(0, 1)).await.status, 200);
        // The last one is leased, and not spent, for this request is refused.
        client.post(INGEST, &json!({})).await.assert_error(400, "INVALID_PAYLOAD_FORMAT");
        server.kill().await;
        let server = home.serve().await;
        let mut client = server.settled(&key).await;
        let answer = client.post(INGEST, &fleet.of_meter(0, 2)).await;
        assert_eq!((answer.status, answer.number("x-ratelimit-remaining")), (200, 0), "{answer:?}");
        let refused = client.post(INGEST, &fleet.of_meter(0, 3)).await;
        refused.assert_error(429, "RATE_LIMIT_EXCEEDED");
    }
}

#[tokio::test]
async fn what_is_registered_while_commands_write_is_kept() {
    let home = Home::on(Store::Sqlite);
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let register = async |client: &mut Client| {
        for n in 0..40 {
            let meter = json!({ "dev_eui": format!("70b3d57e{n:08x}"), "name": "M", "device_type": "water_meter" });
            assert_eq!(client.post(REGISTER, &meter).await.status, 200);
        }
    };
    let administer = async || {
        for n in 0..8 {
            home.reseller(&format!("Reseller {n}"), &[]).await;
        }
    };
    let mut client = server.client(&key);
    tokio::join!(register(&mut client), administer());
    assert_eq!(client.get(DEVICES).await.header("x-total-count"), Some("40"));
    let listed = home.run(&["reseller", "list", "--json"]).await.json();
    assert_eq!(listed.as_array().unwrap().len(), 9);
}
